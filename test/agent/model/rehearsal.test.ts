import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DecisionInput } from '../../../src/agent/contracts/decision.ts'
import type { MissionInput } from '../../../src/agent/contracts/mission.ts'
import {
  type ContractInputs,
  type ContractName,
  type ContractReplies,
  readReply,
} from '../../../src/agent/contracts.ts'
import type { Limits } from '../../../src/agent/domain/budget.ts'
import { type StrategyName, strategyNames, type Task } from '../../../src/agent/domain/task.ts'
import { createRehearsalModel } from '../../../src/agent/model/rehearsal.ts'
import { strategies, strategyOf } from '../../../src/agent/strategies/strategies.ts'
import type { AnyEvent } from '../../../src/agent/strategies/strategy.ts'
import { settingNames } from '../../../src/config.ts'
import { timeOf } from '../../support/processor-time.ts'
import { inputs } from './inputs.ts'

const model = createRehearsalModel({ clock: { sleep: async () => {} }, paceMs: 0 })
const { signal } = new AbortController()

/** One call that has to be accepted; null when it needs a model. */
async function ask<N extends ContractName>(
  contract: N,
  input: ContractInputs[N],
): Promise<ContractReplies[N] | null> {
  const answer = await model.call(contract, input, signal)
  if (!answer.ok) {
    expect(answer.code).toBe('not_configured')
    return null
  }
  const read = readReply(contract, input, answer.value)
  if (!read.ok) throw new Error(`${contract}: ${read.problem}`)
  return read.reply
}

const root = new URL('../../../', import.meta.url)
const flagship = 'Compare the three venues and book a date for the offsite'
const tools = [
  { name: 'todo', description: 'Keeps the to-dos.\nadd <text>\nlist [--tag T]' },
  { name: 'schedule', description: 'Keeps the schedules.\nadd <TIME or RULE> <what to do>' },
]
const around = { tools, locale: 'en', timeZone: 'UTC', now: '2026-03-04T10:00+00:00' }
/** As the settings have them when nobody sets anything. */
const limits: Limits = {
  ...{ maxSteps: 20, maxModelCalls: 200, maxToolCalls: 100, maxTokens: 1e6, maxWallMs: 1e9 },
  ...{ maxToolFailures: 3, maxContractFailures: 2, maxUnavailable: 5 },
}
const ana = { id: 'ana', name: 'Ana' }

interface Scene {
  unattended?: boolean
  /** What somebody adds before the model calls of these numbers. */
  joins?: Readonly<Record<number, string>>
  tool?: (input: string) => { ok: boolean; result: string }
  tools?: typeof tools
}

interface Way {
  strategy: StrategyName
  replanSkips: number
}
const ways: readonly Way[] = [
  ...strategyNames.map((strategy) => ({ strategy, replanSkips: 100 })),
  // C507: the strict order.
  { strategy: 'step', replanSkips: 0 },
]

/** Plays a whole task over the contracts alone; every question gets its first choice. */
async function play(
  { strategy: name, replanSkips }: Way,
  goal: string,
  scene: Scene = {},
): Promise<{ task: Task; end: string }> {
  const {
    unattended = false,
    joins = {},
    tool = (input) => ({ ok: true, result: `Done: ${input}` }),
  } = scene
  let task: Task = strategies[name].start(goal, { ...limits, replanSkips }, unattended)
  for (let calls = 0; ; ) {
    const strategy = strategyOf(task)
    const action = strategy.next(task)
    let event: AnyEvent
    if (action.kind === 'call_model') {
      calls += 1
      const joined = joins[calls]
      if (joined !== undefined)
        task = strategy.apply(task, { kind: 'joined', text: joined, author: ana })
      const { contract } = strategy.next(task) as typeof action
      const input = {
        ...around,
        tools: scene.tools ?? tools,
        ...strategy.view(task),
      } as ContractInputs[typeof contract]
      const reply = await ask(contract, input)
      const usage = { promptTokens: 0, completionTokens: 0 }
      event =
        reply === null
          ? { kind: 'not_configured' }
          : ({ kind: 'replied', contract, reply, usage, ms: 1 } as AnyEvent)
    } else if (action.kind === 'call_tool')
      event = { kind: 'observed', ...tool(action.input), ms: 1 }
    else if (action.kind === 'wait') {
      const { text, choices } = task.lastQuestion ?? { text: '', choices: [] }
      event = {
        kind: 'answered',
        question: `${text}`,
        text: choices[0] ?? '',
        author: ana,
      }
    } else return { task, end: action.kind === 'finish' ? action.text : action.kind }
    task = strategy.apply(task, event)
  }
}

