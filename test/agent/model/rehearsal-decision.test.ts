import { describe, expect, it } from 'vitest'
import type { DecisionInput } from '../../../src/agent/contracts/decision.ts'
import type { RunStatus } from '../../../src/agent/domain/run.ts'
import { ask } from './rehearsal-loop.ts'

const input = (message: string, rest: Partial<DecisionInput> = {}): DecisionInput => ({
  message,
  author: { id: 'a', name: 'Ana' },
  recentMessages: [],
  recentRuns: [],
  runTypes: ['agent_task', 'sleep'].map((type) => ({ type, description: '' })),
  locale: 'en',
  timeZone: 'Europe/Berlin',
  now: '2026-03-04T10:00:37+01:00',
  ...rest,
})

describe('a decision', () => {
  it.each([
    ['hi', /^Hello! I’m Clew/],
    ['Hello Clew, how are you?', /^Hello! I’m Clew/],
    ['What can you do?', /^I’m Clew\. I take work on/],
    ['hello, what can you do?', /^I’m Clew\. I take work on/],
    ['Hi Clew! Who are you?', /^I’m Clew/],
    ['who are you', /^I’m Clew/],
    ['thanks a lot!', /^You’re welcome/],
    ['ok', /^All right/],
    ['The server is down again.', /^I’ve read it/],
    ['🎉', /^I’m not sure/],
    ['do it', /^I’m not sure/],
    ['你好', /^你好！我是 Clew/],
    ['你能做什么？', /^我是 Clew/],
    ['你好，你能做什么？', /^我是 Clew/],
    ['谢谢！', /^不客气/],
    ['服务器又挂了', /^看到了/],
  ])('replies to “%s” and says that it is a rehearsal (R91, R94)', async (message, expected) => {
    const decision = await ask('decision', input(message))
    expect(decision).toMatchObject({ decision: 'reply', run: null })
    expect(decision.reply?.content).toMatch(expected)
    expect(decision.reply?.content).toMatch(/OPENAI_API_KEY/)
  })

  it.each([
    [
      'compare the three venues and book a date for the offsite',
      'Compare the three venues and book a date for the offsite',
    ],
    ['Hey Clew, could you please list my open to-dos?', 'List my open to-dos'],
    ['I need a hotel in Rome for Friday', 'Find a hotel in Rome for Friday'],
    ['Why is the sky blue?', 'Why is the sky blue?'],
    ['请帮我比较三个场地', '比较三个场地'],
    ['你好，麻烦你列出我的待办，谢谢', '列出我的待办'],
  ])('makes a run of “%s” with a title for people (R91, R95)', async (message, title) => {
    const decision = await ask('decision', input(message))
    expect(decision).toMatchObject({ decision: 'run', reply: null, run: { type: 'agent_task', title } })
    expect(JSON.parse(decision.run?.input ?? '')).toEqual({ goal: message })
  })

  it.each([
    ['wait 30 seconds', 30, 'Wait 30 seconds'],
    ['Please wait for two minutes', 120, 'Wait 2 minutes'],
    ['sleep 1 hour', 3600, 'Wait 1 hour'],
    ['Remind me in 10 minutes to stretch', 600, 'Reminder: stretch'],
    ['remind me to stretch in 5 min', 300, 'Reminder: stretch'],
    ['wait 1.5 hours', 5400, 'Wait 90 minutes'],
    ['等待30秒', 30, '等待30秒'],
    ['一个半小时后提醒我开会', 5400, '提醒：开会'],
    ['10分钟后提醒我起来活动', 600, '提醒：起来活动'],
  ])('waits when it is asked to: %s', async (message, seconds, title) => {
    const { run } = await ask('decision', input(message))
    expect(run).toMatchObject({ type: 'sleep', title, input: JSON.stringify({ seconds }) })
  })

  it('offers only what is allowed (R98)', async () => {
    const runTypes = [{ type: 'agent_task', description: '' }]
    expect(await ask('decision', input('wait 30 seconds', { runTypes }))).toMatchObject({ decision: 'reply' })
    expect((await ask('decision', input('remind me in 10 minutes to stretch', { runTypes }))).run?.type).toBe(
      'agent_task',
    )
    const none = await ask('decision', input('List my to-dos', { runTypes: [] }))
    expect(none).toMatchObject({ decision: 'reply', run: null })
  })

  it.each(['Fix add() in the calculator', '请修复 add()'])(
    'hands code to a coding agent where there is one: %s',
    async (message) => {
      const runTypes = ['agent_task', 'coding'].map((type) => ({ type, description: '' }))
      const { run } = await ask('decision', input(message, { runTypes }))
      expect(run).toMatchObject({ type: 'coding', input: JSON.stringify({ goal: message }) })
      expect((await ask('decision', input(message))).run?.type).not.toBe('coding')
    },
  )

  it.each<[RunStatus, string]>([
    ['queued', 'reply'],
    ['running', 'reply'],
    ['awaiting_clarification', 'reply'],
    ['paused', 'reply'],
    ['succeeded', 'run'],
    ['failed', 'run'],
    ['canceled', 'run'],
  ])('starts the same work again only when it is over: %s (R92)', async (status, expected) => {
    const recentRuns = [{ id: 'r', type: 'agent_task', title: 'List my open to-dos', status }]
    const decision = await ask('decision', input('list my open to-dos!', { recentRuns }))
    expect(decision.decision).toBe(expected)
    if (expected === 'reply') expect(decision.reply?.content).toContain('“List my open to-dos” is already under way')
  })

  it('talks where work is switched off (R118)', async () => {
    expect((await ask('chat', input('List my to-dos'))).content).toMatch(/switched off.*OPENAI_API_KEY/)
    expect((await ask('chat', input('你好'))).content).toMatch(/^你好/)
  })
})
