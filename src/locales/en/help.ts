/** What is said about commands in general. */
export const help = {
  summary: 'what Clew can be told directly',
  title: 'Commands',
  intro: 'These work at once and without a model. In a thread write `@Clew /todo …` or `!todo …`.',
  footer: 'More about one of them: `/help todo`',
  otherwise: 'Anything else you write is answered or taken on as a task.',
  /** Directly before an example that works. */
  tryThis: 'Try: ',
  unknown: (typed: string) => `There is no command ${typed}.`,
  known: (names: string) => `The commands are ${names}; \`/help\` explains them.`,
}
