/** Texts of `/about`. Lists of names are passed as they are shown. */
export const about = {
  summary: 'what holds in this channel, and why',
  title: (name: string) =>
    name === '' ? '**What holds in this channel**' : `**What holds in ${name}**`,
  hasProfile: 'This channel has a profile. It goes before the settings.',
  noProfile: 'This channel has no profile, so everything is as the settings say.',
  fault: (fault: string | null) =>
    fault === null
      ? '⚠ Its file has a mistake in it now, so its last good version holds. An admin can see the line.'
      : `⚠ Its file has a mistake in it now, so its last good version holds: ${fault}`,
  by: { profile: '*(profile)*', setting: '*(setting)*', default: '*(default)*' },
  people: (count: number | null) => {
    if (count === null) return 'Everybody in the channel can ask me.'
    return count === 1 ? 'Only one person can ask me.' : `Only ${count} people can ask me.`
  },
  outsiders: (isIn: boolean): string =>
    isIn
      ? 'So can guests and people of other companies.'
      : 'Guests and people of other companies can’t.',
  language: (language: 'en' | 'zh' | null): string => {
    if (language === null) return 'I answer in the language that people write.'
    return language === 'zh' ? 'I answer in Chinese.' : 'I answer in English.'
  },
  zone: (zone: string) => `Times are in ${zone}, unless I know your own time zone.`,
  speaks: {
    auto: 'I speak when mentioned, and when somebody speaks to me in a thread of mine.',
    mention: 'I speak only when mentioned, when alone with one person, or to someone I asked.',
  },
  model: (name: string) => `Model: ${name}.`,
  planFirst: (isFirst: boolean): string =>
    isFirst
      ? 'I show my plan and wait before I change anything.'
      : 'I work without showing the plan first; write “plan first” to see it.',
  noBudget: 'This channel has no limit of its own on what I use.',
  tokens: (amount: string) => `${amount} tokens`,
  budget: {
    day: (amount: string) => `At most ${amount} a day in this channel.`,
    month: (amount: string) => `At most ${amount} a month in this channel.`,
  },
  instructions: 'I follow the team’s instructions.',
  channelInstructions: 'I follow the instructions for this channel.',
  skills: (names: string) => `Skills: ${names}.`,
  tools: {
    never: (names: string) => `Tools I use without asking: ${names}.`,
    first: (names: string) => `Tools I ask about once for each request: ${names}.`,
    always: (names: string) => `Tools I ask about every time: ${names}.`,
    hidden: (names: string) => `Tools that are off here: ${names}.`,
  },
  rest: 'What you’ve approved for good here: `/approvals list`.',
}
