/** Texts of `/quiet`. Hours are passed in words. */
export const quiet = {
  summary: 'hours when Clew pings nobody: yours, or this channel’s with `--channel`',
  usageNotes:
    'HOURS can be `18:00-9:00`, `weekends`, `10pm to 7am on weekdays, sat and sun` or `outside 9:00-18:00`. A night counts as part of the day it begins on. `/quiet` alone shows what is set; `/quiet off` ends it. Reminders and `--ping` schedules that you set for a quiet hour still ping you.',
  onlyPeople: 'Only people can set their quiet hours.',
  set: {
    person: (hours: string, name: string) =>
      `Quiet for ${name}: ${hours}. I’ll still post then, but I won’t ping you, unless you’ve set a reminder for one of those hours. To end it: \`/quiet off\`.`,
    channel: (hours: string, name: string) =>
      `${name} made this channel quiet: ${hours}. I’ll still post then, but I won’t ping anyone here, unless they’ve set a reminder for one of those hours. To end it: \`/quiet off --channel\`.`,
  },
  isNow: 'That includes now.',
  ended: {
    person: (name: string) => `No more quiet hours for ${name}: I’ll ping you at any time.`,
    channel: (name: string) =>
      `${name} ended the quiet hours of this channel. Each person’s own quiet hours still apply.`,
  },
  none: 'You have no quiet hours. `/quiet 18:00-9:00, weekends` sets some.',
  own: (hours: string) => `Quiet for you: ${hours}. \`/quiet off\` ends it.`,
  here: (hours: string) => `Quiet in this channel: ${hours}. \`/quiet off --channel\` ends it.`,
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
