import { chat } from './chat.ts'

/** What people see only in Discord: buttons, commands, and why something could not be shown. */
export const discord = {
  ...chat,
  ownWords: 'Answer in my own words',
  pick: 'Choose an answer',
  answerTitle: 'Your answer',
  answerLabel: 'In your own words',
  byButton: 'Answer with a button; a reply in these messages does not reach the task.',
  anyone: 'Choose, or simply reply. Anyone here may answer.',
  adminsOnly: 'Only an admin can answer this.',
  onlyOwner: (name: string) => `Only ${name} or an admin can answer this.`,
  chose: (name: string, answer: string) => `✅ ${name} chose **${answer}**`,
  said: (name: string, answer: string) => `✅ ${name} answered: ${answer}`,
  acting: (tool: string) => `Using ${tool}`,
  thinking: 'Thinking about the next step',
  planning: 'Making a plan',
  retrying: 'The last attempt did not work; trying again',
  earlierItems: (count: number) => `… ${count} before`,
  moreItems: (count: number) => `… and ${count} more`,
  wholeReport: 'The whole report is in the file.',
  reportName: 'report.md',
  cannotPostThere: (place: string) =>
    `I can no longer write in ${place}, so this comes to you here. An admin can let me back in there.`,
  notKept: 'That could not be kept just now. Please try it again in a moment.',
  notYours: 'That is not open any more.',
  asks: (name: string, text: string) => `**${name}**: ${text}`,
  openedBelow: 'I take it from here, in a thread.',
  nowhere: 'I cannot open a thread here. Write to me in a text channel, or in a direct message.',
  told: { cancel: 'Told it to stop.', continue: 'Told it to go on.', retry: 'It is tried again.' },
  noTasks: 'No task is open here.',
  openTasks: 'Open tasks',
  noSuchCommand: 'This command is not there any more. Discord will offer the current ones in a moment.',
  zoneKept: (zone: string, time: string) => `Your time zone is ${zone}; it is ${time} there now.`,
  zoneUnknown: (zone: string) => `I do not know the time zone “${zone}”. It is written like Europe/Lisbon.`,
  welcome: (mention: string) =>
    `Hello! Mention me with what you need, and I work on it in a thread, with a plan that you can watch:\n- ${mention} compare these three venues for the offsite\n- ${mention} plan the first week of our new designer\n- ${mention} todo add send the invoice --due tomorrow\n\nIn my threads you need not mention me. \`/help\` shows everything.`,
}
