import { describe, expect, it } from 'vitest'
import { play } from './rehearsal-loop.ts'

/** A request, its first plan and what it is asked about; null where nothing is open. */
type Case = [goal: string, plan: string[], question: string | null]

const open: Case[] = [
  [
    'Email the customer about the delay',
    ['Draft what to say', 'Email the customer about the delay'],
    'Which customer do you mean?',
  ],
  [
    'Book a table for dinner',
    ['Check availability for the table for dinner', 'Book a table for dinner'],
    'For which date?',
  ],
  ['Translate the contract', ['Translate the contract', 'Read it through once more'], 'Which contract do you mean?'],
  [
    'Plan a weekend trip',
    ['Find out what the weekend trip needs', 'Put the steps in order', 'Put the plan on the to-do list'],
    'Where to?',
  ],
  [
    'Find me a good restaurant for Saturday night',
    ['Find a good restaurant for Saturday night', 'Write up what was found'],
    'Which city?',
  ],
  [
    'Order lunch for the team',
    ['Compare prices for lunch for the team', 'Order lunch for the team'],
    'For how many people?',
  ],
  ['Send the invitation', ['Draft what to say', 'Send the invitation'], 'Who should get it?'],
  ['What’s the weather tomorrow?', ['Look up “What’s the weather tomorrow?”', 'Write the answer'], 'Which city?'],
  [
    'Could you summarise the report, please?',
    ['Look up the report', 'Summarise the report'],
    'Which report do you mean?',
  ],
  ['Translate “see you soon”', ['Translate “see you soon”', 'Read it through once more'], 'Into which language?'],
  ['Make a to-do', ['Note the to-dos'], 'What should the to-dos say?'],
  ['给客户写一封道歉邮件', ['收集写道歉邮件要用的内容', '给客户写一封道歉邮件', '通读一遍'], '是哪位客户？'],
  ['帮我订一张去上海的机票', ['查看去上海的机票的余位和价格', '订一张去上海的机票'], '定在哪一天？'],
  ['翻译这份合同', ['翻译这份合同', '通读一遍'], '是哪份合同？'],
  ['计划一次周末旅行', ['了解周末旅行需要些什么', '排好先后顺序', '把计划记到待办'], '去哪里？'],
  ['对比两份报价', ['了解两份报价的情况', '对比两份报价'], '是哪两份报价？'],
  ['给全组点午餐', ['比较午餐的价格', '给全组点午餐'], '一共多少人？'],
  ['天气怎么样？', ['查一查“天气怎么样？”', '写出回答'], '哪个城市？'],
]

