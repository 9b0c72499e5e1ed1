import type { schedule as English } from '../en/schedule.ts'
import { page } from './page.ts'

const units = { week: '周', day: '天', hour: '小时', minute: '分钟' }

/** `/schedule`、它的闹钟和页面说的话。 */
export const schedule: typeof English = {
  summary: '到时自动开始的工作：一次、间隔或按规则，可带提醒',
  usageNotes:
    '时间写作 `2026-03-08 18:00` 或“明天上午9点”；规则写作“每个工作日九点”“每隔两小时”或 cron：`0 9 * * 1-5`。`--here` 发到本会话，`--note` 只提醒，`--quiet` 没有可报告的就不说，`--ping` 每次报告都 @ 你；`--no-here`、`--no-note`、`--no-quiet`、`--no-ping` 可以取消。它的任务默认不改动任何东西（`--mode safe`）；`--mode ask` 每次改动先请人批准，`--mode auto` 不再询问，`--allow` 只放开一个工具。`--strategy` 指定工作方式。',

  exampleRule: '每个工作日9点',
  exampleTitle: '发布今天到期的事项',
  exampleHours: '工作日9点到17点每小时',
  exampleLimits: '每个工作日9点直到12月31日',

  added: (item) => `已安排 ${item}`,
  willRemind: (item) => `到时候提醒你：${item}`,
  updated: (item) => `已更新 ${item}`,
  deleted: (item) => `已删除 ${item}`,
  paused: (item) => `已暂停 ${item}`,
  resumed: (item) => `已恢复 ${item}`,
  repeatsOn: (item) => `重复已打开：${item}`,
  repeatsOff: (item) => `重复已关闭，保留首次：${item}`,
  noRepeats: (item) => `它没有重复：${item}`,
  running: (item) => `现在额外执行一次：${item}`,
  codingIsPeoples: '只有人可以更改编程智能体的工作。',
  tasksArePeoples: '这里只有人可以安排任务；提醒（`--note`）可以。',
  grantLost: (id) =>
    `此前允许它直接更改内容，是别人允许的，或针对的是原来的内容，现在不再允许。可以由人再次允许：\`/schedule update ${id} --mode auto\` 或 \`--allow\`。`,
  notFound: (id) => `这里没有日程 **#${id}**。\`/schedule list\` 可以列出全部。`,

  once: (time) => `一次，${time}`,
  every: (count, unit) => `每${count === 1 ? '' : count}${units[unit]}`,
  from: (rule, time) => `${rule}，从 ${time} 起`,
  times: (rule, count) => `${rule}，共 ${count} 次`,
  atClock: (days, clocks) => `${days} ${clocks.join('、')}`,
  within: (rule, hours, days) =>
    `${days === null ? '' : `${days} `}${hours === null ? '' : `${hours.join('到')} `}${rule}`,
  minutesPast: (minutes, hours) => `${hours === '' ? '每小时' : `${hours} 点`}的第 ${minutes} 分`,
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
      return days[0] === '1W' ? '每月第一个工作日' : `每月离${days[0].slice(0, -1)}号最近的工作日`
    return `每月${days.map((day) => `${day}号`).join('、')}`
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
  noNext: '之后不再有了。',
  isPaused: '已暂停',
  repeatsHidden: '重复已关闭',
  duration: (minutes) => `${minutes} 分钟`,
  remind: (before) => `提前 ${before}提醒`,
  remindAtStart: '开始时提醒',
  span: (count, unit) => `${count} ${units[unit]}`,
  here: '发到它的会话',
  onlyNote: '只提醒',
  quiet: '有事才说',
  ping: '报告会 @ 建立者',
  allowed: (tools) => `可以使用 ${tools}`,
  modes: { ask: '改动前先询问', auto: '可以不经询问改动东西' },
  way: (name) => `工作方式 ${name}`,
  zoneNote: (zone) => `时间按 ${zone} 计。`,
  clockRule: (zone) =>
    `时间按 ${zone} 计。时钟拨快时，被跳过的时刻顺延（02:30 变成 03:30）；拨慢时，出现两次的时刻只在第一次执行一次。`,
  overlaps: '同一时间还有：',
  more: (count) => `……还有 ${count} 个`,

  listTitle: '日程',
  emptyList: (example) => `这里还没有日程。添加一个：${example}`,
  outside: (count) => `另有 ${count} 个不在这 31 天内。`,
  viewTitles: {
    day: (day) => `${day} 当天`,
    week: (day) => `${day} 这一周`,
    month: (month) => `${month} 这个月`,
  },
  emptyView: '这段时间没有安排。',
  viewGoesOn: (shown) => `只显示前 ${shown} 条；其余的请按天或按周查看。`,
  created: (time) => `创建于 ${time}`,

  dryTitle: (item) => `如果 ${item} 现在开始：`,
  dryRun: (goal) => `- 会开始一个任务，目标是“${goal}”。`,
  dryNote: (text) => `- 会发出“${text}”，不开始任务。`,
  dryNewThread: '- 它的第一个问题或报告会打开一个新的未读会话。',
  dryHere: '- 它的话会发到所属的会话。',
  drySeen: '- 能在那里阅读的人都会看到。',
  dryQuiet: '- 如果没有需要大家知道的事，它什么也不说。',
  dryTools: (tools) => `- 它可以用 ${tools} 改动东西。`,
  dryMode: {
    safe: '- 它只能查看，不能改动任何东西。',
    ask: '- 其他任何改动，它都会先在会话里请人批准。',
    auto: '- 它可以用自己的全部工具改动东西，不再询问。',
  },
  dryWay: (name) => `- 工作方式是 ${name}。`,
  dryHeld: {
    paused: '- 但它已暂停：不会开始。',
    still_running: '- 但上一次还在进行：会跳过。',
    still_asking: '- 但上一次还在等回答：会跳过。',
  },
  onlyPeople: '无人看管的工作可以查看日程，但不能改动。',
  nothingToReport: '没有需要报告的内容。',
  dryNothing: '没有开始任何任务。',

  slotsTitle: (item) => `${item} 的记录`,
  noSlots: '还没有到过时间。',
  outcomes: page.schedules.outcomes,
  placeGone: (id) =>
    `**日程 #${id} 已暂停**：它发布到的地方已不存在，或者 Clew 已被移出。等 Clew 能再次在那里发布后恢复它，或在别处重新安排。`,
  ownerGone: (id, title, owner) =>
    `**日程 #${id}（${title}）已暂停**：它的所有者 ${owner} 已离开。管理员可以用 \`/privacy handover\` 转交，或者谁用 \`/schedule resume ${id}\` 恢复它，就由谁接手。`,
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
    no_id: () => '哪一个日程？缺少编号。',
    bad_id: (typed) => `${typed} 不是日程的编号。`,
    too_long: (limit) => `太长了；日程的内容最多 ${limit} 个字符。`,
  },
}
