import type { approvals as en } from '../en/approvals.ts'

export const approvals: typeof en = {
  summary: '你在本频道长期批准过的事，以及怎样取消',
  usageNotes:
    '在批准按钮旁边点“以后都批准”，或者写“可以，到周五”，以后就不再为完全相同的事问你：同一个工具、同样的参数、同一个频道、同一个人提出。',
  onlyPeople: '批准只能由人来查看和取消。',
  title: '**本频道长期批准的**',
  none: '本频道没有长期批准的事。',
  past: '**已结束**',
  covers: (tool, asker, until) =>
    `${asker} 提出时，在本频道用 **${tool}** 做下面这件事，一字不差${until === null ? '' : `，到 ${until} 为止`}：`,
  by: (name) => `（由 ${name} 批准）`,
  used: (times) => (times === 0 ? '还没有用过。' : `用过 ${times} 次。`),
  endedBy: (name, at) => `${name} 于 ${at} 取消`,
  ranOut: (at) => `${at} 到期`,
  unknown: (number) => `本频道没有你可以取消的批准 #${number}。用 \`/approvals list\` 查看有哪些。`,
  revoked: (number, tool) => `已取消。以后这样用 **${tool}** 之前我会再问（#${number}）。`,
  kept: (what, number) =>
    `以后这件事我不再问。${what}\n\n想取消：\`/approvals revoke ${number}\`。`,
}
