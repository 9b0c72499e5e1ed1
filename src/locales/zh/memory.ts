import type { memory as en } from '../en/memory.ts'

export const memory: typeof en = {
  summary: 'Clew 为你、本会话、本频道和团队记住的内容，以及怎样让它忘记',
  scopes: { me: '你', thread: '本会话', channel: '本频道', team: '团队' },
  holdsFor: {
    me: '只对提出的人有效',
    thread: '只在本会话有效',
    channel: '只在本频道有效',
    team: '对整个团队有效',
  },
  none: '这里还没有记下什么。想让我记一条，可以写 `/memory add 团建地点在杭州`。',
  hint: '忘记一条：`/memory forget <名称>`；恢复：`/memory restore <名称>`。',
  waiting: (until) => `待确认，${until} 前没人决定就不记`,
  onlyPeople: '记什么由你们决定，做任务时我只能提议和查看。',

  proposed: (fact, holds) => `要记住这一条吗（${holds}）？${fact}`,
  decideAbove: '上面的建议，同意了我就记住。',
  added: (fact) => `已记住：${fact}`,
  done: {
    proposed: (_, fact) => `已经提出来了，等人决定要不要记：${fact}`,
    added: (_, fact) => `已记住：${fact}`,
    accepted: (name, fact) => `${name} 同意了，已记住：${fact}`,
    rejected: (name, fact) => `${name} 说不用，这条就不记了：${fact}`,
    expired: (_, fact) => `一直没人决定，先不记了：${fact}`,
    revoked: (name, fact) => `按 ${name} 的要求忘记了：${fact}`,
    archived: (name, fact) => `按 ${name} 的要求归档了：${fact}`,
    restored: (name, fact) => `按 ${name} 的要求重新记住了：${fact}`,
  },
  wouldReplace: (before) => `会取代原来的“${before}”。`,
  replaced: (before) => `原来的“${before}”就不用了。`,
  offers: { accept: '记住', reject: '不用记', forget: '忘记它', restore: '撤销' },
  offersOf: {
    accept: (name, id) => `记住 ${name} 的第 ${id} 条`,
    reject: (name, id) => `不记 ${name} 的第 ${id} 条`,
    forget: (name, id) => `忘记 ${name} 的第 ${id} 条`,
    restore: (name, id) => `恢复 ${name} 的第 ${id} 条`,
  },
  notYours: '这是别人的个人记忆，只有本人能决定。',

  statuses: {
    pending: '等待决定',
    accepted: '已同意',
    rejected: '不用记',
    expired: '一直没人决定',
    active: '已记住',
    revoked: '已忘记',
    archived: '已归档',
  },
  source: {
    message: '来自会话中的一条消息。',
    run: '来自会话之外的一个任务。',
    person: '是有人在会话以外添加的。',
  },
  events: {
    proposed: (_) => '我提议',
    added: (name) => `${name} 添加`,
    accepted: (name) => `${name} 同意`,
    rejected: (name) => `${name} 说不用`,
    expired: (_) => '一直没人决定',
    revoked: (name) => `${name} 要求忘记`,
    archived: (name) => `${name} 归档`,
    restored: (name) => `${name} 恢复`,
  },
  diff: (before, after) => `“${before}”改为“${after}”`,

  refusals: {
    notFound: (name) => `这里没有叫 ${name} 的内容，可以用 \`/memory list\` 看看有哪些。`,
    known: (name) => `这一条已经有了：${name}。`,
    tooMany:
      '这里记满了（等人决定的也算），记不下新的。用 `/memory list` 看看，再用 `/memory forget` 腾点地方。',
    decided: (status, name) =>
      name === null ? '这条一直没人决定，已经过期了。' : `${name} 已经决定了：${status}。`,
    already: (name, status) => `${name} 已经是“${status}”了，不用再改。`,
    taken: (fact) => `它已经换成另一条了：${fact}`,
  },
  noOwner: {
    me: '我不知道这是谁提的，没法记到个人名下。可以用 `--scope channel`。',
    thread: '这里不是会话，没法记成只在会话里有效。可以用 `--scope channel`。',
    channel: '这里不是频道，没法记成只在频道里有效。可以用 `--scope me`。',
    team: '在私信里我不知道你指哪个团队。可以用 `--scope me`。',
  },
  errors: {
    no_text: '要记住的内容还没写。',
    too_long: (limit) => `太长了，最多 ${limit} 个字符。`,
  },
}
