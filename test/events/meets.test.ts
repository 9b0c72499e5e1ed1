import { describe, expect, it } from 'vitest'
import { conditions } from '../../src/agent/commands/condition.ts'
import { anyFrame } from '../../src/agent/commands/grammar.ts'
import { meets } from '../../src/agent/schedules/meets.ts'

const data = {
  action: 'opened',
  number: 12,
  draft: false,
  closed: null,
  issue: { title: 'Crash and burn', labels: [{ name: 'bug' }, { name: 'P1' }] },
  commits: [['a.ts', 'b.ts'], ['docs/c.md']],
}
const read = (text: string) => conditions.read(text, anyFrame)
const fits = (text: string) => meets(read(text) ?? [{ path: 'x', test: 'is', values: [] }], data)

describe('conditions on events', () => {
  it.each([
    'action is opened',
    'action = OPENED',
    'action=closed,opened',
    'action in closed, opened',
    'action is closed or opened',
    'number is 12',
    'draft is false',
    'closed is null',
    'issue.labels.name is bug',
    'issue.labels.1.name is P1',
    'issue.title contains crash and burn',
    'issue.title contains "Crash and" and action is opened',
    'issue.title matches ^Crash.*n$',
    'issue.title matches /burn$/',
    'commits contains docs/',
    '',
  ])('fit: %s (C642)', (text) => {
    expect(text === '' ? meets([], data) : fits(text)).toBe(true)
  })

  it.each([
    'action is closed',
    'action is opene',
    'issue is opened',
    'nothing.there is null',
    'issue.labels.7.name is P1',
    'issue.labels.name is bug and action is closed',
    'issue.title matches ^burn',
    'constructor.name is Object',
    'action.length is 6',
  ])('do not fit: %s (C642)', (text) => {
    expect(read(text)).toBeDefined()
    expect(fits(text)).toBe(false)
  })

  it.each(['opened', 'action', 'action is', 'is opened', 'a b is c', 'title matches (', 'x is , '])(
    'are not read: %s (C642)',
    (text) => {
      expect(read(text)).toBeUndefined()
    },
  )

  it.each(['^(a+)+$', '(a|aa)+$', '(.*a){20}'])(
    'take time in proportion to the text: %s (S68)',
    (pattern) => {
      const hostile = { text: Array.from({ length: 1_000 }, () => `${'a'.repeat(5_000)}!`) }
      const before = performance.now()
      meets([{ path: 'text', test: 'matches', values: [pattern] }], hostile)
      expect(performance.now() - before).toBeLessThan(5_000)
    },
  )
})