const closed: Case[] = [
  [
    'Write down three to-dos for Friday’s release: changelog, tag, announcement',
    ['Note the three to-dos', 'Check the to-do list'],
    null,
  ],
  [
    'Summarise what a clew is in two sentences',
    ['Look up what a clew is', 'Summarise what a clew is in two sentences'],
    null,
  ],
  ['List my open to-dos', ['List my open to-dos'], null],
  [
    'Book a hotel in Porto for 3-5 May',
    ['Check availability for the hotel in Porto for 3-5 May', 'Book a hotel in Porto for 3-5 May'],
    null,
  ],
  [
    'Compare the three venues (Alpha Hall, Beta House, Gamma Loft) and pick one',
    [
      'Find out about the three venues (Alpha Hall, Beta House, Gamma Loft)',
      'Compare the three venues (Alpha Hall, Beta House, Gamma Loft)',
      'Pick one',
    ],
    null,
  ],
  [
    'Can you compare PostgreSQL and MySQL for a small web shop?',
    ['Find out about PostgreSQL and MySQL for a small web shop', 'Compare PostgreSQL and MySQL for a small web shop'],
    null,
  ],
  [
    'We’re planning an offsite in May. Compare three venues in Porto and suggest one.',
    ['Find out what three venues in Porto offer', 'Compare three venues in Porto', 'Suggest one'],
    null,
  ],
  [
    'Pick a name for our new coffee machine, then tell the team',
    [
      'Collect options for the name for our new coffee machine',
      'Pick a name for our new coffee machine',
      'Draft what to say',
      'Tell the team',
    ],
    null,
  ],
  ['Why is the sky blue?', ['Look up “Why is the sky blue?”', 'Write the answer'], null],
  [
    'Rewrite this so it sounds friendlier: “Send me the files. Now.”',
    ['Read the text', 'Rewrite this so it sounds friendlier: “Send me the files. Now.”'],
    null,
  ],
  [
    'Fix the login bug in the checkout page',
    ['Work out what it takes', 'Fix the login bug in the checkout page'],
    null,
  ],
  ['Remind me to call the dentist tomorrow at 9', ['Note “Call the dentist”'], null],
  ['把买牛奶和寄包裹加到待办', ['记下这两条待办', '核对待办清单'], null],
  ['用两句话总结什么是线团', ['查一查什么是线团', '用两句话总结什么是线团'], null],
  ['规划四月去京都的三日游', ['了解四月去京都的三日游需要些什么', '排好先后顺序', '把计划记到待办'], null],
  ['我们五月要去团建。比较杭州的三个场地，推荐一个。', ['了解杭州的三个场地', '比较杭州的三个场地', '推荐一个'], null],
  ['给小王发邮件，说明天的会议改到下午三点', ['拟好要说的话', '给小王发邮件，说明天的会议改到下午三点'], null],
  ['有哪些待办快到期了？', ['有哪些待办快到期了'], null],
  ['写一首关于秋天的诗', ['收集写关于秋天的诗要用的内容', '写一首关于秋天的诗', '通读一遍'], null],
  ['给咖啡机起个名字，再告诉大家', ['收集名字的备选', '给咖啡机起个名字', '拟好要说的话', '告诉大家'], null],
  ['为我们的咖啡店想三个名字', ['收集名字的备选', '为我们的咖啡店想三个名字'], null],
  ['推荐三本书', ['收集书的备选', '推荐三本书'], null],
  ['查一下去大阪的签证要求，整理成清单', ['查一下去大阪的签证要求', '整理成清单'], null],
  [
    'Get me a taxi to the airport tomorrow at 6am',
    ['Check availability for the taxi to the airport tomorrow at 6am', 'Get a taxi to the airport tomorrow at 6am'],
    null,
  ],
]

describe('a request that leaves something open', () => {
  it.each(open)('is asked about once: %s (R11, R29)', async (goal, plan, question) => {
    const played = await play(goal)
    expect(played.plans[0]).toEqual(plan)
    expect(played.questions.map(({ text }) => text)).toEqual([question])
    expect(played.steps).toBeLessThanOrEqual(20)
  })

  it('is asked twice where two things are open, the place first', async () => {
    const played = await play('Book a hotel', { answers: ['Porto', 'tomorrow'] })
    expect(played.questions.map(({ text }) => text)).toEqual(['Which city?', 'For which date?'])
    expect(played.calls.at(-1)?.input).toBe('add Book a hotel in Porto tomorrow --due 2026-03-05 18:00')
    expect(played.steps).toBeLessThanOrEqual(20)
  })

  it.each([
    ['Compare the two offers', 'Acme and Globex', 'Compare Acme and Globex'],
    ['Email the customer about the delay', 'I think Globex', 'Email Globex about the delay'],
    ['Schedule a call with Ben', 'next Tuesday at 3pm', 'Schedule a call with Ben next Tuesday at 3pm'],
    ['Order lunch for the team', '12', 'Order lunch for the team (12 people)'],
    ['Send the invitation', 'The whole team', 'Send the invitation to the whole team'],
    ['Make a to-do', 'water the plants', 'Note “Water the plants”'],
    ['翻译这份合同', '和大华公司的租赁合同', '翻译和大华公司的租赁合同'],
    ['帮我订一张去上海的机票', '3月20日', '订一张去上海的机票（3月20日）'],
    ['发邀请函', '全体同事', '发邀请函给全体同事'],
    ['给客户写一封道歉邮件', 'Acme', '给 Acme 写一封道歉邮件'],
  ])('takes the answer into its plan: %s – %s', async (goal, answer, item) => {
    expect((await play(goal, { answers: [answer] })).plans.at(-1)).toContain(item)
  })
})

