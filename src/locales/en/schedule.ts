import { page } from './page.ts'

type Unit = 'week' | 'day' | 'hour' | 'minute'

/** Short name of a zone: “Berlin”. */
const placeOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

/** Texts of `/schedule`, its alarms and its page. Texts of people are passed as Markdown. */
export const schedule = {
  summary: 'work that starts by itself: once, at intervals or by a rule, with reminders',
  usageNotes:
    'TIME is `2026-03-08 18:00` or words such as `tomorrow 9am`; a rule is `every weekday at nine`, `every 2 hours` or cron: `0 9 * * 1-5`. `--here` posts into this thread, `--note` only reminds, `--quiet` is silent when there is nothing to report, `--ping` pings you with each report; `--no-here`, `--no-note`, `--no-quiet` and `--no-ping` take that back. It changes nothing (`--mode safe`) unless a person approves each change (`--mode ask`), or from now on (`--mode auto`, or for one tool `--allow`). `--strategy` says how it works.',

  /** Values in examples, if the person typed nothing that could be used. */
  exampleRule: 'every weekday at 9',
  exampleTitle: 'post what is due today',
  /** The same for a rule of hours, and for one that ends. */
  exampleHours: 'every hour from 9:00 to 17:00 on weekdays',
  exampleLimits: 'every weekday at 9 until 31 december',

  added: (item: string) => `Scheduled ${item}`,
  willRemind: (item: string) => `I’ll remind you: ${item}`,
  updated: (item: string) => `Updated ${item}`,
  deleted: (item: string) => `Deleted ${item}`,
  paused: (item: string) => `Paused ${item}`,
  resumed: (item: string) => `Resumed ${item}`,
  repeatsOn: (item: string) => `Repeats are on: ${item}`,
  repeatsOff: (item: string) => `Repeats are off, the first event stays: ${item}`,
  noRepeats: (item: string) => `It has no repeats: ${item}`,
  running: (item: string) => `Starting now, in addition to the planned times: ${item}`,
  codingIsPeoples: 'Only a person can change work for the coding agent.',
  tasksArePeoples: 'Only a person can schedule work here; a reminder (`--note`) is fine.',
  grantLost: (id: number) =>
    `What it was allowed to change unasked was allowed by somebody else or for other words, so it may not any more. A person can allow it again: \`/schedule update ${id} --mode auto\` or \`--allow\`.`,
  notFound: (id: number) =>
    `There is no schedule **#${id}** here. \`/schedule list\` shows the ones there are.`,

  once: (time: string) => `once, ${time}`,
  every: (count: number, unit: Unit) => (count === 1 ? `every ${unit}` : `every ${count} ${unit}s`),
  from: (rule: string, time: string) => `${rule} from ${time}`,
  times: (rule: string, count: number) => `${rule}, ${count} ${count === 1 ? 'time' : 'times'}`,
  atClock: (days: string, clocks: readonly string[]) => `${days} at ${clocks.join(' and ')}`,
  /** Adds hours of the day, and days, to a rule with several times a day. */
  within: (rule: string, hours: readonly [string, string] | null, days: string | null) =>
    `${rule}${hours === null ? '' : ` from ${hours.join(' to ')}`}${days === null ? '' : ` on ${days.replace(/^every (?=weekday|weekend)/, 'every ').replace(/^on /, '')}`}`,
  minutesPast: (minutes: string, hours: string) =>
    `at minute ${minutes} of ${hours === '' ? 'every hour' : `the hours ${hours}`}`,
  daily: 'every day',
  weekdays: 'every weekday',
  weekends: 'every weekend day',
  onDays: (names: readonly string[]) => `every ${names.join(' and ')}`,
  dayNames: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  /** Day of the month by weekday; `which` is 1 to 5, or `L` for the last. */
  nthDay: (which: string, name: string) =>
    `every ${{ 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', 5: 'fifth' }[which] ?? 'last'} ${name} of the month`,
  monthly: (days: readonly string[]) => {
    if (days[0] === 'L') return 'on the last day of every month'
    if (days[0] === 'LW') return 'on the last weekday of every month'
    if (days[0]?.endsWith('W'))
      return days[0] === '1W'
        ? 'on the first weekday of every month'
        : `on the weekday nearest to day ${days[0].slice(0, -1)} of every month`
    return `on day${days.length > 1 ? 's' : ''} ${days.join(' and ')} of every month`
  },
  /** Joins days of the month and of the week: both count. */
  either: (first: string, second: string) => `${first} and also ${second}`,
  inMonths: (days: string, names: readonly string[]) =>
    days.includes(' month')
      ? `every year ${days.replace(/^every/, 'on the').replace(/(?:every|the) month$/, names.join(' and '))}`
      : `${days} in ${names.join(' and ')}`,
  together: (rules: readonly string[]) => rules.join(', and '),
  hourly: 'every hour',
  starting: (rule: string, time: string) => `${rule} starting ${time}`,
  until: (rule: string, time: string) => `${rule} until ${time}`,

  next: (times: string) => `Next: ${times}`,
  nextPaused: 'It does not run while it is paused.',
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
  quiet: 'speaks only if there is something to say',
  ping: 'reports ping who made it',
  allowed: (tools: string) => `may use ${tools}`,
  modes: { ask: 'asks before it changes anything', auto: 'may change things unasked' },
  way: (name: string) => `way of working: ${name}`,
  zoneNote: (zone: string) => `${placeOf(zone)} time.`,
  clockRule: (zone: string) =>
    `${placeOf(zone)} time. When its clocks go forward, a time that is skipped moves on (02:30 becomes 03:30); when they go back, a time that comes twice is used once, the first time.`,
  overlaps: 'At the same time:',
  more: (count: number) => `… and ${count} more`,

  listTitle: 'Schedules',
  emptyList: (example: string) => `No schedules here yet. Add one: ${example}`,
  outside: (count: number) =>
    count === 1
      ? 'One more has nothing in these 31 days.'
      : `${count} more have nothing in these 31 days.`,
  viewTitles: {
    day: (day: string) => `Day ${day}`,
    week: (day: string) => `Week of ${day}`,
    month: (month: string) => `Month ${month}`,
  },
  emptyView: 'Nothing is planned here.',
  viewGoesOn: (shown: number) =>
    `Only the first ${shown} are shown. Ask for a day or a week to see the rest.`,
  created: (time: string) => `created ${time}`,

  dryTitle: (item: string) => `If ${item} started now:`,
  dryRun: (goal: string) => `- I would work on “${goal}”.`,
  dryNote: (text: string) => `- The words “${text}” would be posted, and nothing more.`,
  dryNewThread: '- Its first question or its report would open a new thread, unread.',
  dryHere: '- Its words would go into the thread that it belongs to.',
  drySeen: '- Everyone who can read there sees it.',
  dryQuiet: '- If it finds nothing that people should hear of, it says nothing.',
  dryTools: (tools: string) => `- It could change things with ${tools}.`,
  dryMode: {
    safe: '- It could look things up, but change nothing.',
    ask: '- Before anything else that changes something, it would ask in its thread.',
    auto: '- It could change things with every tool that it has, unasked.',
  },
  dryWay: (name: string) => `- Its way of working would be ${name}.`,
  dryHeld: {
    paused: '- But it is paused: nothing would start.',
    still_running: '- But I am still working on the one before, so this one would be skipped.',
    still_asking: '- But the one before still waits for an answer, so this one would be skipped.',
  },
  onlyPeople: 'Work that nobody watches may look at schedules, but not change them.',
  nothingToReport: 'There is nothing to report.',
  dryNothing: 'Nothing was started.',

  slotsTitle: (item: string) => `Past times of ${item}`,
  noSlots: 'It has not been due yet.',
  outcomes: page.schedules.outcomes,
  /** C377: message to the owner alone. */
  placeGone: (id: number) =>
    `**Schedule #${id} is paused**: the place that it posts into is gone, or Clew was removed from it. Resume it there once Clew can post again, or schedule it anew somewhere else.`,
  /** C378: message posted in the schedule's place. */
  ownerGone: (id: number, title: string, owner: string) =>
    `**Schedule #${id} (${title}) is paused**: its owner ${owner} has left. An admin can hand it on with \`/privacy handover\`, or you can take it over with \`/schedule resume ${id}\`.`,
  reasons: page.schedules.reasons,
  slotRow: (time: string, outcome: string, reason: string | null) =>
    reason === null ? `- ${time}: ${outcome}` : `- ${time}: ${outcome} (${reason})`,
  slotMany: (from: string, until: string, count: number | null) =>
    count === null
      ? `${from} to ${until}, more than 2000`
      : `${from} to ${until}, ${count} of them`,

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
    no_id: () => 'Which schedule? Its number is missing.',
    bad_id: (typed: string) => `${typed} is not the number of a schedule.`,
    too_long: (limit: string) =>
      `That is too long; what a schedule does has at most ${limit} characters.`,
  },
}
