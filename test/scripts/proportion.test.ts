import { describe, expect, it } from 'vitest'
import { countHabits, countTokens, tokensPerArea } from '../../scripts/proportion.ts'

it('counts every file in the first area that its path belongs to', () => {
  const counted = tokensPerArea([
    { path: 'src/adapters/slack/send.ts', source: 'a\nb\n' },
    { path: 'src/adapters/text.ts', source: 'a\n' },
    { path: 'src/adapters/channel-kit/post.ts', source: 'a\n' },
    { path: 'src/adapters/new/file.ts', source: 'a\n' },
    { path: 'src/adapters/web/page/styles/plan.css', source: 'a\n' },
    { path: 'src/adapters/web/page/page.tsx', source: 'a\nb\nc\n' },
    { path: 'src/agent/contracts.ts', source: 'a\n' },
    { path: 'src/agent/new.ts', source: 'a\n' },
    { path: 'src/main.ts', source: 'a\n' },
    { path: 'scripts/doctor.ts', source: 'a\n' },
  ])
  expect(Object.fromEntries(counted)).toEqual({
    Slack: 2,
    'shared by channels': 2,
    'page, CSS': 1,
    page: 3,
    'domain, ports and contracts': 1,
    'verbs and kernel': 1,
    'the rest': 3,
  })
})

it.each([
  ['const a = 1 // a comment\n', 4],
  ['/** A comment. */\nconst a =\n  1\n', 4],
  ["call('a string of words', b)\n", 6],
  ['if (a !== b && c?.d) e ??= 0x1f\n', 13],
])('counts the tokens of %j', (source, count) => {
  expect(countTokens({ path: 'src/a.ts', source })).toBe(count)
})

it('counts CSS without its comments', () => {
  expect(countTokens({ path: 'a.css', source: '/* red */ a { color: red }' })).toBe(6)
})

describe('habits', () => {
  const statements = (count: number) => `function f() { ${'g();'.repeat(count)} }`
  it.each([
    ['spreads of a literal', 'const a = { ...{ b, c }, d }'],
    ['conditional spreads', 'const a = { ...(b ? { c } : {}) }'],
    ['conditional spreads', 'const a = { ...(b && { c }) }'],
    ['nested ternaries', 'const a = b ? c : d ? e : f'],
    ['functions over 20 statements', statements(21)],
  ])('counts %s in %j', (habit, source) => {
    const none = {
      'spreads of a literal': 0,
      'conditional spreads': 0,
      'nested ternaries': 0,
      'functions over 20 statements': 0,
    }
    expect(countHabits([{ path: 'a.ts', source }])).toEqual({ ...none, [habit]: 1 })
  })

  it.each([
    'const a = { ...b, c }',
    'const a = [...b, ...c()]',
    'const a = b ? c : d',
    statements(20),
    `function f() { ${statements(11)} ${statements(11)} }`,
  ])('counts none in %j', (source) => {
    const counted = Object.values(countHabits([{ path: 'a.ts', source }]))
    expect(counted).toEqual([0, 0, 0, 0])
  })
})
