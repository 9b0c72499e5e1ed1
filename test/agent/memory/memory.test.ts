import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fact, Proposal } from '../../../src/agent/domain/fact.ts'
import {
  accept,
  add,
  applied,
  edit,
  expire,
  type Memory,
  type MemoryChange,
  type MemoryStep,
  memoryLimits,
  move,
  propose,
  reject,
  type Wish,
} from '../../../src/agent/domain/memory.ts'
import { memberMay } from '../../support/may.ts'
import { runs } from '../../support/runs.ts'

const may = memberMay('remember')
const ana = { id: 'ana', name: 'Ana' }
const ben = { id: 'ben', name: 'Ben' }
const nothing: Memory = { last: 0, facts: [], proposals: [] }
const wish = (text: string, over: Partial<Wish> = {}): Wish => ({
  scope: 'thread',
  key: 'city',
  text,
  policy: 'overwrite_latest',
  source: { kind: 'message', conversationId: 'c_1', messageId: 'm_1' },
  by: null,
  at: 100,
  ...over,
})
function done(step: MemoryStep): MemoryChange {
  if (!step.ok) throw new Error(step.problem.kind)
  return step.change
}
const problemOf = (step: MemoryStep) => (step.ok ? null : step.problem.kind)
function doing(memory: Memory, step: MemoryStep): Memory {
  return applied(memory, done(step))
}

describe('a proposal', () => {
  it('waits, says where it comes from, and has one event (F30)', () => {
    const { proposal, fact, event } = done(propose(nothing, wish('Lisbon'), 500))
    expect(fact).toBeNull()
    expect(proposal).toMatchObject({
      id: 1,
      status: 'pending',
      expiresAt: 500,
      source: { kind: 'message', messageId: 'm_1' },
    })
    expect(event).toMatchObject({ what: 'proposed', id: 1, by: null, at: 100 })
  })

  it('becomes a fact by one person’s word, and is decided once (F30)', () => {
    const memory = doing(nothing, propose(nothing, wish('Lisbon'), 500))
    const decided = doing(memory, accept(memory, 1, { by: ana, at: 200 }, may))
    expect(decided.facts).toMatchObject([
      { id: 1, status: 'active', text: 'Lisbon', revision: 1, acceptedBy: ana },
    ])
    expect(decided.proposals).toMatchObject([{ status: 'accepted', decidedBy: ana, factId: 1 }])
    for (const again of [
      accept(decided, 1, { by: ben, at: 300 }, may),
      reject(decided, 1, ben, 300),
      expire(decided, 1, 900),
    ])
      expect(problemOf(again)).toBe('decided')
  })

  it('that nobody decided in time cannot be accepted any more, whether that was written down or not (F30)', () => {
    const memory = doing(nothing, propose(nothing, wish('Lisbon'), 500))
    expect(problemOf(expire(memory, 1, 499))).toBe('decided')
    expect(problemOf(accept(memory, 1, { by: ana, at: 500 }, may))).toBe('decided')
    expect(done(expire(memory, 1, 500))).toMatchObject({
      proposal: { status: 'expired' },
      event: { by: null },
    })
  })

  it('of the same words is not made twice, and only so many wait', () => {
    let memory = doing(nothing, propose(nothing, wish('Lisbon'), 500))
    expect(problemOf(propose(memory, wish('lisbon!'), 500))).toBe('known')
    for (let n = 1; n < memoryLimits.pending; n++)
      memory = doing(memory, propose(memory, wish(`${n}`), 500))
    expect(problemOf(propose(memory, wish('one more'), 500))).toBe('too_many')
    expect(propose(memory, wish('one more', { at: 500 }), 900).ok).toBe(true)
  })
})

