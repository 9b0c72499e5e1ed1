import { describe, expect, it } from 'vitest'
import type { Conversation } from '../../../src/agent/domain/conversation.ts'
import { together } from '../../../src/agent/kernel/messages.ts'

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

describe('together', () => {
  it('joins lists in order', () => {
    const runs = [{ id: 'a', patch: {} }]
    expect(together({ runs }, { runs: [{ id: 'b', patch: {} }] }).runs?.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('adds up what several parts change of the conversation', () => {
    const named = { conversation: { id: 'c', patch: { title: 'Offsite' } } }
    const shown = { conversation: { id: 'c', patch: { foreground: 'r' } } }
    expect(together(named, shown, named).conversation).toEqual({
      id: 'c',
      patch: { title: 'Offsite', foreground: 'r' },
    })
  })

  it('opens a conversation also when another part patches it (R106)', () => {
    const opening = { conversation: { open: opened } }
    const patching = { conversation: { id: 'c', patch: { remindAt: 7 } } }
    expect(together(opening, patching).conversation).toEqual({ open: { ...opened, remindAt: 7 } })
    expect(together(patching, opening).conversation).toEqual({ open: { ...opened, remindAt: 7 } })
  })
})