describe('a request that leaves nothing open', () => {
  it.each(closed)('is not asked about: %s (R29)', async (goal, plan) => {
    const played = await play(goal)
    expect(played.plans).toContainEqual(plan)
    expect(played.questions).toEqual([])
    expect(played.steps).toBeLessThanOrEqual(20)
    expect(played.report).toMatch(/OPENAI_API_KEY/)
  })
})

describe('the to-do tool', () => {
  const lines = async (goal: string) =>
    (await play(goal)).calls.filter(({ tool }) => tool === 'todo').map(({ input }) => input)

  it.each([
    [
      'Write down three to-dos for Friday’s release: changelog, tag, announcement',
      [
        'add Changelog for Friday’s release --tag release --due 2026-03-06 18:00',
        'add Tag for Friday’s release --tag release --due 2026-03-06 18:00',
        'add Announcement for Friday’s release --tag release --due 2026-03-06 18:00',
        'list',
      ],
    ],
    ['Add buy milk and post the parcel to my to-do list', ['add Buy milk', 'add Post the parcel', 'list']],
    ['To-dos for today:\n- call Ana\n- water the plants', []],
    ['Add these to-dos:\n- call Ana\n- water the plants', ['add Call Ana', 'add Water the plants', 'list']],
    [
      'Remind me to call the dentist tomorrow at 9',
      ['add Call the dentist --due 2026-03-05 09:00 --remind 2026-03-05 09:00'],
    ],
    ['Put "renew passport" and "book vaccination" on my list', ['add Renew passport', 'add Book vaccination', 'list']],
    ['Look up the opening hours of the library and add them to my to-dos', ['add The opening hours of the library']],
    ['Mark to-do 3 as done', ['done 3']],
    ['Delete to-do #4', ['delete 4']],
    ['Search my to-dos for passport', ['search passport']],
    ['Show me my overdue to-dos', ['list --view overdue']],
    ['List the to-dos tagged release', ['list --tag release']],
    ['Note down "--tag is an option"', ['add "--tag is an option"']],
    [
      '为周五的发布记下三个待办：更新日志、打标签、发公告',
      [
        'add 更新日志（周五的发布） --tag 发布 --due 2026-03-06 18:00',
        'add 打标签（周五的发布） --tag 发布 --due 2026-03-06 18:00',
        'add 发公告（周五的发布） --tag 发布 --due 2026-03-06 18:00',
        'list',
      ],
    ],
    ['明天上午九点提醒我给牙医打电话', ['add 给牙医打电话 --due 2026-03-05 09:00 --remind 2026-03-05 09:00']],
    ['在待办里加上：买菜、做饭、洗碗', ['add 买菜', 'add 做饭', 'add 洗碗', 'list']],
    ['今天有什么待办', ['list --view today']],
    ['完成待办3', ['done 3']],
  ])('gets its own grammar from “%s” (F6, F7)', async (goal, expected) => {
    expect(await lines(goal)).toEqual(expected)
  })

  it('loses none of many to-dos', async () => {
    const names = Array.from({ length: 20 }, (_, nth) => `thing ${nth + 1}`)
    const added = (await lines(`Add these to-dos: ${names.join(', ')}`)).join('\n')
    for (const name of names) expect(added.toLowerCase()).toContain(name)
  })

  it('is shown first in the report of a question about the list', async () => {
    const { report } = await play('List my open to-dos')
    expect(report).toMatch(/^\*\*To-dos\*\* \(1 open\)\n\n- \*\*#1\*\* Call Ana\n/)
  })
})
