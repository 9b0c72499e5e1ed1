import { describe, expect, it } from 'vitest'
import { hasEnded, type RunStatus } from '../../../src/agent/domain/run.ts'
import type { Change, Expectation, Lease } from '../../../src/agent/ports/store.ts'
import type { Parts } from '../store.ts'
import {
  ana,
  at,
  changeOf,
  claim,
  commitOnce,
  deliveryOf,
  itemOf,
  lineOf,
  messageEvent,
  observationOf,
  opening,
  openRun,
  openThread,
  questionOf,
  runOf,
  taskOf,
  workspace,
} from './rows.ts'

/** A run in a thread, with a lease on it and ways to look at both. */
async function held(parts: Parts) {
  const { conversationId, run } = await openRun(parts.store)
  const lease = await claim(parts.store, itemOf('run', run.id))
  return {
    conversationId,
    run,
    lease,
    commit: (change: Partial<Change>, under: Lease = lease) =>
      parts.store.commits.commit(under, changeOf(change)),
    async see() {
      const [runState, state] = await Promise.all([
        parts.open().runs.state(workspace, run.id),
        parts.open().conversations.state(workspace, conversationId, 100),
      ])
      if (runState === null || state === null) throw new Error('a row is gone')
      return { ...state, ...runState }
    },
  }
}

