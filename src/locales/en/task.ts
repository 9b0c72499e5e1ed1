import { page } from './page.ts'

/** What `/task` says about the tasks of a thread. */
export const task = {
  summary: 'the tasks of this thread: what they do, what they ask, stop, retry, continue',
  listTitle: 'Tasks of this thread',
  none: 'No task was started in this thread yet. Say what is to be done, and one begins.',
  row: (number: number, title: string, status: string, steps: string | null) =>
    steps === null ? `- **#${number}** ${title} · ${status}` : `- **#${number}** ${title} · ${status} · ${steps}`,
  statuses: page.statuses,
  item: (text: string, mark: 'done' | 'current' | 'open') =>
    `- ${{ done: '☑', current: '▶', open: '☐' }[mark]} ${text}`,
  retryOf: 'a second try',
  asks: (question: string) => `Asks: ${question}`,
  result: 'Result',
  noPlan: 'This task has no plan.',
  noQuestions: 'No question is open here.',
  questionsTitle: 'Open questions',
  notFound: (number: number) =>
    `There is no task **#${number}** in this thread. \`/task list\` shows the ones there are.`,
  nothing: {
    cancel: 'There is no task to stop here.',
    retry: 'There is no task to try again here.',
    continue: 'No task is paused here.',
  },
  errors: { bad_id: (typed: string) => `${typed} is not the number of a task.` },
}
