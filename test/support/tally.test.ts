import { expect, it } from 'vitest'
import { sumOf } from './tally.ts'

it('sums the requests of a run by platform, and names every one that was wrong', () => {
  const notes = [
    { platform: 'Slack', checked: 2, wrong: [] },
    { platform: 'Discord', checked: 3, wrong: ['POST /x: an empty message'] },
    { platform: 'Discord', checked: 4, wrong: [] },
  ]
  expect(sumOf(notes)).toEqual({
    lines: [
      'Discord: 7 requests of this run were checked against its own description, 1 were wrong.',
      'Slack: 2 requests of this run were checked against its own description, 0 were wrong.',
    ],
    wrong: ['Discord: POST /x: an empty message'],
  })
  expect(sumOf([])).toEqual({ lines: [], wrong: [] })
})
