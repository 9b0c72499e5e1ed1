import type { Language } from './language.ts'

const viewNames: Readonly<Record<string, string>> = {
  today: '今天到期的待办',
  overdue: '逾期的待办',
}

export const chinese: Language = {
  scenarios: [
    {
      has: [/^(?:比较|对比)(?:一下)?(?:这|那|各|几|些|个|处|家|所有|两|三|四|五|\d)*场地/],
      tag: '团建',
      question: { text: '哪个城市？', choices: ['上海', '杭州', '成都'] },
      notes: ['比较场地', '为团建预订日期'],
    },
    {
      has: [
        /^(?:[为给].+)?(?:计划|安排|制定)/,
        /入职|第一[周天]/,
        /新(?:来|入职)?的?(?:同事|员工|成员|人|设计师|工程师)/,
      ],
      tag: '入职',
      question: { text: '什么时候开始？', choices: ['下周一', '下个月一号'] },
      notes: ['准备账号和电脑', '逐日安排第一周'],
    },
    {
      has: [/为什么|为何/, /注册量/, /降|跌|下滑|减少|变少/],
      tag: '注册量',
      question: { text: '从什么时候开始？', choices: ['本周', '本月', '今年'] },
      notes: ['收集注册数据', '询问下降之前改动了什么'],
    },
  ],
  connects: {
    has: [/slack|discord|模型|openai|api key|密钥|ollama/, /连|接|设置|配置|安装|添加/],
    only: /连接|接入|设置|配置|安装|添加|使用|如何|怎么|怎样|哪里|哪儿|一下|一个|这个|本地|语言模型|模型|密钥|令牌|机器人|应用|工作区|服务器|clew|slack|discord|openai|ollama|api key|token|[连接用我你们想要能把将给在里到上的和与或大吗呢]/g,
  },
  manual: {
    slack:
      '在 `api.slack.com/apps` 用 `docs/slack-manifest.json` 创建应用，在 `.env` 里设置 `SLACK_APP_TOKEN` 和 `SLACK_BOT_TOKEN`，重新启动 Clew，再在频道里输入 `/invite @Clew`。`npm run doctor` 会检查设置；手册是 `docs/slack.md`。',
    discord:
      '在 `discord.com/developers/applications` 创建应用，打开 *Message Content Intent*，在 `.env` 里设置 `DISCORD_TOKEN`，然后重新启动 Clew。`npm run doctor` 会检查设置并给出邀请链接；手册是 `docs/discord.md`。',
    model:
      '在 `.env` 里设置 `OPENAI_API_KEY`，或者用 `OPENAI_BASE_URL` 指定任何兼容的接口（例如本机的模型），然后重新启动 Clew。`OPENAI_MODEL` 是模型的名称；全部设置见 `.env.example`，说明见 `README.md`。',
  },
  greetings: ['你好', '您好', '嗨', '你好clew', '帮助', '你能做什么', '你会做什么', '你是谁'],
  addTodos:
    /^把(.+?)(?:加入|加到|添加到|放进|放到)(?:我的|我们的)?待办(?:清单|列表|事项)?[里中]?(?:[。！]?$|，)/u,
  separators: /、|，|以及|和/,
  showTodos: {
    has: [/列出|显示|查看|看看|发布|发一下|有什么|有哪些/, /待办|到期|逾期/],
    only: /列出|显示|查看|看看|发布|发一下|什么|哪些|待办|到期|逾期|事项|清单|列表|今天|明天|本周|现在|还有|所有|全部|一下|已经|[我们的有都把了吗呢]/g,
  },
  views: { 逾期: 'overdue', 今天: 'today' },
  rule: /^每[每个隔天日号工作周星期月年小时分钟刻早晨晚上中下午底末最后第一二两三四五六七八九十零半点整在的到至和\s\d:：，,、]+/u,
  reminds:
    /^在?(?:(?:今|明|后)[天早晚]|下?个?(?:周|星期)[一二三四五六日天])?[早晨晚上中下午一二两三四五六七八九十零半点整在\s\d:：，,]*提醒(?:我|大家|团队)/u,
  times:
    /[今明后][天早晚]|下个?月|周[一二三四五六日]|星期[一二三四五六日天]|每[天周月年个]|\d|[^第][一二两三四五六七八九十]点|小时后|分钟后/u,
  codes: {
    has: [/^(?:修复|实现|重构|调试)/, /\w\(\)|\.[jt]s\b|`|代码|函数|测试|脚本|接口|编译|bug/],
  },
  summarizes: { has: [/^(?:总结|概括|归纳)/, /(?:这个|这次|这段|本|以上)(?:会话|对话|讨论)/] },
  words: {
    hello:
      '你好！我是 Clew，现在是没有模型的演示：可以试试“比较三个场地，并为团建定一个日期”、“每个工作日九点，发一下今天到期的事项”或“把买牛奶和寄信加入待办”，也可以问我如何连接模型、Slack 或 Discord。',
    needsModel:
      '这需要语言模型，而现在的演示没有模型：请设置 `OPENAI_API_KEY`（本地模型用 `OPENAI_BASE_URL`），然后重新启动 Clew。',
    look: (tag) => `查看“${tag}”已有的待办`,
    show: (view) => `查看${viewNames[view] ?? '待办'}`,
    put: (note) => `把“${note}”记入待办`,
    schedule: (request) => `设定日程“${request}”`,
    about: (answer) => `（${answer}）`,
    failed: (step, why) => `这一步没有成功：${step}。${why}\n接下来怎么办？`,
    done: (done, total) => `共 ${total} 步，完成 ${done} 步。`,
    leaveOut: '跳过这一步',
    notDone: (step, why) => `未完成：${step}。${why}`,
    answered: (name, question, answer) => `${name} 对“${question}”的回答：“${answer}”。`,
    added: (name, text) => `${name} 补充：“${text}”。`,
    unanswered: (question) => `没有人在场回答“${question}”`,
    begun: '还没有完成任何步骤。',
    summary: (count, people) =>
      `这个会话有 ${count} 条消息${people.length === 0 ? '' : `，参与者：${people.join('、')}`}。这是一次演示，总结内容需要模型。`,
    rehearsal:
      '这是一次演示：做过的只有以上这些，没有在 Clew 之外做任何事。有了模型才会真正完成工作：请设置 `OPENAI_API_KEY`（本地模型用 `OPENAI_BASE_URL`），然后重新启动 Clew。',
  },
}
