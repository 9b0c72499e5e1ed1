import { describe, expect, it } from 'vitest'
import type { Conversation } from '../../../src/agent/domain/conversation.ts'
import type { Run, RunStatus } from '../../../src/agent/domain/run.ts'
import {
  type ChangePart,
  ConflictingChange,
  mergeChanges,
} from '../../../src/agent/kernel/change.ts'
import { newRun } from '../../../src/agent/kernel/create-run.ts'

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

const opening: ChangePart = { conversation: { open: opened } }

describe('merging the parts of one commit', () => {
  it('joins lists in order', () => {
    const runs = [{ id: 'a', patch: {} }]
    expect(
      mergeChanges({ runs }, { runs: [{ id: 'b', patch: {} }] }).runs?.map(({ id }) => id),
    ).toEqual(['a', 'b'])
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
    const patching = { conversation: { id: 'c', patch: { remindAt: 7 } } }
    expect(mergeChanges(opening, patching).conversation).toEqual({
      open: { ...opened, remindAt: 7 },
    })
    expect(mergeChanges(patching, opening).conversation).toEqual({
      open: { ...opened, remindAt: 7 },
    })
    expect(() => mergeChanges(patching, opening, patchOf({ remindAt: 8 }))).toThrow(
      ConflictingChange,
    )
  })

  it('adds up what is taken off the mailbox', () => {
    expect(mergeChanges({ consume: 1 }, { progress: 'r' }, { consume: 1 })).toEqual({
      consume: 2,
      progress: 'r',
    })
  })

  it.each<[string, ChangePart, ChangePart]>([
    ['whose progress is shown', { progress: 'a' }, { progress: 'b' }],
    ['which conversation it speaks of', { conversationId: 'c' }, { conversationId: 'd' }],
    ['a patch of the conversation', patchOf({ title: 'Offsite' }), patchOf({ title: 'Onsite' })],
    ['a patch of a conversation that is opened', opening, patchOf({ title: 'Onsite' })],
    ['which conversation is opened', opening, { conversation: { id: 'd', patch: {} } }],
    ['a patch of a run', statusOf('running'), statusOf('paused')],
    [
      'when a run is due',
      { runs: [{ id: 'r', patch: {}, due: 1 }] },
      { runs: [{ id: 'r', patch: {}, due: 2 }] },
    ],
    ['what came of a message', outcomeOf('r'), outcomeOf('s')],
    ['a new run', { create: [createdAt(1)] }, { create: [createdAt(2)] }],
  ])('refuses two answers to %s', (_, one, other) => {
    expect(mergeChanges(one, one)).toBeDefined()
    expect(() => mergeChanges(one, other)).toThrow(ConflictingChange)
  })

  it('refuses to count tokens twice', () => {
    const used = {
      usage: {
        day: '2026-03-04',
        person: null,
        channel: null,
        promptTokens: 1,
        completionTokens: 0,
        cost: 0,
      },
    }
    expect(() => mergeChanges(used, used)).toThrow(ConflictingChange)
  })
})

function patchOf(patch: Partial<Conversation>): ChangePart {
  return { conversation: { id: 'c', patch } }
}

function outcomeOf(runId: string): ChangePart {
  return { outcomes: [{ messageId: 'm', outcome: { kind: 'joined', runId } }] }
}

function createdAt(createdAt: number): Run {
  const asked = {
    id: 'r',
    type: 'sleep',
    title: 'Wait',
    input: {},
    conversationId: 'c',
    requestId: 'm',
  } as const
  return newRun({ ...asked, workspace: 'web:local', channel: 'web', requestedBy: null, createdAt })
}

function statusOf(status: RunStatus): ChangePart {
  return { runs: [{ id: 'r', patch: { status } }] }
}
