import { describe, expect, it } from 'vitest'
import { isBorneOut } from '../../../src/agent/domain/borne-out.ts'

const monday = 'Added **#1** Check the backups · Monday at 08:30 · next 2026-11-30T08:30:00+00:00'

describe('a report beside receipts (C580)', () => {
  it.each([
    ['says no figure', 'The reminder is set.', [monday]],
    ['repeats a number', 'Reminder #1 is set.', [monday]],
    ['repeats an hour, whatever its zeros', 'Set for 8:30.', [monday]],
    [
      'names the day of a date',
      'Es ist gesetzt, erstmals am Montag.',
      [monday.slice(0, 30), '2026-11-30'],
    ],
    ['names a day in Chinese', '周一的提醒设好了。', [monday]],
    ['names the month of a date', 'It begins in November.', [monday]],
    ['uses a word that is a month, too', 'You may close the thread.', [monday]],
    [
      'names what several receipts hold',
      'To-dos #3 and #4 are there.',
      ['Added **#3**', 'Added **#4**'],
    ],
  ])('is borne out where it %s', (_, report, receipts) => {
    expect(isBorneOut(report, receipts)).toBe(true)
  })

  it.each([
    ['an hour that they do not hold', 'Set for 9:30.'],
    ['a number that they do not hold', 'To-do #7 is there.'],
    ['another day', 'Set for Tuesday.'],
    ['another day in Chinese', '周二的提醒设好了。'],
    ['another day in German', 'Steht für Dienstag.'],
    ['another month', 'It begins in December.'],
    ['an hour in words', 'Set for Monday at nine.'],
    ['a rule in words', 'It comes every Monday.'],
    ['a day that moves', 'It is due tomorrow.'],
    ['an hour in Chinese', '提醒设在九点。'],
    ['digits of another width', 'Set for ９:30.'],
  ])('is not where it names %s', (_, report) => {
    expect(isBorneOut(report, [monday])).toBe(false)
  })
})
