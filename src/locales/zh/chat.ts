import type { chat as English } from '../en/chat.ts'

/** 各聊天平台共用的词：按钮与任务进展。 */
export const chat: typeof English = {
  stop: '停止',
  continue: '继续',
  retry: '重试',
  status: {
    queued: '等待开始',
    running: '进行中',
    awaiting_clarification: '等待回答',
    paused: '已暂停',
    succeeded: '已完成',
    failed: '失败',
    canceled: '已停止',
  },
  added: (items) => `新增：${items.join('；')}`,
  dropped: (items) => `去掉：${items.join('；')}`,
}
