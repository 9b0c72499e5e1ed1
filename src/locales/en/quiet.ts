/** Texts of `/quiet`. Hours are passed in words. */
export const quiet = {
  summary: 'hours when Clew pings nobody: yours, or this channel’s with `--channel`',
  usageNotes:
    'HOURS can be `18:00-9:00`, `weekends`, `10pm to 7am on weekdays, sat and sun` or `outside 9:00-18:00`. A night belongs to the day it begins on. `/quiet` on its own shows what is set; `/quiet off` ends it. Reminders and `--ping` schedules that you set for a quiet hour still ping you.',
  onlyPeople: 'I can’t set quiet hours for you. Please set them yourself.',
  set: {
    person: (hours: string, name: string) =>
      `${name}, your quiet hours are set: ${hours}. I’ll still post then, but I won’t ping you, unless you’ve set a reminder for one of those hours. To end them: \`/quiet off\`.`,
    channel: (hours: string, name: string) =>
      `${name} set quiet hours for this channel: ${hours}. I’ll still post then, but I won’t ping anyone here, unless they’ve set a reminder for one of those hours. To end them: \`/quiet off --channel\`.`,
  },
  isNow: 'That includes now.',
  ended: {
    person: (name: string) => `${name}, your quiet hours are off: I’ll ping you at any time.`,
    channel: (name: string) =>
      `${name} ended the quiet hours of this channel. Each person’s own quiet hours still apply.`,
  },
  none: 'You haven’t set any quiet hours. To set some: `/quiet 18:00-9:00, weekends`.',
  own: (hours: string) => `Your quiet hours: ${hours}. To end them: \`/quiet off\`.`,
  here: (hours: string) =>
    `This channel’s quiet hours: ${hours}. To end them: \`/quiet off --channel\`.`,
  outside: (hours: string) => `all but ${hours}`,
  always: 'always',
  weekdays: 'weekdays',
  weekends: 'Saturday and Sunday',
  comma: ', ',
  and: '; ',
  window: (
    [from, to]: readonly [string, string],
    { on, isNextDay }: { on: string | null; isNextDay: boolean },
  ) => `${on === null ? '' : `${on} `}${from} to ${to}${isNextDay ? ' the next day' : ''}`,
}
