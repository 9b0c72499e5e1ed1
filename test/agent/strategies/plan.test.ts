import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Conclusion, PlanItem } from '../../../src/agent/domain/task.ts'
import { alignPlan, planChange } from '../../../src/agent/strategies/plan.ts'
import { runs } from '../../support/runs.ts'
import { ana } from './support.ts'

const open = (text: string): PlanItem => ({ text, done: false })
const done = (text: string): PlanItem => ({ text, done: true })
const concluded = (item: string, ok = true): Conclusion => ({ step: 1, item, text: null, ok })

describe('a new list against the old one', () => {
  const old = [done('Find venues'), open('Compare'), open('Book')]

  it.each<[string, readonly PlanItem[], string[], PlanItem[], number]>([
    [
      'keeps the progress of the same full list (C3)',
      old,
      ['Find venues', 'Compare', 'Book'],
      old,
      1,
    ],
    [
      'starts a list equal to what is left at its first item (C3)',
      old,
      ['Compare', 'Book'],
      [open('Compare'), open('Book')],
      0,
    ],
    [
      'marks what was completed, also in another order and spelling (C3)',
      old,
      ['Compare', '“find venues”.'],
      [open('Compare'), done('“find venues”.')],
      0,
    ],
    [
      'puts the cursor on the first open item (C3)',
      old,
      ['Find venues', 'Call them'],
      [done('Find venues'), open('Call them')],
      1,
    ],
    [
      'puts the cursor at the end when nothing is open (C3, R37)',
      old,
      ['Find venues'],
      [done('Find venues')],
      1,
    ],
    [
      'keeps an open item open that has a finished namesake (C3)',
      [done('Check'), open('Ask'), open('Check')],
      ['Check', 'Write', 'Check'],
      [done('Check'), open('Write'), open('Check')],
      1,
    ],
    [
      'keeps the progress of a full list with namesakes (C3)',
      [done('Check'), open('Check')],
      ['Check', 'Check'],
      [done('Check'), open('Check')],
      1,
    ],
    [
      'starts the namesake that is left (C3)',
      [done('Check'), open('Check')],
      ['Check'],
      [open('Check')],
      0,
    ],
    ['trims its items', [], [' Look it up '], [open('Look it up')], 0],
  ])('%s', (_, before, list, items, index) => {
    expect(alignPlan(before, list, [])).toEqual({ items, index })
  })

  it('remembers what was completed before an earlier replan dropped it (C3)', () => {
    const { items } = alignPlan(
      [open('Book')],
      ['Find venues', 'Book it'],
      [concluded('Find venues')],
    )
    expect(items).toEqual([done('Find venues'), open('Book it')])
  })

  it('does not take an item that failed for a completed one (C3, C5)', () => {
    const { items, index } = alignPlan(
      [open('Find venues'), open('Book')],
      ['Find venues', 'Call'],
      [concluded('Find venues', false)],
    )
    expect([items, index]).toEqual([[open('Find venues'), open('Call')], 0])
  })

  it('keeps every text, and a cursor on the first open item, whatever the lists (C3, R37)', () => {
    const text = fc.constantFrom('a', 'b', 'c', 'A.', ' b ', '…')
    const item = fc.record({ text, done: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(item),
        fc.array(text),
        fc.array(text.map((one) => concluded(one))),
        (before, list, conclusions) => {
          const { items, index } = alignPlan(before, list, conclusions)
          expect(items.map((one) => one.text)).toEqual(list.map((one) => one.trim()))
          expect(items.slice(0, index).every((one) => one.done)).toBe(true)
          expect(items[index]?.done ?? false).toBe(false)
        },
      ),
      { numRuns: runs() },
    )
  })
})

describe('what a replan changed', () => {
  const because = { step: 3, question: 'Which city?', text: 'Lisbon', author: ana }

  it('names new and dropped items with the words that made it (C57)', () => {
    const change = planChange(
      [done('Find venues'), open('Compare')],
      [open('Book in Lisbon')],
      because,
    )
    expect(change).toEqual({ added: ['Book in Lisbon'], dropped: ['Compare'], because })
  })

  it('is nothing when only finished items are left out (F4)', () => {
    expect(planChange([done('Find venues'), open('Compare')], [open('compare')], null)).toBeNull()
  })

  it('is said even if a person’s words changed nothing (R146)', () => {
    expect(planChange([open('Compare')], [open('Compare')], because)).toEqual({
      added: [],
      dropped: [],
      because,
    })
  })

  it('does not call an item new that was completed long ago (C3)', () => {
    expect(planChange([open('Book')], [done('Find venues'), open('Book')], null)).toBeNull()
  })
})
