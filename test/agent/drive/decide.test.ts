import { expect, it } from 'vitest'
import { newConversation } from '../../../src/agent/domain/conversation.ts'
import type { Run } from '../../../src/agent/domain/run.ts'
import type { Task } from '../../../src/agent/domain/task.ts'
import { decideStep } from '../../../src/agent/drive/decide.ts'
import type { Scene } from '../../../src/agent/drive/scene.ts'
import { mergeChanges } from '../../../src/agent/kernel/change.ts'
import { newRun } from '../../../src/agent/kernel/create-run.ts'
import { ownStrategies } from '../../../src/agent/strategies/strategies.ts'
import type { AnyEvent } from '../../../src/agent/strategies/strategy.ts'
import { createToolbox } from '../../../src/agent/tools/registry.ts'
import { texts } from '../../../src/locales/texts.ts'
import { limits } from '../../support/limits.ts'
import {
  act,
  ana,
  answered,
  askUser,
  ben,
  finish,
  observed,
  plan,
  planned,
  play,
  stepDone,
} from '../strategies/support.ts'

const id = 'c_thread'
const nothing = { tokens: null, cost: null }
const nobody = { person: nothing, channel: nothing, team: nothing }
const address = { workspace: 'test:team', channel: 'general', thread: '1' }
const run: Run = {
  ...newRun({
    id: 'r_task',
    workspace: 'test:team',
    conversationId: id,
    channel: 'general',
    type: 'agent_task',
    title: 'Book the offsite',
    input: { goal: 'Book the offsite' },
    requestedBy: ana,
    requestId: 'e_request',
    createdAt: 0,
  }),
  status: 'running',
}
const scene: Scene = {
  run,
  now: 1_000,
  inputs: 0,
  thread: { conversation: newConversation({ id, address, at: 0 }), questions: [] },
  locale: 'en',
  words: texts('en'),
  timeZone: 'UTC',
  times: 'named',
  next: [],
  links: new Set(),
  begunAt: null,
  call: [],
  settings: {
    onPause: 'ask',
    followUp: 0,
    limits,
    usage: { day: nobody, month: nobody, timeZone: 'UTC', currency: 'USD' },
    reminder: { afterMs: 0, hours: { fromHour: 9, toHour: 18, days: [1, 2, 3, 4, 5] } },
    whoMayAnswer: 'anyone',
    defaults: { locale: 'en', timeZone: 'UTC' },
    toolbox: createToolbox([]),
  },
}

/** What a step says in a scene. */
function said(task: Task, events: readonly AnyEvent[], over: Partial<Scene> = {}) {
  const { lines } = decideStep(ownStrategies, task, events)
  return mergeChanges(...lines.map((line) => line({ ...scene, ...over })))
}
const statuses = ({ runs = [] }: ReturnType<typeof said>) =>
  runs.flatMap(({ patch: { status } }) => status ?? [])

const working = planned(['Find venues', 'Book'])
const last = play(planned(['Book']), stepDone('Booked'))

it.each([
  ['a plan', planned([]), [plan('Find venues')]],
  ['a tool call', working, [act()]],
  ['its result', play(working, act()), [observed()]],
  ['an answer', play(working, askUser()), [answered()]],
])('says nothing after %s, so that no scene is read for it', (_, task, events) => {
  expect(decideStep(ownStrategies, task, events).lines).toEqual([])
})

it('asks, tells the record and waits in one change (R11)', () => {
  const change = said(working, [askUser('Which city?')])
  expect(change.ask).toMatchObject({
    runId: run.id,
    text: 'Which city?',
    owner: ana,
    askedAt: 1_000,
  })
  expect(change.messages).toMatchObject([{ text: 'Which city?' }])
  expect(statuses(change)).toEqual(['awaiting_clarification'])
  expect(change.expect).toEqual([{ kind: 'question_count', conversationId: id, count: 0 }])
})

it('opens a thread for the first question of work that has none (R106)', () => {
  const alone = { run: { ...run, conversationId: null }, thread: null }
  const { conversation, messages = [] } = said(working, [askUser('Which city?')], alone)
  expect(conversation).toMatchObject({ open: { title: 'Question: Book the offsite' } })
  expect(messages.map(({ text }) => text.split('\n')[0])).toEqual([
    expect.stringContaining('Book the offsite'),
    'Which city?',
  ])
})

it('ends only while nothing else has come in, and wakes what waits for it (C27, C50, R120)', () => {
  const next = [{ ...run, id: 'r_next', afterRunId: run.id, status: 'queued' as const }]
  const change = said(last, [finish('Booked.')], { inputs: 2, next })
  expect(statuses(change)).toEqual(['succeeded'])
  expect(change.expect).toEqual([{ kind: 'mailbox', count: 2 }])
  expect(change.runs).toContainEqual({ id: 'r_next', patch: {}, due: 1_000 })
  expect(change.conversation).toEqual({ id, patch: { foreground: 'r_next' } })
})

it('names in a report the addresses that the task found, and no other (S21)', () => {
  const known = 'https://hall.example/rooms'
  const report = finish(`See ${known} and https://evil.example/secret`)
  const { messages } = said(last, [report], { links: new Set([known]) })
  expect(messages).toMatchObject([{ links: [known] }])
})

it.each([
  ['pauses for a person', false, 'paused'],
  ['fails where nobody watches', true, 'failed'],
])('at a limit it %s (C35)', (_, unattended, status) => {
  const task = planned(['Find venues'], { maxModelCalls: 2 }, unattended)
  expect(statuses(said(task, [act()]))).toEqual([status])
})

it('shows what a tool made in the thread, and nowhere while there is none (R90)', () => {
  const note = { step: 1, text: 'A to-do was made.', offers: [] }
  const event: AnyEvent = { kind: 'observed', ok: true, result: 'done', ms: 5, note }
  const task = play(working, act())
  expect(said(task, [event]).messages).toMatchObject([{ text: 'A to-do was made.' }])
  expect(said(task, [event], { thread: null })).toEqual({})
})

it('tells alone the person whose change of the plan came too late (C208)', () => {
  const seen = ['Another plan']
  const edit: AnyEvent = { kind: 'plan_edited', entryId: 'e_edit', by: ben, seen, steps: [] }
  const { deliveries = [], messages, runs } = said(working, [edit])
  expect(deliveries).toMatchObject([{ body: { kind: 'private', to: ben.id } }])
  expect([messages, runs]).toEqual([undefined, undefined])
})
