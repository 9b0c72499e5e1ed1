import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readRecording, wholeOf } from '../../../src/agent/recording/lines.ts'
import { replay } from '../../../src/agent/recording/player.ts'

/**
 * Recordings as a version of Clew wrote them. One that asks its ports for more cannot do them again: `recordedRun`,
 * `recordedMission` and `recordedThread` of `recorded.ts` make new ones, for a version whose recordings are not released yet.
 */
const folder = join(import.meta.dirname, '../../fixtures/recordings')
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz'))
const textOf = (name: string) => gunzipSync(readFileSync(join(folder, name))).toString()

/** Texts of the requests of a recording, in their order. */
function requestsIn(text: string): string[] {
  return readRecording(text).flatMap((lines) => {
    const last = new Map<string, string>()
    return lines.flatMap((line) => {
      if (line.kind !== 'request') return []
      const whole = wholeOf(last.get(line.contract) ?? '', line)
      last.set(line.contract, whole)
      return [whole]
    })
  })
}

it('has one of each strategy, with a question, an approval and a kill, and of a thread (C739)', () => {
  const kinds = names.map((name) => name.replace(/\..*/, ''))
  expect(kinds).toEqual(['batch', 'coding', 'free', 'step', 'thread'])
  for (const name of names.filter((one) => !/^(?:coding|thread)/.test(one))) {
    const text = textOf(name)
    expect(readRecording(text).length).toBeGreaterThan(1)
    expect(text).toMatch(/"approval":true/)
    expect(text).toMatch(/"question":\{/)
  }
})

it.each(names)(
  'reads and does an old recording again, whatever its prompts were: %s (C739)',
  async (name) => {
    const text = textOf(name)
    const recorded = requestsIn(text)
    expect(recorded.length).toBeGreaterThan(2)
    const left = [...recorded]
    const { requests, divergence } = await replay(text, {
      textOf: () => () => left.shift() ?? 'none was recorded',
    })
    expect({ requests, divergence }).toEqual({ requests: recorded.length, divergence: null })
  },
)
