import type { chat as English } from '../en/chat.ts'
import { page } from './page.ts'

/** 各聊天平台共用的词：按钮与任务进展。 */
export const chat: typeof English = {
  stop: '停止',
  continue: '继续',
  retry: '重试',
  status: page.statuses,
  added: (items) => `新增：${items.join('；')}`,
  dropped: (items) => `去掉：${items.join('；')}`,
}
