import { expect, it } from 'vitest'
import { createBreaker } from '../../../src/agent/model/breaker.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { createFakeModel, failsAs, held } from '../../fakes/model.ts'
import { inputs } from './inputs.ts'

function bench() {
  const clock = createManualClock()
  const model = createFakeModel()
  const breaker = createBreaker(model, clock)
  const ask = (contract: 'thought' | 'decision' | 'overheard' = 'thought') =>
    breaker.call(contract, inputs[contract] as never, new AbortController().signal)
  const fail = async (times: number) => {
    for (let n = 0; n < times; n++) await ask()
  }
  return { clock, model, ask, fail }
}

it('asks a model that is away with one request at a time, and tells a thousand others when to come back, one by one (C93)', async () => {
  const { clock, model, ask, fail } = bench()
  model.answer(() => failsAs('overloaded'))
  await fail(3)
  await clock.advance(2_000)
  const probe = held({})
  model.on('thought', probe)
  const first = ask()
  const others = await Promise.all(Array.from({ length: 1_000 }, () => ask()))
  expect(model.calls).toHaveLength(4)
  const waits = others.map((reply) => ('retryAfterMs' in reply ? (reply.retryAfterMs ?? 0) : 0))
  expect(new Set(waits).size).toBe(1_000)
  expect(Math.max(...waits)).toBeLessThan(30_000)
  probe.release()
  expect((await first).ok).toBe(true)
  model.answer(() => ({}))
  expect(await ask()).toMatchObject({ ok: true })
})

it('waits longer after each probe that fails, half a minute at most (C93)', async () => {
  const { clock, model, ask, fail } = bench()
  model.answer(() => failsAs('unreachable'))
  await fail(3)
  const waits: number[] = []
  for (let probe = 0; probe < 6; probe++) {
    const before = model.calls.length
    let waited = 0
    for (; model.calls.length === before; waited += 1_000) {
      await clock.advance(1_000)
      await ask()
    }
    waits.push(waited)
  }
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  expect(await ask()).toMatchObject({ kind: 'unreachable', awayMs: 90_000 })
})

it('sends nothing until the endpoint takes requests again, where it says when (C93)', async () => {
  const { clock, model, ask } = bench()
  model.on('thought', failsAs('rate_limited', 40_000), {})
  await ask()
  await clock.advance(39_000)
  expect(await ask()).toMatchObject({ ok: false, kind: 'rate_limited' })
  await clock.advance(1_000)
  expect((await ask()).ok).toBe(true)
  model.assertDone()
})

it('takes only what passes by itself for a sign, and keeps decisions and tasks apart (C93)', async () => {
  const { model, ask, fail } = bench()
  model.answer(() => failsAs('context_too_long'))
  await fail(5)
  expect(model.calls).toHaveLength(5)
  model.answer(() => failsAs('timed_out'))
  await fail(5)
  expect(model.calls).toHaveLength(8)
  await ask('decision')
  expect(model.calls).toHaveLength(9)
})

it('counts what is asked about overheard words with the decisions, whose model answers it (C93)', async () => {
  const { model, ask } = bench()
  model.answer(() => failsAs('unreachable'))
  for (let n = 0; n < 3; n++) await ask('overheard')
  expect(await ask('decision')).toMatchObject({ awayMs: 0 })
  await ask('thought')
  expect(model.calls.map(({ contract }) => contract)).toEqual([
    'overheard',
    'overheard',
    'overheard',
    'thought',
  ])
})
