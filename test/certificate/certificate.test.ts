import { expect, it } from 'vitest'
import { count } from './count.ts'

it('counts what was lost, missed, doubled and answered elsewhere (C750)', () => {
  const said = [1, 2, 3, 4, 5].map((number) => ({
    ...{ number, place: 'C1 1', at: number, taken: number !== 2 },
  }))
  const shown = [
    { place: 'C1 1', at: 8, text: 'Answer to ref-0003 and ref-0004.' },
    { place: 'C1 1', at: 9, text: 'Answer to ref-0003.' },
    { place: 'C1 9', at: 11, text: 'Answer to ref-0005.' },
    { place: 'C1 1', at: 12, text: 'That did not work.' },
  ]
  expect(count(said, shown)).toEqual({
    ...{ said: 5, lost: 1, missed: 1, doubled: 1, misplaced: 1, besides: 1 },
    waitMs: { median: 5, longest: 6 },
  })
})
