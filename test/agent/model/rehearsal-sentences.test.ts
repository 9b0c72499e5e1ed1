import { describe, expect, it } from 'vitest'
import { createRehearsalModel } from '../../../src/agent/model/rehearsal.ts'
import { inputs } from './inputs.ts'

/*
 * What becomes of a first sentence: few are a scenario or a question for the manual, and all others need a model (R44, R91).
 */

const model = createRehearsalModel({ clock: { sleep: async () => {} }, paceMs: 0 })
const { signal } = new AbortController()
const runTypes = ['agent_task', 'coding', 'summarize_conversation'].map((type) => ({
  type,
  description: '',
}))
const tools = [
  { name: 'todo', description: 'add <text>\nlist [--tag T]' },
  { name: 'schedule', description: 'add <TIME or RULE> <what to do>' },
]

/** What a reply begins with, beside what it is. */
const replies = {
  'needs a model': /^This needs a language model|^这需要语言模型/,
  'how to connect Slack': /`docs\/slack\.md`/,
  'how to connect Discord': /`docs\/discord\.md`/,
  'how to connect a model': /`OPENAI_MODEL`/,
  hello: /^Hello!|^你好！/,
}

/** What is replied, the type of the run, or the first step of a task. */
async function outcomeOf(message: string): Promise<string | undefined> {
  const decided = await model.call(
    'decision',
    { ...inputs.decision, message, locale: 'en', runTypes },
    signal,
  )
  if (!decided.ok) throw new Error(decided.code)
  const { decision, reply, run } = decided.value as {
    decision: string
    reply?: { content: string }
  } & {
    run?: { type: string }
  }
  if (decision === 'reply')
    return (
      Object.entries(replies).find(([, pattern]) => pattern.test(reply?.content ?? ''))?.[0] ??
      reply?.content
    )
  if (run?.type !== 'agent_task') return run?.type
  const planned = await model.call(
    'plan',
    { ...inputs.plan, goal: message, locale: 'en', tools },
    signal,
  )
  return planned.ok ? (planned.value as { plan: string[] }).plan[0] : planned.code
}

const needModel = [
  'Set up a meeting with Ana in Slack tomorrow',
  'How do I export my Slack history?',
  'How do I mute a Discord channel?',
  'How to write a good model card',
  'Configure the model of our car',
  'Install Slack on my laptop',
  'Add me to Slack',
  'Set the language of Slack',
  'How do I set up a Slack channel?',
  'How to set up a Discord server for our guild',
  'Is Slack connected?',
  'Which model should we buy?',
  'How can I connect with the Slack team in Berlin?',
  'Connect me with somebody who knows our pricing model',
  'Set up the data model for the new shop',
  'Every day I feel tired, what should I do?',
  'Every day I feel tired',
  'Every week there are too many meetings',
  'Every year we forget Ana’s birthday.',
  'Every Monday the to-do list is too long',
  'Every Monday at 9, write a report about our sales',
  'Every day?',
  'Remind me why we chose Redis',
  'Remind me what we decided on Monday',
  'Remind me of the plan for the offsite',
  'Plan the first week of March',
  'Plan the first week of our new project',
  'Plan the onboarding of our new customers',
  'Plan the first day of the new year',
  'Plan a trip to the planetarium',
  'Plan a lunch for the new intern on her first day',
  'Explain our onboarding to the new designer in the first week',
  'Fix my mood',
  'Fix the budget at 3.5 million',
  'Remind me',
  'Could you remind me what is due?',
  'Every day I remind the team to log hours',
  'Every evening we post what is due',
  'Fix a date for the offsite',
  'Implement the new holiday policy',
  'Please debug our hiring process',
  'Compare our prices with those of the venue next door',
  'Nobody compared the venues yet',
  'Why do sign-ups need a phone number?',
  'What is a good way to handle overdue invoices?',
  'What is due diligence?',
  'Rent is due, look for a way to pay it',
  'Write a post about to-dos and why lists help',
  'Add a search box to the todo app',
  'Put Ana on the list of speakers',
  'What should this thread be called, and who can recap the costs?',
  'Draft an email to the landlord',
  'Translate this into French: see you on Monday',
  'Who is on holiday next week?',
  'What did we decide about the pricing?',
  'Book a table for six on Friday at seven',
  '明天在 Slack 里和安娜开个会，请设置一下',
  '如何导出 Slack 的历史记录？',
  '怎么在 Discord 里屏蔽一个频道？',
  '给我们的车配置模型',
  '如何建立新的定价模型',
  '设置 Slack 的提醒铃声',
  '每天都很累，我该怎么办？',
  '每天我都觉得很累',
  '每周的会议太多了',
  '每个月我们都忘记交房租',
  '每天的提醒太多了',
  '每周一九点，写一份销售报告',
  '提醒我们为什么选择 Redis',
  '提醒我',
  '我每天提醒大家填工时',
  '每个人都来吗',
  '在 Slack 里新建一个频道',
  '今天的天气怎么样？',
  '把 Slack 的语言设置成中文',
  '给新客户安排入职培训',
  '安排三月的第一周',
  '计划新项目的第一周',
  '安排入职体检的时间',
  '新员工的入职计划太长了',
  '修复我的心情',
  '实现下季度的目标',
  '重构我们的招聘流程',
  '比较好的场地在哪里',
  '为什么注册量要每天统计？',
  '怎样处理逾期的发票，看看有什么办法',
  '把搜索框加入待办应用',
  '总结大家在会议上的讨论',
  '给房东写一封邮件',
  '把这句话翻译成法语：周一见',
  '下周谁休假？',
]

