import type { todo as en } from '../en/todo.ts'
import { dayName } from './zone.ts'

const either = (words: readonly string[]) => words.map((word) => `“${word}”`).join('或')
const every = (words: readonly string[]) => words.map((word) => `“${word}”`).join('和')

export const todo: typeof en = {
  summary: '本频道的待办：标签、优先级、截止时间和提醒',
  viewSummary: '今天到期、已逾期、快到期或还没安排的待办',
  usageNotes:
    '时间可以写成 `2026-03-08 18:00`、`2026-03-08`，或者 `明天上午 9 点` 这样的说法；`none` 去掉时间、标签或负责人。\n几项待办写成 `3,5,7-9`；`add` 后面一行一项。\n优先级 0 排在最前。要设提醒，请先设截止时间；截止时间改了，提醒也跟着改。',

  counted: (done, all) => (done === all ? `${all} 项待办：` : `${all} 项里处理了 ${done} 项：`),
  twin: (id) => `**#${id}** 写的是同一件事，还没完成。`,
  owner: (name) => `负责人 ${name}`,
  nobodyAsks: '我不知道这里的“我”是谁，请写名字。',
  nobodyCalled: (name) =>
    `这里没有人叫 ${name}。待办可以交给在这里发过言的人，也可以写 \`me\` 或 \`none\`；其他名字请写进内容里。`,
  severalCalled: (name, people) => `有好几个人叫 ${name}：${people}。请写 ID 说明是哪一位。`,
  emptyOwner: (name) =>
    name === null ? '这里的每项待办都有负责人。' : `这里没有 ${name} 负责的待办。`,
  added: (item) => `已添加 ${item}`,
  updated: (item) => `已更新 ${item}`,
  done: (item) => `已完成 ${item}`,
  putBack: '重新打开',
  deleted: (item) => `已删除 ${item}`,
  notFound: (id) => `这里没有待办 **#${id}**，用 \`/todo list\` 看看有哪些。`,
  onlyPeople: '按日程做事时，我只能查看待办。要改的话，麻烦你来改。',
  movesTooEarly: (time) =>
    `没有改：提醒会跟着改到 ${time}，这个时间已经过了。请同时给一个新的提醒时间。`,
  remindNeedsDue: (id) => `待办 **#${id}** 没有截止时间，请先设截止时间再设提醒。`,

  day: (day, isThisYear) => dayName(day, isThisYear),
  due: (time) => `截止 ${time}`,
  overdue: (time) => `**已逾期**，截止 ${time}`,
  remind: (time) => `提醒 ${time}`,
  finished: (time) => `完成于 ${time}`,
  priority: (priority) => `优先级 ${priority}`,
  created: (time) => `创建于 ${time}`,

  counts: (open, done) => (done === 0 ? `${open} 项未完成` : `${open} 项未完成，${done} 项已完成`),
  listTitle: '待办',
  foundTitle: (words) => `包含${every(words)}的待办`,
  tagged: (tag) => `标签 ${tag}`,
  more: (count) => `……还有 ${count} 项。可以缩小范围：\`/todo list --tag …\`、\`/todo search …\``,
  viewsTitle: '视图',
  views: {
    all: { title: '全部待办', about: '所有待办，包括已完成的' },
    due: { title: '到期与逾期', about: '今天或更早到期，还没完成' },
    mine: { title: '我的待办', about: '你负责的，还没完成' },
    today: { title: '今天到期', about: '今天到期，还没完成' },
    overdue: { title: '已逾期', about: '过了截止时间，还没完成' },
    upcoming: { title: '即将到期', about: '今天以后七天内到期，还没完成' },
    inbox: { title: '还没安排', about: '没有截止时间，还没完成' },
  },

  emptyTag: (tag, known) => `没有带 ${tag} 标签的待办。已有的标签：${known}`,
  meantView: (view) => `查看视图：\`/todo list --view ${view}\``,
  emptySearch: (words, nowhere) =>
    `没有包含${every(words)}的待办。${nowhere.length === 0 || words.length === 1 ? '' : `没有一项待办提到${either(nowhere)}。`}用 \`/todo list\` 查看全部。`,
  emptyView: {
    all: '这里还没有待办。添加一项：`/todo add 给小王打电话 --due 明天上午 9 点`',
    due: '没有到期或逾期的待办。用 `/view upcoming` 查看接下来的。',
    mine: '你没有未完成的待办。想认领一项，可以写 `/todo update 3 --owner me`。',
    today: '今天没有到期的待办。用 `/view upcoming` 查看接下来的。',
    overdue: '没有逾期的待办。',
    upcoming: '未来七天没有到期的待办。用 `/view inbox` 查看还没安排的。',
    inbox: '未完成的待办都有截止时间。',
  },

  errors: {
    no_id: '哪项待办？请写上编号。',
    bad_id: (typed) => `${typed} 不是待办的编号。`,
    too_long: (limit) => `太长了，最多 ${limit} 个字符。`,
  },
}
