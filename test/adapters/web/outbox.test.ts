import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../../src/adapters/web/page/api.ts'
import { keep } from '../../../src/adapters/web/page/browser-storage.ts'
import { createOutbox, type Unsent } from '../../../src/adapters/web/page/outbox.ts'

type Reply = Answer<{ id: string; messageId?: string | null }>

describe('what a browser has not sent yet', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    keep('unsent', '')
  })

  /** An outbox whose server answers what the test says. */
  function start(reply: () => Reply) {
    const posted: string[] = []
    const refused: string[] = []
    const outbox = createOutbox({
      async post(_path, body) {
        posted.push((body as { clientMessageId: string }).clientMessageId)
        return reply()
      },
      upload: async () => ({ kind: 'ok', value: null }),
      changed: () => undefined,
      sent: () => undefined,
      refused: (item) => refused.push(item.id),
      away: () => undefined,
    })
    return { outbox, posted, refused }
  }
  const message = (
    id: string,
  ): Pick<Unsent, 'id' | 'kind' | 'conversationId' | 'questionId' | 'path' | 'body' | 'text'> => {
    const body = { text: id, clientMessageId: id }
    return {
      id,
      kind: 'message',
      conversationId: 'c',
      questionId: null,
      path: '/x',
      body,
      text: id,
    }
  }
  const states = (outbox: { items(): readonly Unsent[] }) =>
    outbox.items().map(({ id, state }) => `${id} ${state}`)

  it('sends one after the other, in the order they were written', async () => {
    const { outbox, posted } = start(() => ({ kind: 'ok', value: { id: 'c', messageId: 'm' } }))
    for (const id of ['a', 'b', 'c']) outbox.add(message(id))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(posted).toEqual(['a', 'b', 'c'])
    expect(states(outbox)).toEqual(['a sent', 'b sent', 'c sent'])
  })

  it('tries again under the same id until it is taken, and nothing overtakes it (R116)', async () => {
    let away = true
    const { outbox, posted } = start(() =>
      away ? { kind: 'away', cause: 'store' } : { kind: 'ok', value: { id: 'c', messageId: 'm' } },
    )
    outbox.add(message('a'))
    outbox.add(message('b'))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(new Set(posted)).toEqual(new Set(['a']))
    expect(states(outbox)).toEqual(['a retrying', 'b sending'])
    away = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect(posted.slice(-2)).toEqual(['a', 'b'])
  })

  it('keeps a refused one with its text and goes on with the next', async () => {
    let first = true
    const { outbox, refused } = start(() => {
      const reply: Reply = first
        ? { kind: 'refused', code: 'text_too_long', message: 'too long' }
        : { kind: 'ok', value: { id: 'c' } }
      first = false
      return reply
    })
    outbox.add(message('a'))
    outbox.add(message('b'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(states(outbox)).toEqual(['a rejected', 'b sent'])
    expect(outbox.items()[0]).toMatchObject({ text: 'a', problem: 'too long' })
    expect(refused).toEqual(['a'])
  })

  it('finds again what an earlier visit left behind', async () => {
    const { outbox } = start(() => ({ kind: 'away', cause: 'network' }))
    outbox.add(message('a'))
    await vi.advanceTimersByTimeAsync(100)
    const later = start(() => ({ kind: 'ok', value: { id: 'c' } }))
    expect(states(later.outbox)).toEqual(['a retrying'])
    later.outbox.flush()
    await vi.advanceTimersByTimeAsync(0)
    expect(later.posted).toEqual(['a'])
  })

  it('sends an answer, too, that was given before the page was loaded anew', async () => {
    const { outbox } = start(() => ({ kind: 'away', cause: 'network' }))
    outbox.add({ ...message('a'), kind: 'answer', questionId: 'q' })
    await vi.advanceTimersByTimeAsync(100)
    const later = start(() => ({ kind: 'ok', value: { id: 'q' } }))
    later.outbox.flush()
    await vi.advanceTimersByTimeAsync(0)
    expect(later.posted).toEqual(['a'])
  })

  it('leaves what another page holds to that page, until it must be gone (C692)', async () => {
    const answered = (): Reply => ({ kind: 'ok', value: { id: 'q' } })
    const { outbox } = start(answered)
    for (const id of ['a', 'b']) outbox.add({ ...message(id), kind: 'answer' }, 'held')
    const other = start(answered)
    other.outbox.add(message('c'))
    await vi.advanceTimersByTimeAsync(60_000)
    const third = start(answered)
    expect(third.posted).toEqual([])
    expect(other.posted).toEqual(['c'])
    outbox.remove('a')
    // The first page is gone: its answer is sent by a later one, what it took back is not.
    const now = Date.now()
    vi.clearAllTimers()
    vi.setSystemTime(now)
    const later = start(answered)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(later.posted).toEqual(['b'])
  })

  it('begins empty when what was kept cannot be read', () => {
    keep('unsent', '{"not": "a list"')
    expect(start(() => ({ kind: 'away', cause: 'network' })).outbox.items()).toEqual([])
  })
})
