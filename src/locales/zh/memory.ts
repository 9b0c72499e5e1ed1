import type { memory as en } from '../en/memory.ts'

export const memory: typeof en = {
  summary: 'Clew 为你、本会话、本频道和团队记住的内容，以及怎样让它忘记',
  scopes: { me: '你', thread: '本会话', channel: '本频道', team: '团队' },
  holdsFor: { me: '为提出的人', thread: '为本会话', channel: '为本频道', team: '为整个团队' },
  none: '这里还没有记住任何内容。可以用 `/memory add 团建地点在里斯本` 添加。',
  hint: '`/memory forget <名称>` 忘记一条；`/memory restore <名称>` 再次记住。',
  waiting: (until) => `提议中，${until} 前有效`,
  onlyPeople: '记住什么只由人决定；任务可以提议和查看。',

  proposed: (fact, holds) => `要${holds}记住这一条吗？${fact}`,
  added: (fact) => `已记住：${fact}`,
  done: {
    proposed: (_, fact) => `已提议：${fact}`,
    added: (_, fact) => `已记住：${fact}`,
    accepted: (name, fact) => `${name} 同意了，已记住：${fact}`,
    rejected: (name, fact) => `${name} 拒绝了，不记住 ${fact}`,
    expired: (_, fact) => `没有人在规定时间内决定：${fact}`,
    revoked: (name, fact) => `按 ${name} 的要求已忘记：${fact}`,
    archived: (name, fact) => `按 ${name} 的要求已归档：${fact}`,
    restored: (name, fact) => `按 ${name} 的要求重新记住：${fact}`,
  },
  replaced: (before) => `它取代了“${before}”。`,
  offers: { accept: '记住', reject: '不用', forget: '忘记它', restore: '撤销' },
  offersOf: {
    accept: (name, id) => `同意${name}的事实 ${id}`,
    reject: (name, id) => `不要${name}的事实 ${id}`,
    forget: (name, id) => `忘记${name}的事实 ${id}`,
    restore: (name, id) => `恢复${name}的事实 ${id}`,
  },
  notYours: '这是别人自己的事实，只有本人可以决定。',

  statuses: {
    pending: '等待决定',
    accepted: '已同意',
    rejected: '已拒绝',
    expired: '没有在规定时间内决定',
    active: '已记住',
    revoked: '已忘记',
    archived: '已归档',
  },
  source: {
    message: '来自会话中的一条消息。',
    run: '来自没有人在会话中要求的工作。',
    person: '有人在会话之外写下的。',
  },
  events: {
    proposed: (_) => 'Clew 提议',
    added: (name) => `${name} 写下`,
    accepted: (name) => `${name} 同意`,
    rejected: (name) => `${name} 拒绝`,
    expired: (_) => '没有人在规定时间内决定',
    revoked: (name) => `${name} 要求忘记`,
    archived: (name) => `${name} 归档`,
    restored: (name) => `${name} 恢复`,
  },
  diff: (before, after) => `“${before}”改为“${after}”`,

  refusals: {
    notFound: (name) => `这里没有 ${name}。用 \`/memory list\` 查看现有内容。`,
    known: (name) => `这一条已经有了：${name}。`,
    tooMany: '这里等待决定或已记住的内容太多了。`/memory list` 查看，`/memory forget` 腾出位置。',
    decided: (status, name) =>
      name === null ? `已经有结果了：${status}。` : `${name} 已经决定了：${status}。`,
    already: (name, status) => `${name} 的状态已经是：${status}。`,
    taken: (fact) => `它已被另一条取代：${fact}`,
  },
  noOwner: {
    me: '这不是由某个人要求的，所以无法为某个人记住。',
    thread: '这不是在会话中说的，所以无法为会话记住。可以用 `--scope channel`。',
    channel: '这里没有频道。',
    team: '私信不属于任何团队。可以用 `--scope me`。',
  },
  errors: {
    no_text: () => '缺少要记住的内容。',
    too_long: (limit) => `太长了，一条内容最多 ${limit} 个字符。`,
  },
}
