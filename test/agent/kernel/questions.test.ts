import { describe, expect, it } from 'vitest'
import { nextWorkingTime, showQuestion } from '../../../src/agent/kernel/questions.ts'

const office = { fromHour: 9, toHour: 18, days: [1, 2, 3, 4, 5] }
const at = (text: string) => Date.parse(text)

describe('the next working time', () => {
  it.each([
    ['is now within working hours', 'UTC', '2026-03-04T10:20:00Z', '2026-03-04T10:20:00Z'],
    ['is this morning before them', 'UTC', '2026-03-04T03:20:00Z', '2026-03-04T09:00:00Z'],
    ['is tomorrow after them', 'UTC', '2026-03-04T18:00:00Z', '2026-03-05T09:00:00Z'],
    ['is Monday at the weekend', 'UTC', '2026-03-06T18:30:00Z', '2026-03-09T09:00:00Z'],
    [
      'is that of the thread’s own zone (C46)',
      'Asia/Kolkata',
      '2026-03-04T14:00:00Z',
      '2026-03-05T03:30:00Z',
    ],
    [
      'is right on the day the clocks change (C46)',
      'Europe/Lisbon',
      '2026-03-27T19:00:00Z',
      '2026-03-30T08:00:00Z',
    ],
  ])('%s', (_, zone, from, expected) => {
    expect(new Date(nextWorkingTime(at(from), office, zone)).toISOString()).toBe(
      new Date(expected).toISOString(),
    )
  })
})

describe('a question that is shown', () => {
  const question = {
    version: 1,
    id: 'q',
    runId: 'r',
    text: 'Which city?',
    choices: [],
    askedAt: 0,
    askedOf: null,
  } as const
  const remindAt = (afterMs: number, shownAt: string) => {
    const conversation = { id: 'c', timeZone: 'UTC' }
    const shown = showQuestion(conversation, { ...question, choices: [] }, at(shownAt), {
      afterMs,
      hours: office,
    })
    const patch =
      shown.conversation !== undefined && 'patch' in shown.conversation
        ? shown.conversation.patch
        : {}
    return patch.remindAt === null ? null : new Date(patch.remindAt ?? 0).toISOString()
  }

  it('has its reminder some hours later, within working hours (C42)', () => {
    expect(remindAt(4 * 3_600_000, '2026-03-04T10:00:00Z')).toBe('2026-03-04T14:00:00.000Z')
    expect(remindAt(4 * 3_600_000, '2026-03-04T16:00:00Z')).toBe('2026-03-05T09:00:00.000Z')
  })

  it('has no reminder where that is turned off', () => {
    expect(remindAt(0, '2026-03-04T10:00:00Z')).toBeNull()
  })
})
