import { describe, expect, it } from 'vitest'
import type { Conversation } from '../../../src/agent/domain/conversation.ts'
import type { RunStatus } from '../../../src/agent/domain/run.ts'
import { type ChangePart, ConflictingChange, mergeChanges } from '../../../src/agent/kernel/change.ts'

const opened: Conversation = {
  version: 1,
  id: 'c',
  address: { workspace: 'web:local', channel: 'web', thread: null },
  title: 'Task completed: Tidy up',
  createdAt: 1,
  updatedAt: 1,
  lastReadAt: null,
  foreground: 'r',
  locale: 'en',
  timeZone: 'UTC',
  remindAt: null,
}

describe('merging the parts of one commit', () => {
  it('joins lists in order', () => {
    const runs = [{ id: 'a', patch: {} }]
    expect(mergeChanges({ runs }, { runs: [{ id: 'b', patch: {} }] }).runs?.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('adds up what several parts change of the conversation', () => {
    const named = { conversation: { id: 'c', patch: { title: 'Offsite' } } }
    const shown = { conversation: { id: 'c', patch: { foreground: 'r' } } }
    expect(mergeChanges(named, shown, named).conversation).toEqual({
      id: 'c',
      patch: { title: 'Offsite', foreground: 'r' },
    })
  })

  it('opens a conversation also when another part patches it (R106)', () => {
    const opening = { conversation: { open: opened } }
    const patching = { conversation: { id: 'c', patch: { remindAt: 7 } } }
    expect(mergeChanges(opening, patching).conversation).toEqual({ open: { ...opened, remindAt: 7 } })
    expect(mergeChanges(patching, opening).conversation).toEqual({ open: { ...opened, remindAt: 7 } })
  })

  it('adds up what is taken off the mailbox', () => {
    expect(mergeChanges({ consume: 1 }, { progress: 'r' }, { consume: 1 })).toEqual({ consume: 2, progress: 'r' })
  })

  it.each<[string, ChangePart, ChangePart]>([
    ['whose progress is shown', { progress: 'a' }, { progress: 'b' }],
    ['which conversation it speaks of', { conversationId: 'c' }, { conversationId: 'd' }],
    ['a patch of the conversation', patchOf({ title: 'Offsite' }), patchOf({ title: 'Onsite' })],
    ['a patch of a run', statusOf('running'), statusOf('paused')],
  ])('refuses two answers to %s', (_, one, other) => {
    expect(mergeChanges(one, one)).toBeDefined()
    expect(() => mergeChanges(one, other)).toThrow(ConflictingChange)
  })

  it('refuses to count tokens twice', () => {
    const used = {
      usage: { day: '2026-03-04', person: null, channel: null, promptTokens: 1, completionTokens: 0, cost: 0 },
    }
    expect(() => mergeChanges(used, used)).toThrow(ConflictingChange)
  })
})

function patchOf(patch: Partial<Conversation>): ChangePart {
  return { conversation: { id: 'c', patch } }
}

function statusOf(status: RunStatus): ChangePart {
  return { runs: [{ id: 'r', patch: { status } }] }
}
