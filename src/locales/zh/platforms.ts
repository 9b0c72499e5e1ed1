import type * as en from '../en/platforms.ts'
import { page } from './page.ts'

/** 各聊天平台共用的词：按钮与任务进展。 */
export const chat: typeof en.chat = {
  stop: '停止',
  continue: '继续',
  retry: '重试',
  callFile: '完整的调用内容',
  inPrivate: '可以选择，也可以直接回复。',
  approvers: (name) => `只有${name === null ? '管理员' : ` ${name} 或管理员`}可以回答。`,
  status: page.statuses,
  unanswered: {
    succeeded: '☑️ 不再需要回答：任务已完成。',
    failed: '⚠️ 不再需要回答：任务失败了。',
    canceled: '⏹️ 不再需要回答：任务已停止。',
  },
  added: (items) => `新增：${items.join('；')}`,
  dropped: (items) => `去掉：${items.join('；')}`,
}

export const slack: typeof en.slack = {
  ...chat,
  openThread: '打开对话',
  askedOf: (name) => `请 ${name} 或这里的任何人回答：可以选择，也可以直接回复。`,
  askedOfNobody: '这里的任何人都可以回答：可以选择，也可以直接回复。',
  chose: (name, answer) => `✅ ${name} 选择了 *${answer}*`,
  cannotPostThere: (channel) =>
    `我已无法在 <#${channel}> 发言，所以直接发给你。如需我回去，请在频道里输入 \`/invite\`。`,
  reportFile: '完整报告文件',
  asks: (name, text) => `${name}：${text}`,
  taskStarted: '我已在这里为它开了一个对话。',
  taskUsage: '输入 `/task` 加上你的需求，例如 `/task 比较三个场地`。不写内容则列出你的任务。',
  noTasks: '你没有进行中的任务。',
  inviteFirst: '我还不在这个频道。请先在这里输入 `/invite @Clew`，然后再试。',
  notInThread: '这只对我所在频道里的消息有效。',
  stopped: '已通知停止。',
  opened: '我会在那条消息的对话里处理。',
  welcome: (bot) =>
    `大家好，我是 Clew。提到我并说出需求，我就在对话里工作，计划随时可见。\n\n- \`@${bot} 查一下注册量为什么下降并写个总结\`\n- \`@${bot} 比较三个团建场地并订一个日期\`\n- \`@${bot} todo add 寄发票 --due 明天\`\n\n在我的对话里不用再提到我。输入 \`@${bot} help\` 查看全部功能。`,
  hello:
    '你好，我是 Clew。在这里写下需求，一件事一条消息：我在它的对话里回答，或者带着可见的计划开始工作。\n\n- `查一下注册量为什么下降并写个总结`\n- `比较三个团建场地并订一个日期`\n- `todo add 寄发票 --due 明天`\n\n输入 `help` 查看全部功能。在频道里，请邀请我并提到我。',
  home: {
    title: 'Clew',
    lead: '在频道里提到我，或在 *消息* 里写给我。',
    zone: (zone) => `你的时区：*${zone}*，来自你的 Slack 个人资料。`,
    readAgain: '重新读取',
    waiting: '等待你的回答',
    tasks: '你进行中的任务',
    none: '还没有。试试：查一下注册量为什么下降并写个总结。',
    todos: '你的待办',
    schedules: '你的日程',
    noTodos: '没有。在 *消息* 里输入 `todo add 寄发票 --due 明天` 即可添加。',
    noSchedules: '没有。在频道里输入 `/schedule add 每个工作日九点 今天有什么到期` 即可添加。',
    done: '完成',
    pause: '暂停',
    resume: '恢复',
    runNow: '立即运行',
  },
  installed: (team) => `Clew 已安装到 ${team}。可以关闭此窗口，然后在频道里提到 @Clew。`,
  installFailed: '安装没有成功，请从安装链接重新开始。',
}

export const discord: typeof en.discord = {
  ...chat,
  ownWords: '用自己的话回答',
  pick: '请选择',
  answerTitle: '你的回答',
  answerLabel: '用自己的话',
  byButton: '请用按钮回答；在这里直接回复不会传达到任务。',
  anyone: '可以直接选择，也可以回复。这里的任何人都可以回答。',
  chose: (name, answer) => `✅ ${name} 选择了 **${answer}**`,
  said: (name, answer) => `✅ ${name} 回答：${answer}`,
  planning: '正在制定计划',
  earlierItems: (count) => `……前面还有 ${count} 项`,
  moreItems: (count) => `……还有 ${count} 项`,
  wholeReport: '完整报告在文件里。',
  reportName: '报告.md',
  cannotPostThere: (place) => `我已经不能在 ${place} 里发言，所以发给你本人。管理员可以让我重新加入。`,
  notKept: '刚才没能保存，请稍后再试一次。',
  notYours: '这个已经不需要了。',
  asks: (name, text) => `**${name}**：${text}`,
  openedBelow: (link) => `我接手了，在一个新的子区里继续：${link}`,
  openedHere: '我接手了。',
  nowhere: '我无法在这里新建子区。请在文字频道或私信里找我。',
  told: { cancel: '已通知它停止。', continue: '已通知它继续。', retry: '正在重试。' },
  noTasks: '这里没有进行中的任务。',
  openTasks: '进行中的任务',
  noSuchCommand: '这个命令已经不存在了，Discord 稍后会显示最新的命令。',
  zoneKept: (zone, time) => `你的时区是 ${zone}，那里现在是 ${time}。`,
  zoneUnknown: (zone) => `我不认识时区“${zone}”。它的写法像 Asia/Shanghai。`,
  welcome: (mention) =>
    `你好！提到我并说出需要什么，我就会在一个子区里开始，计划你随时看得到：\n- ${mention} 比较三个团建场地\n- ${mention} 为新来的设计师安排第一周\n- ${mention} todo add 寄发票 --due 明天\n\n在我的子区里不用再提到我。\`/help\` 会显示全部功能。`,
}
