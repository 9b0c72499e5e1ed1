import { page } from './page.ts'
import { zoneName } from './zone.ts'

type Unit = 'week' | 'day' | 'hour' | 'minute'

const and = (words: readonly (string | number)[]): string =>
  words.join(', ').replace(/, (?=[^,]*$)/, ' and ')

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
/** Day of a month as people say it: “1st”. */
const nth = (day: string): string => `${day}${endings[ordinals.select(Number(day))] ?? 'th'}`

/** Texts of `/schedule`, its alarms and its page. Texts of people are passed as Markdown. */
export const schedule = {
  summary: 'things to do at a set time, once or on repeat, with reminders',
  usageNotes:
    'TIME can be `2026-03-08 18:00` or words such as `tomorrow 9am`; a rule can be `every weekday at nine`, `every 2 hours` or cron: `0 9 * * 1-5`.\n`--here`: post into this thread\n`--note`: only remind\n`--quiet`: say nothing when there’s nothing to report\n`--ping`: ping you with each report\n`--no-here`, `--no-note`, `--no-quiet`, `--no-ping`: turn that off again\n`--mode`: `safe` changes nothing, `ask` asks before each change, `auto` changes things without asking\n`--allow`: use one tool without asking\n`--strategy`: the way of working\n`--event NAME`: start at each event of that source (`reaction:📌`, `channel`, `bot:NAME`, `folder:NAME`, a service) instead of at a time, with `--match` only at some',

  /** Values in examples, if the person typed nothing that could be used. */
  exampleRule: 'every weekday at 9',
  exampleTitle: 'post what is due today',
  /** The same for a rule of hours, and for one that ends. */
  exampleHours: 'every hour from 9:00 to 17:00 on weekdays',
  exampleLimits: 'every weekday at 9 until 31 December',

  added: (item: string) => `Scheduled ${item}`,
  willRemind: (item: string) => `I’ll remind you: ${item}`,
  updated: (item: string) => `Updated ${item}`,
  deleted: (item: string) => `Deleted ${item}`,
  paused: (item: string) => `Paused ${item}`,
  resumed: (item: string) => `Resumed ${item}`,
  repeatsOn: (item: string) => `Repeats are on: ${item}`,
  repeatsOff: (item: string) => `It won’t run again after its first time: ${item}`,
  noRepeats: (item: string) => `This one doesn’t repeat: ${item}`,
  running: (item: string) => `Starting now, in addition to the planned times: ${item}`,
  codingIsPeoples: 'Only people can change what the coding agent does. Please do that yourself.',
  tasksArePeoples:
    'I can’t schedule things for myself here. Please type `/schedule add …` yourself. I can set a reminder, though (`--note`).',
  grantLost: (id: number) =>
    `You’ve changed this schedule, so I have to ask again before I change anything. To let me go on without asking: \`/schedule update ${id} --mode auto\` or \`--allow\`.`,
  notFound: (id: number) =>
    `There is no schedule **#${id}** here. \`/schedule list\` shows them all.`,

  events: {
    hook: (name: string) => `event of ${name}`,
    reaction: (sign: string) => `reaction ${sign}`,
    channel: (_: string) => 'message here',
    bot: (name: string) => `message by the bot ${name}`,
    folder: (name: string) => `new file in ${name}`,
  },
  onEvent: (what: string, conditions: readonly string[]) =>
    `at each ${what}${conditions.length === 0 ? '' : ` with ${and(conditions)}`}`,
  eventNext: {
    hook: (name: string) => `Its events arrive at \`POST /hooks/${name}\`.`,
    reaction: 'I’ll take each message once and answer in its thread.',
    channel: 'I’ll answer in the thread of each message. Replies in threads don’t count.',
    bot: 'I’ll answer in the thread of each message. What the bot says in threads, to me, or within a minute of my answer doesn’t count.',
    folder: 'I’ll look for new files every half a minute.',
  },
  passed: (count: number) =>
    count === 1 ? 'One event didn’t match.' : `${count} events didn’t match.`,
  once: (time: string) => `once, ${time}`,
  every: (count: number, unit: Unit) => (count === 1 ? `every ${unit}` : `every ${count} ${unit}s`),
  from: (rule: string, time: string) => `${rule} from ${time}`,
  times: (rule: string, count: number) => `${rule}, ${count} ${count === 1 ? 'time' : 'times'}`,
  atClock: (days: string, clocks: readonly string[]) => `${days} at ${and(clocks)}`,
  /** Adds hours of the day, and days, to a rule with several times a day. */
  within: (rule: string, hours: readonly [string, string] | null, days: string | null) =>
    [
      rule,
      hours === null ? '' : ` from ${hours.join(' to ')}`,
      days === null ? '' : ` on ${days.replace(/^(?:every year )?on /, '')}`,
      days?.startsWith('every year ') ? ', every year' : '',
    ].join(''),
  /** Null: all of them. */
  minutesPast: (minutes: readonly number[] | null, hours: readonly number[] | null) => {
    const past = hours === null ? 'every hour' : and(hours.map((hour) => `${hour}:00`))
    if (minutes === null)
      return hours === null
        ? 'every minute'
        : `every minute ${and(hours.map((hour) => `from ${hour}:00 to ${hour}:59`))}`
    if (hours !== null && hours.length * minutes.length <= 8)
      return `at ${and(hours.flatMap((hour) => minutes.map((minute) => `${hour}:${`${minute}`.padStart(2, '0')}`)))}`
    return `at ${and(minutes)} ${minutes.join() === '1' ? 'minute' : 'minutes'} past ${past}`
  },
  daily: 'every day',
  weekdays: 'every weekday',
  weekends: 'every weekend day',
  onDays: (names: readonly string[]) => `every ${and(names)}`,
  dayNames: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  /** Day of the month by weekday; `which` is 1 to 5, or `L` for the last. */
  nthDay: (which: string, name: string) =>
    `on the ${{ 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', 5: 'fifth' }[which] ?? 'last'} ${name} of every month`,
  monthly: (days: readonly string[]) => {
    if (days[0] === 'L') return 'on the last day of every month'
    if (days[0] === 'LW') return 'on the last weekday of every month'
    if (days[0]?.endsWith('W'))
      return days[0] === '1W'
        ? 'on the first weekday of every month'
        : `on the weekday nearest to the ${nth(days[0].slice(0, -1))} of every month`
    return `on the ${and(days.map(nth))} of every month`
  },
  /** Joins days of the month and of the week: both count. */
  either: (first: string, second: string) => `${first} and also ${second}`,
  inMonths: (days: string, names: readonly string[]) =>
    / month$/.test(days)
      ? `every year ${days.replace(/^every/, 'on the').replace(/(?:every|the) month$/, and(names))}`
      : `in ${and(names)}, ${days.replace(' of every month', '')}`,
  together: (rules: readonly string[]) => rules.join(', and '),
  hourly: 'every hour',
  starting: (rule: string, time: string) => `${rule} starting ${time}`,
  until: (rule: string, time: string) => `${rule} until ${time}`,

  next: (times: string) => `Next: ${times}`,
  nextPaused: 'It won’t run while it’s paused.',
  noNext: 'No further times are planned.',
  isPaused: 'paused',
  repeatsHidden: 'repeats off',
  duration: (minutes: number) => `${minutes} min`,
  remind: (before: string) => `reminder ${before} before`,
  remindAtStart: 'reminder at the start',
  span: (count: number, unit: Unit) =>
    `${count} ${{ week: 'w', day: 'd', hour: 'h', minute: 'min' }[unit]}`,
  here: 'posts into its thread',
  onlyNote: 'a reminder',
  quiet: 'posts only if there is something to report',
  ping: 'pings its owner with each report',
  allowed: (tools: readonly string[]) => `can use these without asking: ${tools.join(', ')}`,
  modes: { ask: 'asks before it changes anything', auto: 'can change things without asking' },
  way: (name: string) => `way of working: ${name}`,
  zoneNote: (zone: string) => `The rule is in ${zoneName(zone)} time.`,
  clockRule: (zone: string) =>
    `The rule is in ${zoneName(zone)} time. When the clocks go forward, what is due in the skipped hour runs later (02:30 becomes 03:30). When they go back, what is due in the repeated hour runs only the first time.`,
  overlaps: 'At the same time:',
  more: (count: number) => `… and ${count} more`,

  listTitle: 'Schedules',
  emptyList: (example: string) =>
    `No schedules here yet; each channel has its own. Add one: ${example}`,
  outside: (count: number) =>
    count === 1
      ? 'One more schedule has nothing planned in these 31 days.'
      : `${count} more schedules have nothing planned in these 31 days.`,
  /** Day in a list, from `2026-11-30`. */
  dayTitle: (day: string) =>
    `${new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(day))} ${day}`,
  viewTitles: {
    day: (day: string) => `On ${day}`,
    week: (day: string) => `The week of ${day}`,
    month: (month: string) => `In ${month}`,
  },
  emptyView: 'Nothing is planned.',
  viewGoesOn: (shown: number) =>
    `These are the first ${shown}. Ask for a day or a week to see the rest.`,
  created: (time: string) => `created ${time}`,

  dryTitle: (item: string) => `If ${item} started now:`,
  dryRun: (goal: string) => `- I’d work on “${goal}”.`,
  dryNote: (text: string) => `- I’d post “${text}”, and nothing more.`,
  dryNewThread: '- I’d post in a new thread.',
  dryHere: '- I’d post in its thread.',
  drySeen: '- Everyone who can read there would see it.',
  dryQuiet: '- I’d say nothing if there’s nothing to report.',
  dryTools: (tools: readonly string[]) =>
    `- I could use these without asking: ${tools.join(', ')}.`,
  dryMode: {
    safe: '- I could look things up, but change nothing.',
    ask: '- I’d ask in its thread before I change anything that isn’t allowed already.',
    auto: '- I could change things with all my tools, without asking.',
  },
  dryWay: (name: string) => `- I’d use the way of working “${name}”.`,
  dryHeld: {
    paused: '- But it’s paused, so nothing would start.',
    still_running: '- But I’m still working on the one before, so I’d skip this one.',
    still_asking: '- But the one before still needs an answer, so I’d skip this one.',
  },
  onlyPeople:
    'While I’m working on a schedule I can only look at schedules. Please make this change yourself.',
  nothingToReport: 'Nothing to report.',
  dryNothing: 'I haven’t started anything.',

  slotsTitle: (item: string) => `Past runs of ${item}`,
  noSlots: 'It hasn’t run yet.',
  outcomes: page.schedules.outcomes,
  /** C377: message to the owner alone. */
  placeGone: (id: number) =>
    `**Schedule #${id} is paused**: the place it posts to is gone, or I was removed from it. Resume it once I can post there again, or schedule it somewhere else.`,
  /** C378: message posted in the schedule's place. */
  ownerGone: (id: number, title: string, owner: string) =>
    `**Schedule #${id} (${title}) is paused**: its owner ${owner} has left. An admin can hand it on with \`/privacy handover\`, or you can take it over with \`/schedule resume ${id}\`.`,
  reasons: page.schedules.reasons,
  slotRow: (time: string, outcome: string, reason: string | null) =>
    reason === null ? `- ${time}: ${outcome}` : `- ${time}: ${outcome} (${reason})`,
  slotMany: (from: string, until: string, count: number | null) =>
    count === null
      ? `${from} to ${until}, more than 2000 times`
      : `${from} to ${until}, ${count} times`,

  reminderTitle: (text: string) => `Reminder: ${text}`,
  todoReminder: (id: number, text: string, due: string | null) =>
    due === null
      ? `⏰ Reminder: ${text} (to-do #${id})`
      : `⏰ Reminder: ${text} (to-do #${id}, due ${due})`,
  scheduleReminder: (id: number, text: string, time: string) =>
    `⏰ Reminder: ${text} (schedule #${id}, ${time})`,
  note: (text: string, time: string) => `⏰ ${text} (${time})`,

  /** Usage errors of this command's own. */
  errors: {
    no_id: 'Which schedule? Its number is missing.',
    bad_id: (typed: string) => `${typed} isn’t the number of a schedule.`,
    too_long: (limit: string) => `That’s too long; the limit is ${limit} characters.`,
  },
}
