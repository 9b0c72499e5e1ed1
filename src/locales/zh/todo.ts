import type { todo as en } from '../en/todo.ts'

export const todo: typeof en = {
  summary: '本频道的待办：标签、优先级、截止时间和提醒',
  viewSummary: '今天到期、已逾期、即将到期或尚未安排的待办',
  usageNotes:
    '时间可以写成 `2026-03-08 18:00`、`2026-03-08`，或者 `明天上午9点` 这样的说法；`none` 表示去掉。优先级 0 排在最前。设置提醒需要先有截止时间；截止时间改了，提醒也跟着移动。',

  added: (item) => `已添加 ${item}`,
  updated: (item) => `已更新 ${item}`,
  done: (item) => `已完成 ${item}`,
  putBack: '恢复',
  deleted: (item) => `已删除 ${item}`,
  notFound: (id) => `这里没有待办 **#${id}**。用 \`/todo list\` 查看现有的待办。`,
  onlyPeople: '无人看管的工作可以查看待办，但不能改动。',
  movesTooEarly: (time) => `提醒会随截止时间一起移动，新的提醒时间是 ${time}，已经过了。`,
  remindNeedsDue: (id) => `待办 **#${id}** 没有截止时间，设置提醒需要先有截止时间。`,

  due: (time) => `截止 ${time}`,
  overdue: (time) => `**已逾期**，截止 ${time}`,
  remind: (time) => `提醒 ${time}`,
  finished: (time) => `完成于 ${time}`,
  priority: (priority) => `优先级 ${priority}`,
  created: (time) => `创建于 ${time}`,

  counts: (open, done) => (done === 0 ? `${open} 项未完成` : `${open} 项未完成，${done} 项已完成`),
  listTitle: '待办',
  foundTitle: (words) => `包含“${words}”的待办`,
  tagged: (tag) => `标签 ${tag}`,
  more: (count) => `……还有 ${count} 项。可以缩小范围：\`/todo list --tag …\`、\`/todo search …\``,
  viewsTitle: '视图',
  views: {
    all: { title: '全部待办', about: '所有待办，包括已完成的' },
    today: { title: '今天到期', about: '今天到期且未完成' },
    overdue: { title: '已逾期', about: '已过截止时间且未完成' },
    upcoming: { title: '即将到期', about: '今天之后七天内到期且未完成' },
    inbox: { title: '尚未安排', about: '没有截止时间且未完成' },
  },

  emptyTag: (tag, known) => `没有标签为 ${tag} 的待办。现有标签：${known}`,
  meantView: (view) => `查看视图：\`/todo list --view ${view}\``,
  emptySearch: (words) => `没有包含“${words}”的待办。用 \`/todo list\` 查看全部。`,
  emptyView: {
    all: '这里还没有待办。添加一个：`/todo add 给安娜打电话 --due 明天上午9点`',
    today: '今天没有到期的待办。用 `/view upcoming` 查看接下来的。',
    overdue: '没有逾期的待办。',
    upcoming: '未来七天没有到期的待办。用 `/view inbox` 查看尚未安排的。',
    inbox: '每个未完成的待办都有截止时间。',
  },

  errors: {
    no_id: () => '哪一项待办？缺少编号。',
    bad_id: (typed) => `${typed} 不是待办的编号。`,
    too_long: (limit) => `太长了，待办或关键词最多 ${limit} 个字符。`,
  },
}
