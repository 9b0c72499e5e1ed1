const every = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(' and ')

/** Texts of `/todo` and `/view`. Texts of people are passed as Markdown. */
export const todo = {
  summary: 'to-dos of this channel, with tags, priorities, due dates and reminders',
  viewSummary: 'the to-dos that are due today, overdue, coming up or not planned yet',
  usageNotes:
    'TIME is `2026-03-08 18:00`, `2026-03-08`, or words such as `tomorrow 9am`; `none` removes one, and a tag or an owner. Several numbers are `3,5,7-9`; several lines after `add` are several to-dos. Priority 0 comes first. A reminder needs a due date and moves with it.',

  /** Heading over the lines of a command that changed several. */
  counted: (done: number, all: number) => (done === all ? `${all} to-dos:` : `${done} of ${all}:`),
  twin: (id: number) => `**#${id}** says the same.`,
  owner: (name: string) => `for ${name}`,
  nobodyAsks: 'I cannot tell who “me” is here.',
  nobodyCalled: (name: string) =>
    `Nobody here is called ${name}. A to-do can be given to somebody who has written here, to \`me\` or to \`none\`.`,
  severalCalled: (name: string, people: string) =>
    `Several people are called ${name}: ${people}. Name one by their id.`,
  emptyOwner: (name: string | null) =>
    name === null ? 'Every to-do here is somebody’s.' : `No to-do here is for ${name}.`,
  added: (item: string) => `Added ${item}`,
  updated: (item: string) => `Updated ${item}`,
  done: (item: string) => `Done: ${item}`,
  putBack: 'Put it back',
  deleted: (item: string) => `Deleted ${item}`,
  notFound: (id: number) =>
    `There is no to-do **#${id}** here. \`/todo list\` shows the ones there are.`,
  onlyPeople: 'Work that nobody watches may look at to-dos, but not change them.',
  movesTooEarly: (time: string) =>
    `Its reminder moves with the due date; that would be ${time}, which has passed.`,
  remindNeedsDue: (id: number) => `To-do **#${id}** has no due date, and a reminder needs one.`,

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
    overdue: { title: 'Overdue', about: 'open and past their time' },
    upcoming: { title: 'Coming up', about: 'open and due after today, within seven days' },
    inbox: { title: 'Not planned yet', about: 'open and without a due date' },
  },

  emptyTag: (tag: string, known: string) => `No to-dos tagged ${tag}. Tags here: ${known}`,
  meantView: (view: string) => `To see a view: \`/todo list --view ${view}\``,
  emptySearch: (words: readonly string[], nowhere: readonly string[]) =>
    `No to-do contains ${every(words)}.${nowhere.length === 0 || words.length === 1 ? '' : ` None has ${every(nowhere)}.`} \`/todo list\` shows them all.`,
  emptyView: {
    all: 'No to-dos here yet. Add one: `/todo add Call Ana --due tomorrow 9am`',
    due: 'Nothing is due or overdue. `/view upcoming` shows what comes next.',
    mine: 'No open to-do is for you. `/todo update 3 --owner me` takes one.',
    today: 'Nothing is due today. `/view upcoming` shows what comes next.',
    overdue: 'Nothing is overdue.',
    upcoming: 'Nothing is due in the next seven days. `/view inbox` shows what has no date yet.',
    inbox: 'Every open to-do has a due date.',
  },

  /** Usage errors of this command's own. */
  errors: {
    no_id: () => 'Which to-do? Its number is missing.',
    bad_id: (typed: string) => `${typed} is not the number of a to-do.`,
    too_long: (limit: string) =>
      `That is too long; a to-do or a search has at most ${limit} characters.`,
  },
}
