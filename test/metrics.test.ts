import { expect, it } from 'vitest'
import type { Message } from '../src/agent/domain/message.ts'
import type { Change, Commits, Lease } from '../src/agent/ports/store.ts'
import { createMetrics } from '../src/metrics.ts'

const lease: Lease = { item: { kind: 'run', workspace: 'test:metrics', id: 'r1' }, fence: 1 }
const change: Change = {
  id: 'k1',
  at: 1,
  trace: [
    { of: 'r1', entry: { at: 1, what: { kind: 'status', status: 'running', reason: null } } },
    {
      of: 'r1',
      entry: {
        at: 1,
        what: {
          kind: 'model_call',
          contract: 'plan',
          ok: true,
          problem: null,
          ms: 1500,
          promptTokens: 40,
          completionTokens: 7,
        },
      },
    },
  ],
}
const answering = (kind: 'committed' | 'fenced'): Commits => ({
  commit: async () => (kind === 'committed' ? { kind, waiting: 0 } : { kind }),
})

it('counts model calls, tokens and statuses from the trace of what was committed (R69)', async () => {
  const metrics = createMetrics()
  await metrics.observe(answering('committed')).commit(lease, change)
  const text = await metrics.text()
  expect(text).toContain('clew_model_tokens_total{contract="plan",kind="prompt"} 40')
  expect(text).toContain('clew_model_call_seconds_sum{contract="plan",ok="true"} 1.5')
  expect(text).toContain('clew_run_status_total{status="running"} 1')
})

it('counts rows that were set aside, by list, and those that no thread was told of (P18)', async () => {
  const metrics = createMetrics()
  const aside = { id: 'd_1', row: '{', problem: 'no JSON' }
  const both = [
    { ...aside, list: 'outbox' as const },
    { ...aside, list: 'inbox' as const },
    { ...aside, list: 'progress' as const },
  ]
  await metrics.observe(answering('committed')).commit(lease, { ...change, aside: both })
  await metrics.observe(answering('fenced')).commit(lease, { ...change, aside: both })
  const text = await metrics.text()
  expect(metrics.untold()).toBe(2)
  const messages = [{ id: 'm_1' } as Message]
  await metrics.observe(answering('committed')).commit(lease, { ...change, aside: both, messages })
  expect(metrics.untold()).toBe(2)
  expect(text).toContain('clew_set_aside_total{list="outbox"} 1')
  expect(text).toContain('clew_set_aside_total{list="inbox"} 1')
})

it('counts nothing of a commit that was refused', async () => {
  const metrics = createMetrics()
  await metrics.observe(answering('fenced')).commit(lease, change)
  expect(await metrics.text()).not.toContain('contract="plan"')
})
