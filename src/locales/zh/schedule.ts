import type { schedule as English } from '../en/schedule.ts'
import { page } from './page.ts'
import { dayName, zoneName } from './zone.ts'

const units = { week: '周', day: '天', hour: '小时', minute: '分钟' }

/** `/schedule`、它的闹钟和页面说的话。 */
export const schedule: typeof English = {
  summary: '定时要做的事：只做一次，或者重复做，可以带提醒',
  usageNotes:
    '时间写成 `2026-03-08 18:00` 或“明天上午 9 点”；规则写成“每个工作日九点”“每隔两小时”或 cron：`0 9 * * 1-5`。\n`--here`：发到本会话\n`--note`：只提醒\n`--quiet`：没有要报告的就不发\n`--ping`：每次报告都 @你\n`--no-here`、`--no-note`、`--no-quiet`、`--no-ping`：取消对应的设置\n`--mode`：`safe` 不做改动，`ask` 每次改动前先问，`auto` 可以直接改动，不再询问\n`--allow`：用某个工具时不用问\n`--strategy`：工作方式\n`--event 名称`：由该来源的事件触发（`reaction:📌`、`channel`、`bot:名字`、`folder:名字` 或外部服务），不按时间；加 `--match` 只处理符合条件的事件',

  exampleRule: '每个工作日9点',
  exampleTitle: '发一下今天到期的事项',
  exampleHours: '工作日9点到17点每小时',
  exampleLimits: '每个工作日9点直到12月31日',

  added: (item) => `已安排 ${item}`,
  willRemind: (item) => `到时候提醒你：${item}`,
  updated: (item) => `已更新 ${item}`,
  deleted: (item) => `已删除 ${item}`,
  paused: (item) => `已暂停 ${item}`,
  resumed: (item) => `已恢复 ${item}`,
  repeatsOn: (item) => `已改成重复：${item}`,
  repeatsOff: (item) => `已改成不重复，只做第一次：${item}`,
  noRepeats: (item) => `它本来就不重复：${item}`,
  running: (item) => `现在先多做一次：${item}`,
  codingIsPeoples: '编程智能体的任务我不能改，麻烦你来改。',
  tasksArePeoples:
    '我不能在这里给自己排任务，请你自己输入 `/schedule add …`；提醒（`--note`）我可以设。',
  grantLost: (id) =>
    `这个日程改过了，之前“不用问、直接改”的授权已失效。需要的话请重新授权：\`/schedule update ${id} --mode auto\` 或 \`--allow\`。`,
  notFound: (id) => `这里没有日程 **#${id}**，用 \`/schedule list\` 看看有哪些。`,

  events: {
    hook: (name) => `${name} 的每个事件`,
    reaction: (sign) => `每个 ${sign} 表情回应`,
    channel: () => '这里的每条消息',
    bot: (name) => `机器人 ${name} 的每条消息`,
    folder: (name) => `${name} 里的每个新文件`,
  },
  onEvent: (what, conditions) =>
    `${what}${conditions.length === 0 ? '' : `（${conditions.join('，')}）`}`,
  eventNext: {
    hook: (name) => `事件发到 \`POST /hooks/${name}\`。`,
    reaction: '每条消息只处理一次，我会在那条消息下面回复。',
    channel: '我会在每条消息下面回复。消息下面的回复不算。',
    bot: '我会在每条消息下面回复。机器人在消息下面的回复、对我说的话，以及我回答后一分钟内说的话不算。',
    folder: '我每半分钟看一次有没有新文件。',
  },
  passed: (count) => `${count} 个事件不符合条件。`,
  once: (time) => `一次，${time}`,
  every: (count, unit) => `每${count === 1 ? '' : ` ${count} `}${units[unit]}`,
  from: (rule, time) => `${rule}，从 ${time} 起`,
  times: (rule, count) => `${rule}，共 ${count} 次`,
  atClock: (days, clocks) => `${days} ${clocks.join('、')}`,
  within: (rule, hours, days) =>
    `${days === null ? '' : `${days} `}${hours === null ? '' : `${hours.join(' 到 ')} `}${rule}`,
  minutesPast: (minutes, hours) =>
    minutes === null
      ? `${hours === null ? '' : `${hours.map((hour) => `${hour}:00 到 ${hour}:59`).join('、')} `}每分钟`
      : `${hours === null ? '每小时第' : `${hours.join('、')} 点的`} ${minutes.join('、')} 分`,
  daily: '每天',
  weekdays: '每个工作日',
  weekends: '每个周六和周日',
  onDays: (names) => `每${names.join('、')}`,
  dayNames: ['周日', '周一', '周二', '周三', '周四', '周五', '周六'],
  nthDay: (which, name) =>
    `每月${which === 'L' ? '最后一' : `第${'一二三四五'[Number(which) - 1]}`}个${name}`,
  monthly: (days) => {
    if (days[0] === 'L') return '每月最后一天'
    if (days[0] === 'LW') return '每月最后一个工作日'
    if (days[0]?.endsWith('W'))
      return days[0] === '1W' ? '每月第一个工作日' : `每月离 ${days[0].slice(0, -1)} 号最近的工作日`
    return `每月 ${days.join('、')} 号`
  },
  either: (first, second) => `${first}，以及${second}`,
  inMonths: (days, names) =>
    days.startsWith('每月')
      ? `每年${names.join('、')}${days.slice(2)}`
      : `${names.join('、')}的${days}`,
  together: (rules) => rules.join('，以及'),
  hourly: '每小时',
  starting: (rule, time) => `${rule}，从 ${time} 起`,
  until: (rule, time) => `${rule}，到 ${time} 为止`,

  next: (times) => `接下来：${times}`,
  nextPaused: '暂停期间不会执行。',
  noNext: '以后没有安排了。',
  isPaused: '已暂停',
  repeatsHidden: '不重复',
  duration: (minutes) => `${minutes} 分钟`,
  remind: (before) => `提前 ${before}提醒`,
  remindAtStart: '开始时提醒',
  span: (count, unit) => `${count} ${units[unit]}`,
  here: '发到它的会话',
  onlyNote: '只提醒',
  quiet: '有事才说',
  ping: '每次报告都 @负责人',
  allowed: (tools) => `用 ${tools.join('、')} 不用再问`,
  modes: { ask: '改动前先询问', auto: '可以直接改动，不再询问' },
  way: (name) => `工作方式：${name}`,
  zoneNote: (zone) => `规则按${zoneName(zone)}算。`,
  clockRule: (zone) =>
    `规则按${zoneName(zone)}算。遇到夏令时调钟，被跳过的时间往后推（02:30 变成 03:30），出现两次的时间只算第一次。`,
  overlaps: '同一时间还有：',
  more: (count) => `……还有 ${count} 个`,

  listTitle: '日程',
  emptyList: (example) => `这里还没有日程，每个频道的日程是分开的。添加一个：${example}`,
  outside: (count) => `另有 ${count} 个日程不在这 31 天里。`,
  dayTitle: (day) => dayName(day),
  viewTitles: {
    day: (day) => `${day} 当天`,
    week: (day) => `${day} 这一周`,
    month: (month) => month,
  },
  emptyView: '这段时间没有安排。',
  viewGoesOn: (shown) => `只显示前 ${shown} 条；其余的请按天或按周查看。`,
  created: (time) => `创建于 ${time}`,

  dryTitle: (item) => `如果 ${item} 现在开始：`,
  dryRun: (goal) => `- 会开始做“${goal}”。`,
  dryNote: (text) => `- 只会发一句“${text}”，不做别的。`,
  dryNewThread: '- 第一次提问或报告时会新开一个会话（显示为未读）。',
  dryHere: '- 内容会发到它自己的会话里。',
  drySeen: '- 那里的人都能看到。',
  dryQuiet: '- 没有什么可说的，就什么也不发。',
  dryTools: (tools) => `- 用 ${tools.join('、')} 不会再问。`,
  dryMode: {
    safe: '- 只能查看，不能做改动。',
    ask: '- 其他改动都会先在会话里请人批准。',
    auto: '- 可以用全部工具直接改动，不再询问。',
  },
  dryWay: (name) => `- 工作方式：${name}。`,
  dryHeld: {
    paused: '- 但它已暂停：不会开始。',
    still_running: '- 但上一次还在进行：会跳过。',
    still_asking: '- 但上一次还在等回答：会跳过。',
  },
  onlyPeople: '按日程做事时，我只能查看日程。要改的话，麻烦你来改。',
  nothingToReport: '没有要报告的。',
  dryNothing: '这只是预览，什么都没开始做。',

  slotsTitle: (item) => `${item} 的记录`,
  noSlots: '还没有执行过。',
  outcomes: page.schedules.outcomes,
  placeGone: (id) =>
    `**日程 #${id} 已暂停**：要发到的地方已经没有了，或者我被移出了。等我能在那里发消息了，再恢复它；也可以换个地方重新安排。`,
  ownerGone: (id, title, owner) =>
    `**日程 #${id}（${title}）已暂停**：负责人 ${owner} 已离开。管理员可以用 \`/privacy handover\` 转交；谁用 \`/schedule resume ${id}\` 恢复它，它就归谁。`,
  reasons: page.schedules.reasons,
  slotRow: (time, outcome, reason) =>
    reason === null ? `- ${time}：${outcome}` : `- ${time}：${outcome}（${reason}）`,
  slotMany: (from, until, count) =>
    `${from} 至 ${until}，${count === null ? '超过 2000' : count} 次`,

  reminderTitle: (text) => `提醒：${text}`,
  todoReminder: (id, text, due) =>
    due === null
      ? `⏰ 提醒：${text}（待办 #${id}）`
      : `⏰ 提醒：${text}（待办 #${id}，${due} 到期）`,
  scheduleReminder: (id, text, time) => `⏰ 提醒：${text}（日程 #${id}，${time}）`,
  note: (text, time) => `⏰ ${text}（${time}）`,

  errors: {
    no_id: '哪个日程？请写上编号。',
    bad_id: (typed) => `${typed} 不是日程的编号。`,
    too_long: (limit) => `太长了，最多 ${limit} 个字符。`,
  },
}