describe('a fact', () => {
  const known = (text: string, over: Partial<Wish> = {}) =>
    doing(nothing, add(nothing, wish(text, { by: ana, ...over }), may))

  it('gets a new text and a higher revision, with the difference in its event (F30 overwrite_latest)', () => {
    const memory = known('Lisbon')
    const change = done(add(memory, wish('Porto', { by: ben, at: 200 }), may))
    expect(change.fact).toMatchObject({
      id: 1,
      text: 'Porto',
      revision: 2,
      createdAt: 100,
      updatedAt: 200,
    })
    expect(change.event).toMatchObject({
      what: 'added',
      id: 1,
      diff: { before: 'Lisbon', after: 'Porto' },
    })
    expect(applied(memory, change).facts).toHaveLength(1)
  })

  it('gets other words from a person under the same name, and keeps its source (C255)', () => {
    const memory = doing(
      known('Lisbon'),
      add(known('Lisbon'), wish('We eat fish', { key: null }), may),
    )
    const change = done(edit(memory, 1, 'Porto', { by: ben, at: 200 }))
    expect(change.fact).toMatchObject({
      id: 1,
      key: 'city',
      text: 'Porto',
      revision: 2,
      acceptedBy: ben,
      updatedAt: 200,
    })
    expect(change.fact?.source).toEqual(wish('').source)
    expect(change.event).toMatchObject({
      what: 'added',
      by: ben,
      diff: { before: 'Lisbon', after: 'Porto' },
    })
    expect(applied(memory, change).facts).toHaveLength(2)
    const twin = doing(memory, add(memory, wish('We eat', { key: null }), may))
    expect(problemOf(edit(twin, 3, 'we eat  fish', { by: ben, at: 200 }))).toBe('known')
    expect(
      problemOf(edit(twin, 3, 'We Eat', { by: ben, at: 200 })),
      'its own words in another form',
    ).toBeNull()
    const gone = doing(memory, move(memory, 1, 'revoked', { by: ana, at: 200 }))
    expect(problemOf(edit(gone, 1, 'Porto', { by: ben, at: 300 }))).toBe('already')
    expect(problemOf(edit(gone, 9, 'Porto', { by: ben, at: 300 }))).toBe('not_found')
  })

  it('stays beside another of its key where that is wanted, or where there is no key (F30 keep_both)', () => {
    const memory = known('Lisbon')
    expect(
      doing(memory, add(memory, wish('Porto', { policy: 'keep_both' }), may)).facts,
    ).toHaveLength(2)
    const loose = known('Lisbon', { key: null })
    expect(doing(loose, add(loose, wish('Porto', { key: null }), may)).facts).toHaveLength(2)
  })

  it('is taken back and comes again: active → revoked or archived → active (F30)', () => {
    let memory = known('Lisbon')
    for (const what of ['revoked', 'archived'] as const) {
      memory = doing(memory, move(memory, 1, what, { by: ana, at: 200 }))
      expect(memory.facts[0]?.status).toBe(what)
      expect(problemOf(move(memory, 1, 'archived', { by: ana, at: 200 }))).toBe('already')
      memory = doing(memory, move(memory, 1, 'restored', { by: ana, at: 300 }))
      expect(memory.facts[0]?.status).toBe('active')
    }
    expect(problemOf(move(memory, 1, 'restored', { by: ana, at: 400 }))).toBe('already')
  })

  it('does not come back over one that has its key by now', () => {
    let memory = known('Lisbon')
    memory = doing(memory, move(memory, 1, 'revoked', { by: ana, at: 200 }))
    memory = doing(memory, add(memory, wish('Porto'), may))
    expect(problemOf(move(memory, 1, 'restored', { by: ana, at: 300 }))).toBe('taken')
  })
})

it('keeps its rules whatever is done to it, with one event a change (F30)', () => {
  const allowed: Record<string, readonly string[]> = {
    pending: ['pending', 'accepted', 'rejected', 'expired'],
    accepted: ['accepted'],
    rejected: ['rejected'],
    expired: ['expired'],
    active: ['active', 'revoked', 'archived'],
    revoked: ['revoked', 'active'],
    archived: ['archived', 'active'],
  }
  const act = fc.record({
    what: fc.constantFrom(
      'propose',
      'add',
      'accept',
      'reject',
      'expire',
      'revoked',
      'archived',
      'restored',
    ),
    id: fc.integer({ min: 1, max: 6 }),
    key: fc.constantFrom('city', 'food', null),
    text: fc.constantFrom('Lisbon', 'Porto', 'Soup', 'Fish'),
    keep: fc.boolean(),
    hours: fc.integer({ min: 0, max: 5 }),
  })
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      let memory = nothing
      let at = 0
      for (const { what, id, key, text, keep, hours } of acts) {
        at += hours
        const wanted = wish(text, { key, at, policy: keep ? 'keep_both' : 'overwrite_latest' })
        const step =
          what === 'propose'
            ? propose(memory, wanted, at + 10)
            : what === 'add'
              ? add(memory, wanted, may)
              : what === 'accept'
                ? accept(memory, id, { by: ana, at }, may)
                : what === 'reject'
                  ? reject(memory, id, ana, at)
                  : what === 'expire'
                    ? expire(memory, id, at)
                    : move(memory, id, what as 'revoked' | 'archived' | 'restored', { by: ana, at })
        if (!step.ok) continue
        const next = applied(memory, step.change)
        for (const list of ['facts', 'proposals'] as const)
          for (const old of memory[list] as readonly (Fact | Proposal)[]) {
            const now = (next[list] as readonly (Fact | Proposal)[]).find(
              (one) => one.id === old.id,
            )
            expect(allowed[old.status]).toContain(now?.status)
          }
        memory = next
      }
      const active = memory.facts.filter(({ status }) => status === 'active')
      expect(new Set(memory.facts.map(({ id }) => id)).size).toBe(memory.facts.length)
      const proposed = memory.proposals.filter(({ status }) => status === 'accepted')
      for (const { factId } of proposed)
        expect(memory.facts.some(({ id }) => id === factId)).toBe(true)
      if (acts.every(({ keep }) => !keep))
        for (const key of ['city', 'food'])
          expect(active.filter((one) => one.key === key).length).toBeLessThan(2)
    }),
    { numRuns: Math.max(2_000, runs()) },
  )
})