export function describeCommits(parts: Parts) {
  const due = async () => await parts.store.leases.due(100)

  it('writes everything that a step changes, to be read after a restart (R144)', async () => {
    const { commit, see, run, conversationId } = await held(parts)
    const task = taskOf({ observations: [observationOf(1)], needsReplan: true })
    const change: Partial<Change> = {
      at: at + 9,
      task: { before: null, after: task },
      conversationId,
      conversation: { id: conversationId, patch: { foreground: run.id, title: 'Offsite' } },
      runs: [{ id: run.id, patch: { status: 'running', startedAt: at + 9 } }],
      messages: [lineOf(1)],
      outcomes: [{ messageId: lineOf(1).id, outcome: { kind: 'started', runId: run.id } }],
      ask: questionOf(1),
      deliveries: [deliveryOf(1, conversationId)],
      progress: run.id,
      trace: [
        {
          of: run.id,
          entry: { at: at + 9, what: { kind: 'status', status: 'running', reason: null } },
        },
      ],
    }
    expect(await commit(change)).toEqual({ kind: 'committed', waiting: 0 })
    const seen = await see()
    expect(seen.task).toEqual(task)
    expect(seen.run).toEqual({ ...run, status: 'running', startedAt: at + 9 })
    expect(seen.foreground).toEqual(seen.run)
    expect(seen.conversation).toMatchObject({
      foreground: run.id,
      title: 'Offsite',
      updatedAt: at + 9,
    })
    expect(seen.messages.at(-1)).toEqual(lineOf(1))
    expect(seen.outcomes).toEqual({ [lineOf(1).id]: { kind: 'started', runId: run.id } })
    expect(seen.questions).toEqual([questionOf(1)])
    expect(await parts.store.runs.trace(workspace, run.id)).toEqual(
      change.trace?.map(({ entry }) => entry),
    )
    const out = await parts.store.outbox.next(
      await claim(parts.store, itemOf('outbox', conversationId)),
    )
    expect(out).toMatchObject({
      deliveries: [deliveryOf(1, conversationId)],
      progress: [{ runId: run.id }],
    })
  })

  it('refuses a commit with an old fence and writes nothing of it (P6, I8)', async () => {
    const { commit, see, run, conversationId, lease } = await held(parts)
    await parts.clock.advance(10_000)
    const successor = await claim(parts.open('other'), itemOf('run', run.id))
    const before = await see()
    const change: Partial<Change> = {
      conversationId,
      messages: [lineOf(1)],
      runs: [{ id: run.id, patch: { status: 'failed' } }],
      deliveries: [deliveryOf(1, conversationId)],
      task: { before: null, after: taskOf() },
    }
    expect(await commit(change, lease)).toEqual({ kind: 'fenced' })
    expect(await see()).toEqual(before)
    expect(await commit(change, successor)).toMatchObject({ kind: 'committed' })
  })

  it('applies one commit once, also after another lease (P8)', async () => {
    const { see, run, conversationId, lease } = await held(parts)
    const change = changeOf({
      conversationId,
      messages: [lineOf(1)],
      task: { before: null, after: taskOf({ observations: [observationOf(1)] }) },
      deliveries: [deliveryOf(1, conversationId)],
    })
    for (let n = 0; n < 3; n++)
      expect(await parts.store.commits.commit(lease, change)).toMatchObject({ kind: 'committed' })
    const { messages, task } = await see()
    expect(messages.filter(({ id }) => id === lineOf(1).id)).toHaveLength(1)
    expect(task?.observations).toHaveLength(1)
    await parts.store.leases.release(lease)
    const again = await claim(parts.store, itemOf('run', run.id))
    expect(await parts.store.commits.commit(again, change)).toMatchObject({ kind: 'committed' })
    expect((await see()).messages).toEqual(messages)
  })

  it('raises the counters of a day and its month once and answers what they say, of whom it was for and of everybody (S8, P8, C131)', async () => {
    const { lease, commit } = await held(parts)
    const counts = { promptTokens: 50, completionTokens: 7, cost: 3 }
    const usage = { day: '2026-03-04', person: 'ana', channel: 'general', ...counts }
    const once = { person: counts, channel: counts, team: counts }
    const change = changeOf({ usage })
    expect(await parts.store.commits.commit(lease, change)).toMatchObject({
      usage: { day: once, month: once },
    })
    expect(await parts.store.commits.commit(lease, change)).toMatchObject({
      kind: 'committed',
      usage: null,
    })
    // Counters that belong to something else in the same commit are not taken for these.
    await commit({
      usage: { ...usage, day: '2026-03-31', person: null },
      runs: [{ id: 'r_other', patch: {}, fenceOff: true }],
    })
    const twice = { promptTokens: 100, completionTokens: 14, cost: 6 }
    const ofDay = (day: string, person: string | null) =>
      parts.store.usage.ofDay(workspace, day, { person, channel: 'general' })
    expect(await ofDay('2026-03-04', 'ana')).toEqual({
      day: once,
      month: { person: counts, channel: twice, team: twice },
    })
    expect(await ofDay('2026-04-01', null)).toMatchObject({
      month: { person: null, team: { promptTokens: 0 } },
    })
  })

  it('says once for each allowance and period that it is nearly used, however many would (C132, P8)', async () => {
    const { lease, commit } = await held(parts)
    const warned = { period: '2026-03', name: 'person_month:ana' }
    const change = changeOf({
      warned,
      messages: [lineOf(1)],
      conversationId: await openThread(parts.store),
    })
    expect(await parts.store.commits.commit(lease, change)).toMatchObject({ kind: 'committed' })
    expect(await parts.store.commits.commit(lease, change)).toMatchObject({ kind: 'committed' })
    expect(await commit({ warned })).toMatchObject({ kind: 'conflict' })
    expect(await commit({ warned: { ...warned, period: '2026-04' } })).toMatchObject({
      kind: 'committed',
    })
  })

  it('takes what was taken in off the mailbox and says what still waits (P5)', async () => {
    const { store } = parts
    const id = await openThread(store)
    for (let n = 2; n <= 4; n++) await store.inbox.accept(messageEvent(n), opening)
    const lease = await claim(store, itemOf('conversation', id))
    expect(await store.commits.commit(lease, changeOf({ consume: 1 }))).toEqual({
      kind: 'committed',
      waiting: 2,
    })
    expect(await store.commits.commit(lease, changeOf({}))).toEqual({
      kind: 'committed',
      waiting: 2,
    })
    const state = await store.conversations.state(workspace, id, 0)
    expect(state?.inbox.map(({ event }) => event.keys[0])).toEqual(['m3', 'm4'])
  })

  it('keeps messages and deliveries in the order of their commits (R150)', async () => {
    const { commit, see, conversationId } = await held(parts)
    await commit({
      conversationId,
      messages: [lineOf(1), lineOf(2)],
      deliveries: [1, 2].map((n) => deliveryOf(n, conversationId)),
    })
    await commit({
      conversationId,
      messages: [lineOf(3)],
      deliveries: [deliveryOf(3, conversationId)],
    })
    expect((await see()).messages.slice(1).map(({ text }) => text)).toEqual([
      'line 1',
      'line 2',
      'line 3',
    ])
    const out = await claim(parts.store, itemOf('outbox', conversationId))
    for (const id of ['d_1', 'd_2', 'd_3']) {
      expect((await parts.store.outbox.next(out)).deliveries[0]?.id).toBe(id)
      await parts.store.outbox.sent(out, id, null)
    }
  })

  it('keeps a message that was changed in its place, and one that was withdrawn not at all (C249)', async () => {
    const { commit, see, conversationId } = await held(parts)
    const [first, second, third] = [lineOf(1), lineOf(2), lineOf(3)]
    await commit({ conversationId, messages: [first, second, third] })
    const after = { ...second, text: 'Another', editedAt: at + 9 }
    await commit({ conversationId, rewritten: [{ before: second, after }], unsaid: [third] })
    expect((await see()).messages.slice(-2)).toEqual([first, after])
    const again = { ...after, text: 'A third', editedAt: at + 10 }
    await commit({ conversationId, rewritten: [{ before: after, after: again }] })
    expect((await see()).messages.slice(-2)).toEqual([first, again])
  })

  it('replaces the outcome of a message', async () => {
    const { commit, see, conversationId } = await held(parts)
    const messageId = (await see()).messages[0]?.id ?? ''
    await commit({ conversationId, outcomes: [{ messageId, outcome: { kind: 'waiting' } }] })
    await commit({ conversationId, outcomes: [{ messageId, outcome: { kind: 'answered' } }] })
    expect((await see()).outcomes).toEqual({ [messageId]: { kind: 'answered' } })
  })

  it('adds to the lists of a task and keeps what a step does not touch', async () => {
    const { commit, see } = await held(parts)
    const first = taskOf({
      planItems: [{ text: 'find venues', done: false }],
      observations: [observationOf(1)],
    })
    await commit({ task: { before: null, after: first } })
    const second = {
      ...first,
      currentPlanIndex: 1,
      observations: [...first.observations, observationOf(2)],
    }
    await commit({ task: { before: first, after: second } })
    const third = {
      ...second,
      needsReplan: true,
      conclusions: [{ step: 2, item: 'find venues', text: null, ok: true }],
    }
    await commit({ task: { before: second, after: third } })
    expect((await see()).task).toEqual(third)
  })

  it('wakes a run that has something to take in (R146, C50)', async () => {
    const { store } = parts
    const { conversationId, run } = await openRun(store)
    const item = itemOf('run', run.id)
    await store.leases.release(await claim(store, item))
    expect(await due()).not.toContainEqual(item)
    const inputs = [
      {
        runId: run.id,
        input: {
          kind: 'answer',
          entryId: 'e_1',
          question: questionOf(1),
          text: 'Lisbon',
          author: ana,
        },
      },
      { runId: run.id, input: { kind: 'joined', entryId: 'e_2', text: 'and dinner', author: ana } },
      { runId: run.id, input: { kind: 'continue', entryId: 'e_3' } },
    ] as const
    await commitOnce(store, itemOf('conversation', conversationId), { inputs })
    expect(await due()).toContainEqual(item)
    expect((await store.runs.state(workspace, run.id))?.inputs).toEqual(
      inputs.map(({ input }) => input),
    )
    const lease = await claim(store, item)
    expect(await store.commits.commit(lease, changeOf({ consume: 2 }))).toEqual({
      kind: 'committed',
      waiting: 1,
    })
    expect((await store.runs.state(workspace, run.id))?.inputs).toEqual([
      { kind: 'continue', entryId: 'e_3' },
    ])
  })

  it('makes a new run due, but not one that waits for another (R120)', async () => {
    const { store } = parts
    const { run, conversationId } = await openRun(store)
    const after = runOf({ id: 'r_2', conversationId, afterRunId: run.id })
    await commitOnce(store, itemOf('conversation', conversationId), { create: [after] })
    const next = itemOf('run', after.id)
    expect(await due()).toContainEqual(itemOf('run', run.id))
    expect(await due()).not.toContainEqual(next)
    await commitOnce(store, itemOf('run', run.id), {
      runs: [{ id: after.id, patch: {}, due: parts.clock.now() }],
    })
    expect(await due()).toContainEqual(next)
  })

  it('wakes a run at a given time, and not later than it was due anyway', async () => {
    const { conversationId, run, lease } = await held(parts)
    await parts.store.leases.release(lease)
    const item = itemOf('run', run.id)
    const wake = async (afterMs: number) =>
      await commitOnce(parts.store, itemOf('conversation', conversationId), {
        runs: [{ id: run.id, patch: {}, due: parts.clock.now() + afterMs }],
      })
    await wake(5_000)
    await wake(60_000)
    expect(await due()).not.toContainEqual(item)
    await parts.clock.advance(5_000)
    expect(await due()).toContainEqual(item)
  })

  it('stops the worker of a canceled run, and frees it at once (R104, R151)', async () => {
    const { conversationId, run, lease, commit } = await held(parts)
    await commitOnce(parts.store, itemOf('conversation', conversationId), {
      runs: [{ id: run.id, patch: { status: 'canceled' }, fenceOff: true }],
    })
    expect(await commit({ runs: [{ id: run.id, patch: { status: 'succeeded' } }] })).toEqual({
      kind: 'fenced',
    })
    expect(await parts.store.leases.renew(lease, 10_000)).toBe(false)
    expect((await parts.store.runs.state(workspace, run.id))?.run).toMatchObject({
      status: 'canceled',
      attempts: 0,
    })
    expect((await claim(parts.store, itemOf('run', run.id))).fence).toBeGreaterThan(lease.fence)
  })

  it('takes a canceled run off what is due', async () => {
    const { store } = parts
    const { conversationId, run } = await openRun(store)
    const runs = [{ id: run.id, patch: { status: 'canceled' as const }, fenceOff: true }]
    await commitOnce(store, itemOf('conversation', conversationId), { runs })
    expect(await due()).not.toContainEqual(itemOf('run', run.id))
  })

  it('keeps a conversation due for its reminder', async () => {
    const { store, clock } = parts
    const { conversationId, run } = await openRun(store)
    const item = itemOf('conversation', conversationId)
    const remindAt = clock.now() + 3_600_000
    await commitOnce(store, itemOf('run', run.id), {
      conversation: { id: conversationId, patch: { remindAt } },
    })
    await clock.advance(3_599_999)
    expect(await due()).not.toContainEqual(item)
    // Something else in between must not forget it.
    await store.leases.release(await claim(store, item))
    await clock.advance(1)
    expect(await due()).toContainEqual(item)
    const lease = await claim(store, item)
    await store.commits.commit(
      lease,
      changeOf({ conversation: { id: conversationId, patch: { remindAt: null } } }),
    )
    await store.leases.release(lease)
    await clock.advance(3_600_000)
    expect(await due()).not.toContainEqual(item)
  })

  it('keeps only the latest mark of a run whose progress changed (C49)', async () => {
    const { commit, run, conversationId } = await held(parts)
    const out = await claim(parts.store, itemOf('outbox', conversationId))
    const marks = async () => (await parts.store.outbox.next(out)).progress
    await commit({ conversationId, progress: run.id })
    const [first] = await marks()
    await commit({ conversationId, progress: run.id })
    const [second, ...more] = await marks()
    expect([second?.runId, more]).toEqual([run.id, []])
    expect(second?.revision).not.toBe(first?.revision)
  })

  it('wakes the outbox for what is to be shown', async () => {
    const { commit, run, conversationId } = await held(parts)
    const item = itemOf('outbox', conversationId)
    await commit({ conversationId, trace: [] })
    expect(await due()).not.toContainEqual(item)
    await commit({ conversationId, progress: run.id })
    expect(await due()).toContainEqual(item)
  })

  describe('what a change expects', () => {
    const expectations: [string, (conversationId: string) => Expectation, Partial<Change>][] = [
      [
        'the status of a run',
        () => ({ kind: 'run_status', runId: 'r_1', status: 'queued' }),
        { runs: [{ id: 'r_1', patch: { status: 'running' } }] },
      ],
      [
        'the open question',
        (conversationId) => ({ kind: 'open_question', conversationId, questionId: 'q_1' }),
        { answered: { question: questionOf(1), answer: 'Lisbon', author: ana, at } },
      ],
      [
        'the number of questions',
        (conversationId) => ({ kind: 'question_count', conversationId, count: 2 }),
        { ask: questionOf(3) },
      ],
      [
        'an empty mailbox',
        () => ({ kind: 'mailbox', count: 0 }),
        { inputs: [{ runId: 'r_1', input: { kind: 'continue', entryId: 'e_9' } }] },
      ],
    ]
    it.each(expectations)(
      'holds for %s as long as nothing happened, and then writes nothing (C50)',
      async (_, make, event) => {
        const { commit, see, conversationId } = await held(parts)
        await commit({ conversationId, ask: questionOf(1) })
        await commit({ conversationId, ask: questionOf(2) })
        const expect_ = [make(conversationId)]
        expect(await commit({ conversationId, expect: expect_ })).toMatchObject({
          kind: 'committed',
        })
        await commitOnce(parts.store, itemOf('conversation', conversationId), {
          conversationId,
          ...event,
        })
        const before = await see()
        const change = changeOf({
          conversationId,
          expect: expect_,
          messages: [lineOf(1)],
          consume: 1,
        })
        expect(await commit(change)).toEqual({ kind: 'conflict' })
        expect(await see()).toEqual(before)
      },
    )

    it('may hold at another time under the same name', async () => {
      const { commit, conversationId } = await held(parts)
      const change = changeOf({
        conversationId,
        expect: [{ kind: 'open_question', conversationId, questionId: 'q_1' }],
      })
      expect(await commit(change)).toEqual({ kind: 'conflict' })
      await commit({ conversationId, ask: questionOf(1) })
      expect(await commit(change)).toMatchObject({ kind: 'committed' })
    })

    it('is nothing that is not there', async () => {
      const { commit, conversationId } = await held(parts)
      const none: Expectation[] = [
        { kind: 'run_status', runId: 'r_none', status: 'queued' },
        { kind: 'open_question', conversationId: 'c_none', questionId: 'q_1' },
        { kind: 'question_count', conversationId: 'c_none', count: 1 },
        { kind: 'mailbox', count: 1 },
      ]
      for (const one of none)
        expect(await commit({ conversationId, expect: [one] })).toEqual({ kind: 'conflict' })
    })

    it('lets one of two ends of a run win, so that an ended run never changes (R102, R110, C27)', async () => {
      const { conversationId, run, lease, commit, see } = await held(parts)
      await commit({ runs: [{ id: run.id, patch: { status: 'running' } }] })
      const turn = await claim(parts.open('turn'), itemOf('conversation', conversationId))
      const end = (status: RunStatus, under: Lease) =>
        parts.open().commits.commit(
          under,
          changeOf({
            conversationId,
            expect: [{ kind: 'run_status', runId: run.id, status: 'running' }],
            runs: [{ id: run.id, patch: { status }, fenceOff: status === 'canceled' }],
            messages: [lineOf(status === 'canceled' ? 1 : 2)],
          }),
        )
      const ends = await Promise.all([end('succeeded', lease), end('canceled', turn)])
      expect(ends.filter(({ kind }) => kind === 'committed')).toHaveLength(1)
      const seen = await see()
      expect(hasEnded(seen.run.status)).toBe(true)
      expect(seen.messages.filter(({ role }) => role === 'assistant')).toHaveLength(1)
    })

    it('lets one of two answers to a question win (P13, R146)', async () => {
      const { conversationId, run, commit, see } = await held(parts)
      await commit({ conversationId, ask: questionOf(1) })
      const turn = await claim(parts.store, itemOf('conversation', conversationId))
      const answer = (text: string) => ({
        conversationId,
        expect: [{ kind: 'open_question', conversationId, questionId: 'q_1' }] as const,
        answered: { question: questionOf(1), answer: text, author: ana, at },
        inputs: [
          {
            runId: run.id,
            input: {
              kind: 'answer',
              entryId: `e_${text}`,
              question: questionOf(1),
              text,
              author: ana,
            },
          },
        ] as const,
      })
      const kinds = await Promise.all(
        ['Lisbon', 'Porto'].map(async (text) => (await commit(answer(text), turn)).kind),
      )
      expect(kinds.sort()).toEqual(['committed', 'conflict'])
      const { answered, inputs } = await see()
      expect([answered.length, inputs.length]).toEqual([1, 1])
    })
  })

  describe('questions', () => {
    it('wait in line, the first one open, until each is answered (C42, R145)', async () => {
      const { commit, see, conversationId } = await held(parts)
      await commit({ conversationId, ask: questionOf(1) })
      await commit({ conversationId, ask: questionOf(2, 'r_2') })
      expect((await see()).questions).toEqual([questionOf(1), questionOf(2, 'r_2')])
      const answered = { question: questionOf(1), answer: 'Lisbon', author: ana, at: at + 5 }
      await commit({ conversationId, answered })
      const seen = await see()
      expect([seen.questions, seen.answered]).toEqual([[questionOf(2, 'r_2')], [answered]])
      const found = async (id: string) => await parts.store.conversations.question(workspace, id)
      expect(await found('q_1')).toEqual({ conversationId, question: questionOf(1), answered })
      expect(await found('q_2')).toEqual({
        conversationId,
        question: questionOf(2, 'r_2'),
        answered: null,
      })
      expect(await found('q_3')).toBeNull()
    })

    it('of a run that ended are taken back', async () => {
      const { commit, see, conversationId } = await held(parts)
      for (const n of [1, 2, 3]) await commit({ conversationId, ask: questionOf(n) })
      await commit({ conversationId, dropQuestions: [questionOf(1), questionOf(3)] })
      const { questions, answered } = await see()
      expect([questions, answered]).toEqual([[questionOf(2)], []])
    })

    it('that were answered last are known for a late answer', async () => {
      const { commit, see, conversationId } = await held(parts)
      for (let n = 1; n <= 12; n++) {
        await commit({ conversationId, ask: questionOf(n) })
        await commit({
          conversationId,
          answered: { question: questionOf(n), answer: `${n}`, author: ana, at },
        })
      }
      expect((await see()).answered.map(({ answer }) => answer)).toEqual(
        Array.from({ length: 10 }, (_, index) => `${index + 3}`),
      )
    })
  })
}
