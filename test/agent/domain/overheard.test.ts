import { expect, it } from 'vitest'
import {
  filesKey,
  type Overheard,
  tooMany,
  withinTokens,
} from '../../../src/agent/domain/overheard.ts'
import { present } from '../../../src/agent/domain/present.ts'

const long = 'word '.repeat(100).trim()
const said = (count: number, text: string): Overheard[] =>
  Array.from({ length: count }, (_, n) => ({
    ...{ version: 1, key: `k${n}`, author: { id: 'ben', name: 'Ben' } },
    ...{ text: `${n} ${text}`, at: n },
  }))

it('a thread that fits is whole (C70)', () => {
  const all = said(200, 'short')
  expect(withinTokens(all, 6_000)).toEqual({ said: all, shortened: 0, leftOut: 0 })
})

it('of one that is too long the beginning and the newest stay whole, the middle is shortened, and it says so (C70)', () => {
  const all = said(60, long)
  const read = withinTokens(all, 4_000)
  expect(read.said.slice(0, 5)).toEqual(all.slice(0, 5))
  expect(read.said.slice(-10)).toEqual(all.slice(-10))
  expect(read.said.filter(({ text }) => text.endsWith('…'))).toHaveLength(read.shortened)
  expect(read.shortened).toBeGreaterThan(5)
  expect(read.said.length + read.leftOut).toBe(60)
})

it('files that were read for the newest of it stay whole, older ones do not (C976)', () => {
  const [first, ...rest] = said(60, long)
  const file = (key: string, at: number): Overheard => ({
    ...{ version: 1, key: filesKey(key), author: null },
    ...{ text: `${at}`.repeat(20_000), at },
  })
  const all = [...present([first]), file('k0', 0), ...rest, file('k59', 59)]
  const { said: read } = withinTokens(all, 4_000)
  expect(read.at(-1)?.text).toHaveLength(40_000)
  expect(read.filter(({ text }) => text.startsWith('000') && text.length > 200)).toEqual([])
})

it('a message is not called shortened because its author ended it with an ellipsis (C70)', () => {
  const read = withinTokens(said(600, 'well…'), 3_000)
  expect(read.leftOut).toBeGreaterThan(100)
  expect(read.shortened).toBe(0)
})

it.each([
  ['English', long, 4],
  ['Chinese', '订会议室'.repeat(100), 1],
])('no more letters of %s are read than there are tokens for (C70)', (_, text, lettersInToken) => {
  const read = withinTokens(said(300, text), 3_000)
  const letters = read.said.reduce((sum, one) => sum + one.text.length, 0)
  expect(letters).toBeLessThanOrEqual(3_000 * lettersInToken)
  expect(letters).toBeGreaterThan(1_000 * lettersInToken)
})

it('of very many, those in the middle are not kept (C71)', () => {
  const all = said(500, 'short')
  expect(tooMany(all)).toEqual(all.slice(20, 120))
  expect(tooMany(all.slice(0, 400))).toEqual([])
})
