/** What `/privacy` says. Names of people come in as they are, what was typed and ids as code. */
export const privacy = {
  summary: 'for admins: everything that is kept about one person, as a file, and how to erase it',
  adminsOnly: 'Only admins can do this. The people who run Clew name them in `ADMIN_USERS`.',
  nobody: (name: string) =>
    `Nothing is kept here about anyone called ${name}. You can also give their id.`,
  several: (name: string, ids: string) =>
    `Several people are called ${name}. Say which one by the id: ${ids}`,
  nothing: (name: string) => `Nothing is kept here about ${name}.`,
  kept: (name: string, id: string) => `Kept here about ${name} (${id}):`,
  download: (workspace: string, person: string) =>
    `Over the API: \`GET /api/privacy/${person}?workspace=${workspace}\`.`,
  wouldErase: (name: string) => `This would be erased of ${name}:`,
  erased: (name: string) => `Erased of ${name}:`,
  unnamed: 'This is the team’s and only loses its author:',
  atWork: 'A task still uses this; erase again when it has ended:',
  sure: (line: string) =>
    `Nothing is erased yet. To erase it for good, type ${line} or press the button, where there is one, within ten minutes.`,
  eraseNow: (name: string) => `Erase this of ${name}`,
  kinds: {
    message: 'messages to Clew and in its threads',
    overheard: 'overheard messages',
    answer: 'answers to questions',
    task: 'tasks',
    file: 'files that tasks made',
    fact: 'facts',
    todo: 'to-dos',
    schedule: 'schedules',
    usage: 'days of use, as figures',
  },
}
