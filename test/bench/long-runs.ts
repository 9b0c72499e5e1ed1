import type { Task } from '../../src/agent/domain/task.ts'
import type { TraceEvent } from '../../src/agent/domain/trace.ts'
import type { Store } from '../../src/agent/ports/store.ts'
import { strategies } from '../../src/agent/strategies/strategies.ts'
import { runOf } from '../contracts/store/rows.ts'
import { limits } from '../support/limits.ts'

const longRuns = 1_000
const steps = 200
export const longRunId = (n: number) => `r_long${n % longRuns}`

/** Writes 1,000 runs of 200 steps, each in a thread of its own: in each step the model is asked and a tool is called. */
export async function fillLongRuns(store: Store, workspace: string, now: number): Promise<void> {
  const before: Task = strategies.step.start('Look at every venue', limits, false)
  const planItems = Array.from({ length: 10 }, (_, n) => ({
    text: `Look at venue ${n}`,
    done: true,
  }))
  const observations = Array.from({ length: steps }, (_, n) => ({
    ...{ step: n + 1, tool: 'internet_search', input: `venue ${n} prices`, ok: true },
    result: `${n} rooms are free. `.repeat(20),
  }))
  const after: Task = { ...before, planItems, observations }
  const one = async (n: number) => {
    const at = now - (longRuns - n) * 60_000
    const content = {
      kind: 'message' as const,
      text: `Look at every venue ${n}`,
      addressed: true,
      forSomeoneElse: false,
    }
    const author = { id: `U${n % 40}`, name: `Person${n % 40}`, bot: false }
    const event = {
      workspace,
      channel: `C${n % 30}`,
      thread: `long${n}`,
      keys: [`long${n}`],
      author,
      whose: { way: 'typed' as const, by: 'member' as const },
      at,
      content,
    }
    const { conversationId } = await store.inbox.accept(event, { locale: 'en', timeZone: 'UTC' })
    const run = runOf({
      id: longRunId(n),
      workspace,
      conversationId,
      channel: event.channel,
      createdAt: at,
      startedAt: at,
    })
    const thread = await store.leases.claim(
      { kind: 'conversation', workspace, id: conversationId },
      60_000,
    )
    if (thread === null) throw new Error('somebody else works on it')
    await store.commits.commit(thread, {
      id: `kc${n}`,
      at,
      consume: 1,
      conversationId,
      create: [run],
    })
    await store.leases.release(thread)
    const lease = await store.leases.claim({ kind: 'run', workspace, id: run.id }, 60_000)
    if (lease === null) throw new Error('somebody else works on it')
    await store.commits.commit(lease, {
      ...{ id: `kr${n}`, at, conversationId, task: { before: null, after } },
      trace: traceOf(at).map((entry) => ({ of: run.id, entry })),
      runs: [
        {
          id: run.id,
          patch: { status: 'succeeded', endedAt: at + steps * 1_000, result: 'All of it is done.' },
        },
      ],
    })
    await store.leases.release(lease, { over: true })
  }
  for (let n = 0; n < longRuns; n += 10)
    await Promise.all(Array.from({ length: 10 }, (_, more) => one(n + more)))
}

const traceOf = (from: number) =>
  Array.from({ length: steps }, (_, n): TraceEvent[] => [
    {
      ...{ kind: 'model_call', contract: 'thought', ok: true, problem: null, ms: 400 },
      ...{ promptTokens: 900, completionTokens: 40, cost: 5 },
    },
    { kind: 'thought', decision: 'act', index: Math.floor(n / 20), step: n + 1 },
    { kind: 'acting', tool: 'internet_search', step: n + 1 },
    { kind: 'acted', tool: 'internet_search', step: n + 1, ok: true, ms: 50 },
  ]).flatMap((events, n) => events.map((what) => ({ at: from + n * 1_000, what })))
