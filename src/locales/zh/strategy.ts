import type { strategy as en } from '../en/strategy.ts'

export const strategy: typeof en = {
  summary: '本话题的任务今后以什么方式进行',
  errors: {
    no_choice: () => '用哪种方式？可选 step、batch、free、auto。',
    bad_strategy: (typed) => `没有叫 ${typed} 的工作方式。`,
  },
  noThread: '这不是在话题中说的，所以无法为话题设定。',
  settled: {
    step: '本话题的任务今后一步一步进行。',
    batch: '本话题的任务今后快速分轮进行。',
    free: '本话题的任务今后自由进行，并跟踪计划。',
    coding: '本话题的任务今后交给编程代理。',
    auto: '本话题的每个任务由我选择工作方式。',
    default: '本话题的任务恢复按设置进行。',
  },
}