const connecting = [
  ['How do I connect Slack?', 'Slack'],
  ['how to set up discord', 'Discord'],
  ['Please connect a model', 'a model'],
  ['How can I add Clew to our Slack workspace?', 'Slack'],
  ['I want to connect you to Slack', 'Slack'],
  ['Connect a model, Slack or Discord', 'Slack'],
  ['Install Clew in Discord', 'Discord'],
  ['Where do I set the token of the Discord bot?', 'Discord'],
  ['Set up Slack', 'Slack'],
  ['Which Slack tokens do I need?', 'Slack'],
  ['How do I set up my own local model with Ollama?', 'a model'],
  ['How do I set the OpenAI API key?', 'a model'],
  ['如何连接 Slack？', 'Slack'],
  ['怎么接入Discord', 'Discord'],
  ['怎么连接模型？', 'a model'],
  ['请问怎样把 Clew 连接到我们的 Slack 工作区？', 'Slack'],
  ['如何设置本地模型', 'a model'],
  ['在哪里配置 OpenAI 的密钥？', 'a model'],
].map(([sentence = '', part = '']) => [sentence, `how to connect ${part}`])

const played = [
  [
    'Compare the three venues and book a date for the offsite',
    'See which to-dos there are for “offsite”',
  ],
  ['compare venues', 'See which to-dos there are for “offsite”'],
  ['Compare the **three** venues and book a date', 'See which to-dos there are for “offsite”'],
  [
    'We should compare the three venues and book a date',
    'See which to-dos there are for “offsite”',
  ],
  ['Can you please compare these venues?', 'See which to-dos there are for “offsite”'],
  [
    'Plan a one-week onboarding for our new designer',
    'See which to-dos there are for “onboarding”',
  ],
  ['Clew, plan the first week of our new colleague', 'See which to-dos there are for “onboarding”'],
  ['Plan the first day of the new hires', 'See which to-dos there are for “onboarding”'],
  ['Why did our sign-ups drop this month?', 'See which to-dos there are for “sign-ups”'],
  ['why are sign-ups down', 'See which to-dos there are for “sign-ups”'],
  [
    'Every weekday at nine, post what is due today',
    'Schedule “Every weekday at nine, post what is due today”',
  ],
  [
    'Every Friday at 4pm remind us to log hours',
    'Schedule “Every Friday at 4pm remind us to log hours”',
  ],
  ['every first monday of the month at half past nine list our to-dos', /^Schedule/],
  ['What is due (3)', /^Look at the to-dos/],
  ['Remind me this evening to water the plants', /^Schedule/],
  ['Remind me on the 1st to pay rent', /^Schedule/],
  ['提醒我下个月一号交房租', /^设定日程/],
  ['Every Monday and Thursday at 10, compare the three venues', /^Schedule/],
  ['Remind me tomorrow at 9 to call Bob', 'Schedule “Remind me tomorrow at 9 to call Bob”'],
  ['Please remind me in 20 minutes to stretch', 'Schedule “remind me in 20 minutes to stretch”'],
  ['remind us on Friday to water the plants', /^Schedule/],
  ['Remind me in half an hour to call Bob', /^Schedule/],
  ['Add milk and bread to my to-dos', 'Put “milk” on the to-do list'],
  ['Please add the invoice to our list.', 'Put “the invoice” on the to-do list'],
  ['Add milk to my to-do list and then list my to-dos', 'Put “milk” on the to-do list'],
  ['What is overdue?', 'Look at the to-dos: overdue'],
  ['what’s due today', 'Look at the to-dos: today'],
  ['Show me my to-dos', 'Look at the to-dos'],
  ['List what is still to do', 'Look at the to-dos'],
  ['Summarise this thread', 'summarize_conversation'],
  ['Can you sum up this discussion for me?', 'summarize_conversation'],
  ['Fix add() in the calculator', 'coding'],
  ['please implement the parser of config.ts', 'coding'],
  ['Refactor the code of the login', 'coding'],
  ['Fix the failing tests', 'coding'],
  ['What can you do?', 'hello'],
  ['比较三个场地，并为团建定一个日期', '查看“团建”已有的待办'],
  ['请帮我对比一下这些场地', '查看“团建”已有的待办'],
  ['为新来的设计师安排第一周', '查看“入职”已有的待办'],
  ['为新来的设计师制定一周入职计划，并列出要准备的东西', '查看“入职”已有的待办'],
  ['请安排新同事的入职', '查看“入职”已有的待办'],
  ['注册量为什么下降了？', '查看“注册量”已有的待办'],
  ['每个工作日九点，发一下今天到期的事项', '设定日程“每个工作日九点，发一下今天到期的事项”'],
  ['每天早上九点提醒我们开站会', '设定日程“每天早上九点提醒我们开站会”'],
  ['明天下午三点提醒我给安娜打电话', '设定日程“明天下午三点提醒我给安娜打电话”'],
  ['每月一号在九点提醒我们交房租', '设定日程“每月一号在九点提醒我们交房租”'],
  ['请提醒我明天九点寄信', '设定日程“提醒我明天九点寄信”'],
  ['把“买牛奶”和“寄信”加入待办', '把“买牛奶”记入待办'],
  ['把寄发票放进我的待办清单。', '把“寄发票”记入待办'],
  ['列出我的待办', '查看待办'],
  ['今天有哪些事项到期？', '查看今天到期的待办'],
  ['有什么逾期的待办吗', '查看逾期的待办'],
  ['请总结一下这个对话', 'summarize_conversation'],
  ['请修复 add()', 'coding'],
  ['重构登录的代码', 'coding'],
  ['你能做什么？', 'hello'],
] as const

describe('a first sentence', () => {
  it.each(needModel)('needs a model: “%s”', async (sentence) => {
    expect(await outcomeOf(sentence)).toBe('needs a model')
  })

  it.each(connecting)('is answered from the manual: “%s”', async (sentence, expected) => {
    expect(await outcomeOf(sentence)).toBe(expected)
  })

  it.each(played)('is played: “%s”', async (sentence, expected) => {
    expect(await outcomeOf(sentence)).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    )
  })
})
