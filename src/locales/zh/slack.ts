import type { slack as en } from '../en/slack.ts'
import { chat } from './chat.ts'

export const slack: typeof en = {
  ...chat,
  openThread: '打开对话',
  askedOf: (name) => `请 ${name} 或这里的任何人回答：可以选择，也可以直接回复。`,
  askedOfNobody: '这里的任何人都可以回答：可以选择，也可以直接回复。',
  askedForApproval: (name) => `只有 ${name} 或管理员可以回答。`,
  adminsOnly: '只有管理员可以回答。',
  chose: (name, answer) => `✅ ${name} 选择了 *${answer}*`,
  runId: (id) => `任务 ${id}`,
  planTitle: (title, done, total) => `${title}（${done}/${total}）`,
  cannotPostThere: (channel) =>
    `我已无法在 <#${channel}> 发言，所以直接发给你。如需我回去，请在频道里输入 \`/invite\`。`,
  reportFile: '完整报告文件',
  asks: (name, text) => `${name}：${text}`,
  taskStarted: '我已在这里为它开了一个对话。',
  taskUsage: '输入 `/task` 加上你的需求，例如 `/task 比较三个场地`。不写内容则列出你的任务。',
  noTasks: '你没有进行中的任务。',
  yourTasks: '你进行中的任务',
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
