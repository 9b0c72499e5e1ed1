import type { task as English } from '../en/task.ts'
import { page } from './page.ts'

/** `/task` 关于本会话任务的话。 */
export const task: typeof English = {
  summary: '本会话的任务：进度、问题、停止、重试、继续',
  listTitle: '本会话的任务',
  none: '本会话还没有任务。说明要做什么就会开始一个。',
  row: (number, title, status, steps) =>
    steps === null ? `- **#${number}** ${title} · ${status}` : `- **#${number}** ${title} · ${status} · ${steps}`,
  statuses: page.statuses,
  item: (text, mark) => `- ${{ done: '☑', current: '▶', open: '☐' }[mark]} ${text}`,
  retryOf: '再次尝试',
  asks: (question) => `问题：${question}`,
  result: '结果',
  noPlan: '这个任务没有计划。',
  noQuestions: '这里没有待回答的问题。',
  questionsTitle: '待回答的问题',
  notFound: (number) => `本会话没有任务 **#${number}**。\`/task list\` 可以列出全部。`,
  nothing: { cancel: '这里没有可停止的任务。', retry: '这里没有可重试的任务。', continue: '这里没有暂停的任务。' },
  errors: { bad_id: (typed) => `${typed} 不是任务的编号。` },
}
