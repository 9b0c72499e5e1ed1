import { assertNever } from '../../../agent/domain/assert.ts'
import type { Answer } from './api.ts'
import { keep, recall } from './browser-storage.ts'

/**
 * Something that a person wrote or chose and that the server does not have yet. It is kept in the browser until it is
 * acknowledged and sent again under the same id, so that it arrives once and is never lost (R116).
 */
export interface Unsent {
  id: string
  kind: 'message' | 'answer'
  /** Null for the first message of a new thread. */
  conversationId: string | null
  questionId: string | null
  path: string
  body: Record<string, unknown>
  text: string
  at: number
  state: 'sending' | 'retrying' | 'rejected' | 'sent'
  /** Why it was rejected, in words. */
  problem: string | null
  /** Of a sent one: the message that shows it from now on. */
  messageId: string | null
}

export interface Outbox {
  items(): readonly Unsent[]
  add(item: Pick<Unsent, 'id' | 'kind' | 'conversationId' | 'questionId' | 'path' | 'body' | 'text'>): void
  remove(id: string): void
  /** Tries now instead of later. */
  flush(): void
}

const pauses = [500, 1_000, 2_000]

export function createOutbox(deps: {
  post(path: string, body: object): Promise<Answer<{ id: string; messageId?: string | null }>>
  changed(items: readonly Unsent[]): void
  sent(item: Unsent, conversationId: string): void
  refused(item: Unsent, message: string): void
  away(cause: 'network' | 'store'): void
}): Outbox {
  let items: Unsent[] = restore()
  let sending = false
  let failures = 0
  let later: ReturnType<typeof setTimeout> | undefined

  function update(next: Unsent[]): void {
    items = next
    keep('unsent', items.length === 0 ? '' : JSON.stringify(items))
    deps.changed(items)
  }
  const patch = (id: string, change: Partial<Unsent>): void =>
    update(items.map((item) => (item.id === id ? { ...item, ...change } : item)))

  /** One at a time and in order, so that a thread reads as it was written. */
  async function flush(): Promise<void> {
    clearTimeout(later)
    if (sending) return
    sending = true
    try {
      for (let item = next(); item !== undefined; item = next()) if (!(await sendOne(item))) return
      failures = 0
    } finally {
      sending = false
    }
  }
  const next = (): Unsent | undefined => items.find(({ state }) => state === 'sending' || state === 'retrying')

  async function sendOne(item: Unsent): Promise<boolean> {
    const answer = await deps.post(item.path, item.body)
    switch (answer.kind) {
      case 'ok':
        patch(item.id, { state: 'sent', messageId: answer.value.messageId ?? null })
        deps.sent(item, item.kind === 'answer' ? (item.conversationId ?? '') : answer.value.id)
        return true
      case 'refused':
        patch(item.id, { state: 'rejected', problem: answer.message })
        deps.refused(item, answer.message)
        return true
      case 'away':
        patch(item.id, { state: 'retrying' })
        deps.away(answer.cause)
        later = setTimeout(() => void flush(), pauses[Math.min(failures, pauses.length - 1)])
        failures += 1
        return false
      default:
        return assertNever(answer)
    }
  }

  return {
    items: () => items,
    add(item) {
      update([...items, { ...item, at: Date.now(), state: 'sending', problem: null, messageId: null }])
      void flush()
    },
    remove: (id) => update(items.filter((item) => item.id !== id)),
    flush: () => void flush(),
  }
}

/** What an earlier visit left behind. What it had sent is shown by its message. */
function restore(): Unsent[] {
  try {
    const kept: unknown = JSON.parse(recall('unsent') ?? '[]')
    return Array.isArray(kept) ? kept.filter((item: Unsent) => item.state !== 'sent' && item.kind === 'message') : []
  } catch {
    return []
  }
}
