import type { coding as en } from '../en/coding.ts'

export const coding: typeof en = {
  verdict: {
    next: (step, total, title, evidence) => `✔ 第 ${step}/${total} 步“${title}”：完成。${evidence}`,
    retry: (step, total, title, evidence) => `↻ 第 ${step}/${total} 步“${title}”：还没有做好，再做一次。${evidence}`,
    replan: (step, total, title, evidence) => `⇄ 第 ${step}/${total} 步“${title}”：计划需要调整。${evidence}`,
    abort: (step, total, title, evidence) => `✖ 第 ${step}/${total} 步“${title}”：任务在此终止。${evidence}`,
  },
  stuck: (step, why) =>
    `“${step}”失败了，我自己无法继续${why === null ? '' : `（${why}）`}。跳过、终止，还是换一种做法？请直接说明。`,
  stuckChoices: ['跳过这一步', '终止任务'],
  stuckWords: { skip: ['跳过'], stop: ['终止', '放弃'] },
}