const made = ({ observations }: Task) =>
  observations.filter(({ tool }) => tool !== 'ask_user').map(({ input }) => input)

describe.each(ways)('a task under $strategy with $replanSkips replans skipped', (way) => {
  it('asks after its first call, and the answer changes what follows; a report of all its steps counts none (R6, R11, R32, C153)', async () => {
    const { task, end } = await play(way, flagship)
    expect(task.clarifications).toMatchObject([{ text: 'Lisbon' }])
    expect(made(task)).toEqual([
      'list --tag offsite',
      'add "Compare the venues (Lisbon)" --tag offsite',
      'add "Book a date for the offsite (Lisbon)" --tag offsite',
    ])
    expect(end).toContain('- Ana answered “Which city?” with “Lisbon”.')
    expect(end).not.toContain('Steps done')
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    'comes to its end whenever somebody adds something, and names it (C50): %i',
    async (call) => {
      const joins = { [call]: 'keep it "under" 2000 euros', [call + 1]: 'invite everybody' }
      for (const goal of [flagship, 'Add milk, bread and eggs to my to-dos']) {
        const { task, end } = await play(way, goal, { joins })
        const said = task.clarifications.filter(({ question }) => question === null)
        expect(end).toMatch(/This was a demo/)
        for (const { text } of said) expect(end).toContain(`- Ana added “${text}”.`)
        expect(new Set(made(task)).size).toBe(made(task).length)
      }
    },
  )

  it.each([
    ['Add “a, b” and “c” to my to-dos', ['a, b', 'c']],
    ['please add “a”, b and c to the to-do list', ['a', 'b', 'c']],
    ['Add a, b, c, and d to our list', ['a', 'b', 'c, d']],
    ['把“买牛奶”、寄信和做饭加入待办', ['买牛奶', '寄信', '做饭']],
    [`Add a, b, ${'c '.repeat(150)}and d to my to-dos`, ['a', 'b', `${'c '.repeat(149)}c, d`]],
  ])('loses no to-do of “%s” (F6)', async (goal, notes) => {
    expect(made((await play(way, goal)).task)).toEqual(notes.map((note) => `add "${note}"`))
  })

  it('ticks no item whose call failed, and says why (R8)', async () => {
    const tool = (input: string) =>
      input.includes('Compare')
        ? { ok: false, result: 'refused by Ana' }
        : { ok: true, result: 'Done.' }
    const { task, end } = await play(way, flagship, { tool })
    const ticked = task.planItems.filter(({ done }) => done).map(({ text }) => text)
    expect(ticked.join()).not.toContain('Compare')
    expect(end).toContain(
      'Not done: Put “Compare the venues (Lisbon)” on the to-do list. refused by Ana',
    )
  })

  it('asks nobody when nobody is there, and says what is open (F3)', async () => {
    const { task, end } = await play(way, flagship, { unattended: true })
    expect(task.clarifications).toEqual([])
    expect(end).toContain('Nobody was there to answer “Which city?”')
  })

  it('is given up like one without a model when it is beyond a rehearsal, or no tool is there (R44)', async () => {
    expect((await play(way, 'What is 2+2?')).end).toBe('give_up')
    expect((await play(way, flagship, { tools: [] })).end).toBe('give_up')
    const looking = [{ name: 'todo', description: 'Shows the to-dos.\nlist [--tag T]' }]
    expect((await play(way, 'Add milk to my to-dos', { tools: looking })).end).toBe('give_up')
    expect(made((await play(way, 'post what is due today', { tools: looking })).task)).toEqual([
      'list --view today',
    ])
  })
})

describe('a step', () => {
  const item = (currentItem: string, over: Partial<ContractInputs['thought']> = {}) =>
    ask('thought', {
      ...inputs.thought,
      ...around,
      ...over,
      goal: flagship,
      observations: [],
      currentItem,
    })

  it('is asked about when no more calls may be tried (R17)', async () => {
    expect(
      await item('See which to-dos there are for “offsite”', { mustStop: true }),
    ).toMatchObject({
      status: 'ask_user',
      choices: ['Without this step'],
    })
  })

  it('that somebody else planned is not ticked', async () => {
    expect(await item('Sing')).toBeNull()
  })
})

const input = (
  message: string,
  locale = 'en',
  over: Partial<DecisionInput> = {},
): DecisionInput => ({
  ...{
    message,
    author: ana,
    recentMessages: [],
    recentRuns: [],
    locale,
    timeZone: 'UTC',
    now: around.now,
  },
  runTypes: ['agent_task', 'coding', 'summarize_conversation'].map((type) => ({
    type,
    description: '',
  })),
  ...over,
})
const needsModel = /^This needs a language model[^.]+`OPENAI_API_KEY`[^.]+`OPENAI_BASE_URL`[^.]+\.$/
const 需要模型 = /^这需要语言模型[^。]+`OPENAI_API_KEY`[^。]+。$/

describe('a decision', () => {
  it.each([
    ['what’s 2+2', needsModel],
    ['Thanks a lot!', needsModel],
    ['Write a poem about venues', needsModel],
    ['What should I do about the venue?', needsModel],
    ['Every blue moon howl', needsModel],
    ['🎉', needsModel],
    ['Add , to my to-dos', needsModel],
    [`Compare the venues. ${'x'.repeat(500)}`, needsModel],
    ['你觉得怎么样？', 需要模型],
    ['1+1等于几', 需要模型],
    ['每个人都来吗', 需要模型],
    ['Hello, Clew!', /^Hello! I’m Clew/],
    ['你能做什么？', /^你好！我是 Clew/],
  ])('replies to “%s” in one sentence and starts nothing (R91)', async (message, expected) => {
    const decision = await ask('decision', input(message))
    expect(decision).toMatchObject({ decision: 'reply', run: null })
    expect(decision?.reply?.content).toMatch(expected)
    expect((await ask('chat', input(message)))?.content).toMatch(expected)
  })

  it.each([
    ['How do I connect Slack?', 'docs/slack.md', 'SLACK_BOT_TOKEN'],
    ['how to set up discord', 'docs/discord.md', 'DISCORD_TOKEN'],
    ['Please connect a model', '.env.example', 'OPENAI_API_KEY'],
    ['如何连接 Slack？', 'docs/slack.md', 'SLACK_APP_TOKEN'],
    ['怎么接入Discord', 'docs/discord.md', 'DISCORD_TOKEN'],
    ['怎么连接模型？', 'README.md', 'OPENAI_BASE_URL'],
  ])(
    'answers “%s” from the manual, with settings and files that there are',
    async (message, manual, setting) => {
      const content = (await ask('decision', input(message)))?.reply?.content ?? ''
      const named = Array.from(content.matchAll(/`([^`]+)`/g), ([, name = '']) => name)
      expect(named).toEqual(expect.arrayContaining([manual, setting]))
      for (const name of named.filter((one) => /^[A-Z_]+$/.test(one)))
        expect(settingNames).toContain(name)
      for (const path of named.filter((one) => /\.(?:md|json|example)$/.test(one)))
        expect(existsSync(new URL(path, root))).toBe(true)
      expect(readFileSync(new URL(manual, root), 'utf8')).toContain(setting)
    },
  )

  it.each([
    [flagship, 'agent_task', { goal: flagship }],
    [
      '每个工作日九点，发一下今天到期的事项',
      'agent_task',
      { goal: '每个工作日九点，发一下今天到期的事项' },
    ],
    ['Summarise this thread', 'summarize_conversation', { max_messages: 50 }],
    ['总结这个会话', 'summarize_conversation', { max_messages: 50 }],
    ['Fix add() in the calculator', 'coding', { goal: 'Fix add() in the calculator' }],
    ['请修复 add()', 'coding', { goal: '请修复 add()' }],
  ])(
    'makes a run of “%s”, where its type is allowed (R91, R98)',
    async (message, type, expected) => {
      const { run } = (await ask('decision', input(message))) ?? {}
      expect(run?.type).toBe(type)
      expect(JSON.parse(run?.input ?? '')).toMatchObject(expected)
      expect(await ask('decision', input(message, 'en', { runTypes: [] }))).toMatchObject({
        decision: 'reply',
        run: null,
      })
    },
  )

  it.each([
    'a ',
    'add ',
    'add a and ',
    '“',
    'every ',
    'set up ',
    'remind me at ',
    '把',
    '\n',
    '--',
    '每',
    '明天',
    '请',
  ])('reads 40,000 characters of “%s” at once', async (part) => {
    const message = part.repeat(40_000 / part.length)
    const read = async () => {
      for (const text of [message, message.slice(0, 400)])
        await model.call('decision', input(text), signal)
    }
    expect(await timeOf(read, 10)).toBeLessThan(10)
  })
})

describe('the model', () => {
  it('takes its pace from the clock, uses no tokens, and stops when it is told to', async () => {
    const slept: number[] = []
    const paced = createRehearsalModel({
      clock: { sleep: async (ms) => void slept.push(ms) },
      paceMs: 600,
    })
    const reply = await paced.call('decision', input('Hello'), signal)
    expect([slept, reply.usage, paced.name]).toEqual([
      [600],
      { promptTokens: 0, completionTokens: 0 },
      'rehearsal',
    ])
    expect(await model.call('decision', input('Hello'), AbortSignal.abort())).toMatchObject({
      code: 'aborted',
    })
    const controller = new AbortController()
    const slow = createRehearsalModel({
      clock: { sleep: async () => controller.abort() },
      paceMs: 600,
    })
    expect(await slow.call('decision', input('Hello'), controller.signal)).toMatchObject({
      code: 'aborted',
    })
  })

  it.each(Object.keys(inputs) as ContractName[])(
    'keeps to the contract %s or says that it has no model',
    async (name) => {
      await ask(name, inputs[name])
    },
  )
})

describe('a mission', () => {
  const mission = <N extends 'mission' | 'evaluate' | 'mission_report'>(
    name: N,
    over: Partial<MissionInput>,
  ) => ask(name, { ...inputs[name], ...over })

  it('takes the request as one step, and the coding agent at its word (R124, R129)', async () => {
    const first = await mission('mission', { steps: [], goal: 'Fix add()', clarifications: [] })
    expect(first?.steps).toMatchObject([{ title: 'Fix add()', description: 'Fix add()' }])
    expect((await mission('evaluate', {}))?.decision).toBe('next')
    const { report } = inputs.evaluate
    const failed = report === null ? null : { ...report, status: 'failed' as const, text: '' }
    expect(await mission('evaluate', { report: failed })).toMatchObject({
      decision: 'retry',
      evidence: 'failed',
    })
  })

  it('plans what people said later, and nothing more when nothing is left (C31, C50)', async () => {
    expect((await mission('mission', {}))?.steps.map(({ title }) => title)).toEqual([
      'Mend add()',
      'Lisbon',
    ])
    expect((await mission('mission', { mayBeEmpty: true }))?.steps).toEqual([])
  })

  it('says that it is a rehearsal, and whether the goal was reached (R138)', async () => {
    expect((await mission('mission_report', { reached: true }))?.report).toMatch(/^✔[\s\S]*demo/i)
    expect((await mission('mission_report', { reached: false }))?.report).toMatch(/^✖/)
  })
})
