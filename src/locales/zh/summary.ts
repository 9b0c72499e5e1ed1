import type { summary as English } from '../en/summary.ts'

/** 会话摘要的话。 */
export const summary: typeof English = {
  open: '未决事项',
  nothing: '本会话还没有可总结的内容。',
  wrote: (name, count) => `${name} ${count} 条`,
  digest: (count, from, until, people) =>
    `${from} 至 ${until} 共 ${count} 条消息：${people.join('，')}。没有可用的模型来概括内容。`,
}
