/** What `/todo` and `/view` say. Texts that people wrote come in ready for Markdown. */
export const todo = {
  summary: 'to-dos of this channel, with tags, priorities, due dates and reminders',
  viewSummary: 'the to-dos that are due today, overdue, coming up or not planned yet',
  usage: [
    '/todo add <text> [--tag T] [--priority N] [--due TIME] [--remind TIME]',
    '/todo list [tag] [--tag T] [--view all|today|overdue|upcoming|inbox]',
    '/todo search <words> [--tag T]',
    '/todo get|done|delete <number>',
    '/todo update <number> [text] [--tag T] [--priority N] [--due TIME|none] [--remind TIME|none]',
    '/todo view <name> [--tag T]',
  ],
  viewUsage: ['/view list', '/view all|today|overdue|upcoming|inbox [--tag T]', '/view day|week|month [date]'],
  usageNotes:
    'TIME is `2026-03-08 18:00`, `2026-03-08`, or words such as `tomorrow 9am`. Priority 0 comes first. A reminder needs a due date.',

  /** For examples, where the person has typed nothing that could be used. */
  placeholders: { text: 'Call Ana', word: 'Ana', tag: 'work' },

  added: (item: string) => `Added ${item}`,
  updated: (item: string) => `Updated ${item}`,
  done: (item: string) => `Done: ${item}`,
  putBack: 'Put it back',
  deleted: (item: string) => `Deleted ${item}`,
  notFound: (id: number) => `There is no to-do **#${id}** here. \`/todo list\` shows the ones there are.`,
  readOnly: 'Work that nobody watches may look at to-dos, but not change them.',
  remindNeedsDue: (id: number) => `To-do **#${id}** has no due date, and a reminder needs one.`,

  due: (time: string) => `due ${time}`,
  overdue: (time: string) => `**overdue** since ${time}`,
  remind: (time: string) => `reminder ${time}`,
  finished: (time: string) => `done ${time}`,
  priority: (priority: number) => `priority ${priority}`,
  created: (time: string) => `created ${time}`,

  counts: (open: number, done: number) => (done === 0 ? `${open} open` : `${open} open, ${done} done`),
  listTitle: 'To-dos',
  foundTitle: (words: string) => `To-dos with “${words}”`,
  tagged: (tag: string) => `tagged ${tag}`,
  more: (count: number) => `… and ${count} more. Narrow it down: \`/todo list --tag …\`, \`/todo search …\``,
  viewsTitle: 'Views',
  views: {
    all: { title: 'All to-dos', about: 'everything, done ones too' },
    today: { title: 'Due today', about: 'open and due today' },
    overdue: { title: 'Overdue', about: 'open and past their time' },
    upcoming: { title: 'Coming up', about: 'open and due after today, within seven days' },
    inbox: { title: 'Not planned yet', about: 'open and without a due date' },
  },

  emptyList: 'No to-dos here yet. Add one: `/todo add Call Ana --due tomorrow 9am`',
  emptyTag: (tag: string, known: string) => `No to-dos tagged ${tag}. Tags here: ${known}`,
  meantView: (view: string) => `To see a view: \`/todo list --view ${view}\``,
  emptySearch: (words: string) => `No to-do contains “${words}”. \`/todo list\` shows them all.`,
  emptyView: {
    all: 'No to-dos here yet. Add one: `/todo add Call Ana --due tomorrow 9am`',
    today: 'Nothing is due today. `/view upcoming` shows what comes next.',
    overdue: 'Nothing is overdue.',
    upcoming: 'Nothing is due in the next seven days. `/view inbox` shows what has no date yet.',
    inbox: 'Every open to-do has a due date.',
  },

  /** What was wrong; the nearest right form follows on its own line. */
  problems: {
    unknown_action: (typed: string) => `/todo does not know ${typed}.`,
    unknown_option: (typed: string) => `There is no option ${typed} here.`,
    option_not_here: (typed: string) => `The option ${typed} does not belong to this.`,
    no_value: (typed: string) => `The option ${typed} needs a value.`,
    twice: (typed: string) => `The option ${typed} is there twice; only the first can be taken.`,
    no_text: () => 'Some words are missing.',
    no_id: () => 'Which to-do? Its number is missing.',
    bad_id: (typed: string) => `${typed} is not the number of a to-do.`,
    extra_words: (typed: string) => `${typed} is too much here.`,
    bad_priority: (typed: string) => `${typed} is no priority; it is a number from 0 (first).`,
    bad_tag: (typed: string) => `${typed} is no tag.`,
    bad_time: (typed: string) => `I cannot read ${typed} as a time.`,
    remind_needs_due: () => 'A reminder needs a due date.',
    unknown_view: (typed: string) =>
      `There is no view ${typed}. The views are all, today, overdue, upcoming and inbox.`,
    nothing_to_change: () => 'Nothing to change was named.',
    too_long: (limit: string) => `That is too long; a to-do or a search has at most ${limit} characters.`,
  },
}
