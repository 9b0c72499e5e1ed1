import { describe, expect, it } from 'vitest'
import { requestTextOf } from '../../../src/agent/model/request-text.ts'
import { replay } from '../../../src/agent/recording/player.ts'
import { useClew } from '../../support/agent.ts'
import { recordedMission, recordedRun, recordedThread } from './recorded.ts'

const start = useClew()
const strategies = ['step', 'batch', 'free'] as const

describe.each(strategies)('a recorded run of %s', (strategy) => {
  it('comes to the same requests byte for byte, also when it was killed (C660, C661, C665)', async () => {
    for (const point of [undefined, 'after commits.commit', 'before model.call']) {
      const text = await recordedRun(start, {
        strategy,
        n: 4,
        ...(point !== undefined && { point }),
      })
      const holds = new Set(text.match(/"hold":"[^"]*"/g))
      expect(holds.size).toBeGreaterThan(1)
      const replayed = await replay(text)
      expect(replayed).toEqual({
        requests: text.match(/"kind":"request"/g)?.length,
        divergence: null,
      })
      expect(replayed.requests).toBeGreaterThan(2)
    }
  })

  it('names the first request that differs, and where (C662)', async () => {
    const text = await recordedRun(start, { strategy })
    const contract = { step: 'replan', batch: 'think', free: 'act' }[strategy]
    const { divergence } = await replay(text, {
      textOf: (...how) => {
        const textOf = requestTextOf(...how)
        return (name, input) =>
          name === contract ? `${textOf(name, input)} more` : textOf(name, input)
      },
    })
    expect(divergence).toMatchObject({ kind: 'differs', contract })
    if (divergence?.kind !== 'differs') throw new Error('nothing differs')
    expect(divergence.at).toBe(divergence.was.length)
    expect(divergence.is.slice(divergence.at)).toBe(' more')
  })
})

describe('the recorded turns of a thread', () => {
  it('come to the same Decisions byte for byte, also when it was killed (C890, C891)', async () => {
    for (const kill of [
      {},
      { point: 'after commits.commit', n: 3 },
      { point: 'before model.call', n: 2 },
    ]) {
      const text = await recordedThread(start, kill)
      const contracts = [...text.matchAll(/"kind":"request","n":\d+,"contract":"(\w+)"/g)]
      expect(await replay(text)).toEqual({ requests: contracts.length, divergence: null })
      expect(contracts.length).toBeGreaterThan(5)
      expect(new Set(contracts.map(([, name]) => name))).toEqual(new Set(['decision', 'overheard']))
    }
  })

  it('are compared with the prompts and the team of today (C891)', async () => {
    const text = await recordedThread(start)
    const { divergence } = await replay(text, {
      team: () => ({ instructions: 'Be brief.', skills: [] }),
    })
    expect(divergence).toMatchObject({ kind: 'differs', number: 1, contract: 'decision' })
    const other = await replay(text, {
      textOf: (...how) => {
        const textOf = requestTextOf(...how)
        return (name, input) =>
          name === 'overheard' ? `${textOf(name, input)} more` : textOf(name, input)
      },
    })
    expect(other.divergence).toMatchObject({ kind: 'differs', number: 2, contract: 'overheard' })
  })
})

it('does a recorded coding mission again, with the reports of its folder (C661)', async () => {
  const { run: text } = await recordedMission(start)
  const requests = text.match(/"kind":"request"/g)?.length
  expect(requests).toBeGreaterThan(2)
  expect(await replay(text)).toEqual({ requests, divergence: null })
})

it('reads what a kill left, to its torn last line (C665)', async () => {
  const text = await recordedRun(start, { strategy: 'step' })
  const whole = await replay(text)
  for (const share of [0.3, 0.6, 0.95]) {
    const { requests, divergence } = await replay(text.slice(0, text.length * share))
    expect(divergence).toBeNull()
    expect(requests).toBeLessThanOrEqual(whole.requests)
  }
  await expect(replay(`{"kind":"run","version":2}\n${text}`)).rejects.toThrow('line 1')
})

it('says of a request that was answered and is not made, or made and was not recorded (C662)', async () => {
  const lines = (await recordedRun(start, { strategy: 'free' })).split('\n')
  const asked = lines.flatMap((line, at) => (line.includes('"kind":"request"') ? [at] : []))
  const [first = 0] = asked
  const added = [...lines.slice(0, first), ...lines.slice(first + 1)].join('\n')
  expect((await replay(added)).divergence).not.toBeNull()
  const twice = [...lines.slice(0, first + 1), ...lines.slice(first)].join('\n')
  expect((await replay(twice)).divergence).not.toBeNull()
})
