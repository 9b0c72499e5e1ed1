import type { auditPage as en } from '../en/audit-page.ts'

export const auditPage: typeof en = {
  title: '记录',
  lead: 'Clew 在外部做了什么，人们改动了它保存的哪些内容，最新的在前。这是记录，不是证明；手册说明它能防谁。',
  person: '人',
  everybody: '所有人',
  thread: '会话',
  everywhere: '所有会话',
  none: '还没有记录。',
  noneFound: '在查看过的最近记录中，没有符合条件的。',
  download: '下载全部',
  open: '打开会话',
}
