/** Texts of `/privacy`. Names of people are passed as they are, typed words and ids as code. */
export const privacy = {
  summary: 'for admins: export or erase everything that is kept about one person',
  adminsOnly: (isAnybody: boolean, own: string) =>
    isAnybody
      ? 'Only an admin can do this. Whoever runs Clew names the admins in `ADMIN_USERS`; please ask one of them.'
      : `Only an admin can do this, and nobody is one yet. Whoever runs Clew names them by id in \`ADMIN_USERS\`${own === '' ? '' : `; your id is \`${own}\``}.`,
  nobody: (name: string) =>
    `I keep nothing here about anyone called ${name}. You can also give their id.`,
  several: (name: string, ids: string) =>
    `Several people are called ${name}. Use the id to say which one: ${ids}`,
  nothing: (name: string) => `I keep nothing here about ${name}.`,
  kept: (name: string, id: string) => `What I keep here about ${name} (${id}):`,
  download: (workspace: string, person: string) =>
    `Developers can get it over the API: \`GET /api/privacy/${person}?workspace=${workspace}\`.`,
  wouldErase: (name: string) => `I’d erase this about ${name}:`,
  erased: (name: string) => `I’ve erased this about ${name}:`,
  unnamed: 'This belongs to the team and stays, without the author’s name:',
  atWork:
    'I couldn’t erase this yet, because a task is still using it. Erase again when that task has ended:',
  sure: (line: string) =>
    `I haven’t erased anything yet. To erase it for good, type ${line}, or press the button within ten minutes if you see one.`,
  eraseNow: (name: string) => `Erase ${name}’s data`,
  handover: {
    typedOnly: 'To hand things over, an admin has to type the command themselves.',
    same: (name: string) =>
      `Both of those are ${name}. Tell me who hands over, and who takes over.`,
    none: (name: string) => `${name} has nothing here to hand over.`,
    moved: (from: string, to: string) => `Handed over from ${from} to ${to}:`,
    kinds: {
      task: 'tasks that have not ended',
      schedule: 'schedules',
      approval: 'open approvals and questions',
      todo: 'to-dos',
    },
    own: (count: number) =>
      count === 1
        ? 'One to-do or schedule in their private list stays with them.'
        : `${count} to-dos and schedules in their private list stay with them.`,
    undo: (line: string, to: string) =>
      `To hand it back: ${line}. That also hands over what ${to} had before.`,
  },
  kinds: {
    message: 'messages to Clew and in its threads',
    overheard: 'messages not addressed to Clew',
    answer: 'answers to questions',
    task: 'tasks',
    file: 'files that tasks made',
    fact: 'facts',
    todo: 'to-dos',
    schedule: 'schedules',
    usage: 'daily usage numbers',
    quiet: 'quiet hours',
    approval: 'approvals that stay',
    sign_in: 'sign-ins at other services',
  },
}
