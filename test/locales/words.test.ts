import { describe, expect, it } from 'vitest'
import { type Texts, texts } from '../../src/locales/texts.ts'

/** Every text with its path; of one that takes values, its source. */
function textsIn(part: unknown, path = ''): [path: string, text: string][] {
  if (typeof part === 'string') return [[path, part]]
  if (typeof part === 'function') return [[path, String(part)]]
  return Object.entries(part ?? {}).flatMap(([name, one]) => textsIn(one, `${path}.${name}`))
}
const without = ({ discord: _, ...rest }: Texts) => rest
const withMatch = (part: unknown, pattern: RegExp) =>
  textsIn(part).filter(([, text]) => pattern.test(text))

describe('what people read', () => {
  it('has one word for one thing (C196)', () => {
    const zh = texts('zh')
    expect(withMatch(zh, /线程|话题|讨论串|会话串|对话串|编程代理|收回/)).toEqual([])
    expect(withMatch(without(zh), /子区/)).toEqual([])
    for (const { page, discord, slack } of [texts('en'), zh])
      for (const word of ['stop', 'continue', 'retry'] as const)
        expect([page.actions[word], discord[word]]).toEqual([slack[word], slack[word]])
    // People know tasks; a run is the row of one.
    expect(withMatch(texts('en').schedule, /\b(?:a|last|its) runs?\b/i)).toEqual([])
  })

  it('is in one language (C196)', () => {
    const inWords = textsIn(texts('zh')).map(
      ([path, text]) => [path, text.replace(/`[^`]*`/g, '')] as const,
    )
    const english = inWords.filter(
      ([, text]) => !text.includes('=>') && /[a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(text),
    )
    expect(english).toEqual([])
    expect(withMatch(texts('en'), /\p{Script=Han}/u).map(([path]) => path)).toEqual([])
  })
})

it.each([
  { done: [], calls: 0, failed: 0, en: /^Done\. Nothing else/, zh: /^都做完了/ },
  { done: ['Book'], calls: 1, failed: 0, en: /^Done: Book\.$/, zh: /^已完成：Book。$/ },
  {
    done: [],
    calls: 3,
    failed: 3,
    en: /^I got to the end, but everything I tried failed/,
    zh: /试过的办法都没成功/,
  },
  {
    done: ['Book'],
    calls: 3,
    failed: 3,
    en: /^I marked these as done: Book\. But everything/,
    zh: /^我标记为完成的有：Book。不过试过的办法都没成功/,
  },
  {
    done: ['Book'],
    calls: 3,
    failed: 1,
    en: /^Done: Book\. But 1 of the 3/,
    zh: /^已完成：Book。不过用了 3 次工具，有 1 次没成功/,
  },
])(
  'says in a digest that $failed of $calls calls failed (R62)',
  ({ done, calls, failed, en, zh }) => {
    expect(texts('en').core.digest(done, calls, failed)).toMatch(en)
    expect(texts('zh').core.digest(done, calls, failed)).toMatch(zh)
  },
)

it.each([
  ['every minute', '每分钟', null],
  ['every minute from 9:00 to 9:59', '9:00 到 9:59 每分钟', [9]],
  [
    'every minute from 9:00 to 9:59 and from 17:00 to 17:59',
    '9:00 到 9:59、17:00 到 17:59 每分钟',
    [9, 17],
  ],
])('says a rule for whole hours as “%s”', (en, zh, hours) => {
  expect(texts('en').schedule.minutesPast(null, hours)).toBe(en)
  expect(texts('zh').schedule.minutesPast(null, hours)).toBe(zh)
})

it.each([
  [0, 0, 'Everything is in order.', '一切正常。'],
  [2, 0, 'To fix: 2.', '2 项需要处理。'],
  [0, 3, 'Worth knowing: 3.', '3 项请留意。'],
  [2, 3, 'To fix: 2. Worth knowing: 3.', '2 项需要处理，3 项请留意。'],
])('leaves a zero out of a sum of %i faults and %i notes', (bad, notes, en, zh) => {
  expect(texts('en').page.setup.sum(bad, notes)).toBe(en)
  expect(texts('zh').page.setup.sum(bad, notes)).toBe(zh)
})

it('counts no step that a plan neither gained nor lost (R38)', () => {
  const counted = [
    [1, 0],
    [0, 2],
    [2, 1],
    [0, 0],
  ].map(([added = 0, dropped = 0]) => texts('en').core.progress.changed(added, dropped))
  expect(counted).toEqual(
    ['1 new step', '2 dropped', '2 new steps, 1 dropped', 'the steps stay the same'].map(
      (one) => `Plan changed: ${one}`,
    ),
  )
})

it.each([
  [1, 'about 1 model call (0–4)'],
  [5, 'about 5 model calls (0–4)'],
])('a forecast of %i is said in words that fit', (about, said) => {
  expect(texts('en').core.forecast.about({ low: 0, about, high: 4 })).toBe(said)
})
