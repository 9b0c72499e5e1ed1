import { expect, it } from 'vitest'
import { deriveId } from '../../../src/agent/domain/id.ts'
import { openThread } from '../../../src/agent/kernel/open-thread.ts'

const opening = {
  workspace: 'web:local',
  channel: 'web',
  title: 'Tidy up',
  locale: 'zh',
  timeZone: 'UTC',
  at: 1,
}

it('opens the same thread for the same work, unread, and shows the plan of a run in it (R106)', () => {
  const { shown, opening: change } = openThread(null, { kind: 'run', refId: 'r_1' }, opening)
  const id = deriveId('c', 'run', 'r_1')
  const { conversation } = shown
  expect(conversation).toMatchObject({
    id,
    title: 'Tidy up',
    locale: 'zh',
    lastReadAt: null,
    foreground: 'r_1',
  })
  const runs = [{ id: 'r_1', patch: { conversationId: id } }]
  expect(change).toEqual({ conversation: { open: conversation }, conversationId: id, runs })
})

it('names the thread of a schedule’s words by its workspace too', () => {
  const { shown, opening: change } = openThread(
    null,
    { kind: 'schedule', refId: 'team schedule:1:5:note' },
    opening,
  )
  const id = deriveId('c', 'schedule', 'web:local', 'team schedule:1:5:note')
  expect(shown.conversation).toMatchObject({ id, foreground: null })
  expect(change).toEqual({ conversation: { open: shown.conversation }, conversationId: id })
  expect(openThread(shown, { kind: 'run', refId: 'r_1' }, opening)).toEqual({ shown, opening: {} })
})
