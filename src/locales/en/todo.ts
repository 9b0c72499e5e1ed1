const either = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(' or ')
const every = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(' and ')

/** Texts of `/todo` and `/view`. Texts of people are passed as Markdown. */
export const todo = {
  summary: 'to-dos of this channel, with tags, priorities, due dates and reminders',
  viewSummary: 'the to-dos that are due today, overdue, coming up or not planned yet',
  usageNotes:
    'TIME can be `2026-03-08 18:00`, `2026-03-08`, or words such as `tomorrow 9am`. `none` removes a time, tag or owner.\nFor several to-dos, write `3,5,7-9`. After `add`, put each to-do on its own line.\nPriority 0 comes first. A reminder needs a due date; if the date changes, the reminder moves too.',

  /** Heading over the lines of a command that changed several. */
  counted: (done: number, all: number) =>
    done === all ? `${all} to-dos:` : `Changed ${done} of ${all} to-dos:`,
  twin: (id: number) => `It’s the same as **#${id}**, which is still open.`,
  owner: (name: string) => `for ${name}`,
  nobodyAsks: 'I can’t tell who “me” is here. Please use the name.',
  nobodyCalled: (name: string) =>
    `Nobody here is called ${name}. A to-do can go to someone who has written here, to \`me\` or to \`none\`; for anybody else, put the name in the to-do itself.`,
  severalCalled: (name: string, people: string) =>
    `Several people are called ${name}: ${people}. Use the id to say which one.`,
  emptyOwner: (name: string | null) =>
    name === null ? 'Every to-do here has an owner.' : `${name} has no to-dos here.`,
  added: (item: string) => `Added ${item}`,
  updated: (item: string) => `Updated ${item}`,
  done: (item: string) => `Done: ${item}`,
  putBack: 'Reopen',
  deleted: (item: string) => `Deleted ${item}`,
  notFound: (id: number) => `There is no to-do **#${id}** here. \`/todo list\` shows them all.`,
  onlyPeople:
    'While I’m working on a schedule I can only look at to-dos. Please make this change yourself.',
  movesTooEarly: (time: string) =>
    `I didn’t change it, because its reminder would move to ${time}, which has passed. Add a new reminder time as well.`,
  remindNeedsDue: (id: number) => `To-do **#${id}** has no due date, and a reminder needs one.`,

  /** Due day, from `2026-11-30`; in the year in which it was written down, or in another. */
  day: (day: string, _isThisYear: boolean) => day,
  due: (time: string) => `due ${time}`,
  overdue: (time: string) => `**overdue** since ${time}`,
  remind: (time: string) => `reminder ${time}`,
  finished: (time: string) => `done ${time}`,
  priority: (priority: number) => `priority ${priority}`,
  created: (time: string) => `created ${time}`,

  counts: (open: number, done: number) =>
    done === 0 ? `${open} open` : `${open} open, ${done} done`,
  listTitle: 'To-dos',
  foundTitle: (words: readonly string[]) => `To-dos with ${every(words)}`,
  tagged: (tag: string) => `tagged ${tag}`,
  more: (count: number) =>
    `… and ${count} more. Narrow it down: \`/todo list --tag …\`, \`/todo search …\``,
  viewsTitle: 'Views',
  views: {
    all: { title: 'All to-dos', about: 'everything, done ones too' },
    due: { title: 'Due or overdue', about: 'open and due by the end of today' },
    mine: { title: 'Yours', about: 'open and for you' },
    today: { title: 'Due today', about: 'open and due today' },
    overdue: { title: 'Overdue', about: 'open and past their due date' },
    upcoming: { title: 'Coming up', about: 'open and due after today, within seven days' },
    inbox: { title: 'Not planned yet', about: 'open and without a due date' },
  },

  emptyTag: (tag: string, known: string) => `No to-dos tagged ${tag}. Tags here: ${known}`,
  meantView: (view: string) => `To see a view: \`/todo list --view ${view}\``,
  emptySearch: (words: readonly string[], nowhere: readonly string[]) =>
    `No to-do contains ${every(words)}.${nowhere.length === 0 || words.length === 1 ? '' : ` No to-do here has ${either(nowhere)}.`} \`/todo list\` shows them all.`,
  emptyView: {
    all: 'No to-dos here yet. Add one: `/todo add Call Ana --due tomorrow 9am`',
    due: 'Nothing is due or overdue. `/view upcoming` shows what comes next.',
    mine: 'You have no open to-dos. To take one: `/todo update 3 --owner me`.',
    today: 'Nothing is due today. `/view upcoming` shows what comes next.',
    overdue: 'Nothing is overdue.',
    upcoming: 'Nothing is due in the next seven days. `/view inbox` shows what has no date yet.',
    inbox: 'Every open to-do has a due date.',
  },

  /** Usage errors of this command's own. */
  errors: {
    no_id: 'Which to-do? Its number is missing.',
    bad_id: (typed: string) => `${typed} isn’t the number of a to-do.`,
    too_long: (limit: string) => `That’s too long; the limit is ${limit} characters.`,
  },
}
