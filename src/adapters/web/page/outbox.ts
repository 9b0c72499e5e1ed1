import { assertNever } from '../../../agent/domain/assert.ts'
import type { Answer } from './api.ts'
import { type Attached, forgetFiles } from './attached.ts'
import { keep, recall } from './browser-storage.ts'
import { createRetry, heldMs } from './timers.ts'

/**
 * A message or an answer that the server does not have yet. The browser keeps it until it is
 * acknowledged, and retries under the same id, so that it arrives once and is never lost (R116).
 */
export interface Unsent {
  id: string
  kind: 'message' | 'answer'
  /** Thread; null for the first message of a new one. */
  conversationId: string | null
  questionId: string | null
  path: string
  body: Record<string, unknown>
  text: string
  /** Attached files, which are uploaded first (C242). */
  files?: readonly Attached[]
  at: number
  /** `held`: it can still be taken back (C692). */
  state: 'held' | 'sending' | 'retrying' | 'rejected' | 'sent'
  /** Reason for the rejection, in words. */
  problem: string | null
  /** Message that shows it, once it is sent. */
  messageId: string | null
}

export type Outbox = ReturnType<typeof createOutbox>

export function createOutbox(deps: {
  post(path: string, body: object): Promise<Answer<{ id: string; messageId?: string | null }>>
  /** Uploads a file. One that this browser no longer keeps may have arrived before. */
  upload(file: Attached): Promise<Answer<unknown>>
  changed(items: readonly Unsent[]): void
  sent(item: Unsent, conversationId: string): void
  refused(item: Unsent, message: string): void
  away(cause: 'network' | 'store'): void
}) {
  const kept = createKept(deps.changed)
  let sending = false
  const retry = createRetry(() => void flush())
  // What another page of this browser still holds is its own, unless that page is gone by then
  // (C692).
  setTimeout(() => {
    if (kept.adopt()) void flush()
  }, 2 * heldMs)

  /** Sends one item at a time and in order, so that a thread reads as it was written. */
  async function flush() {
    retry.cancel()
    if (sending) return
    sending = true
    try {
      let item = kept.next()
      while (item !== undefined && (await sendOne(item))) item = kept.next()
      if (item === undefined) retry.succeeded()
      else retry.later()
    } finally {
      sending = false
    }
  }

  async function sendOne(item: Unsent): Promise<boolean> {
    const answer = await post(deps, item)
    switch (answer.kind) {
      case 'ok':
        kept.patch(item.id, { state: 'sent', messageId: answer.value.messageId ?? null })
        deps.sent(
          { ...item, messageId: answer.value.messageId ?? null },
          item.kind === 'answer' ? (item.conversationId ?? '') : answer.value.id,
        )
        return true
      case 'refused':
        kept.patch(item.id, { state: 'rejected', problem: answer.message })
        deps.refused(item, answer.message)
        return true
      case 'away':
        kept.patch(item.id, { state: 'retrying' })
        deps.away(answer.cause)
        return false
      default:
        return assertNever(answer)
    }
  }

  return {
    items: kept.items,
    add(
      item: Omit<Unsent, 'at' | 'state' | 'problem' | 'messageId'>,
      state: 'held' | 'sending' = 'sending',
    ): void {
      kept.add({ ...item, at: Date.now(), state, problem: null, messageId: null })
      void flush()
    },
    /** Sends what was held. A page that is left has no time to send one after the other. */
    release(ids: readonly string[], isLeft: boolean): void {
      const held = kept.items().filter(({ id, state }) => state === 'held' && ids.includes(id))
      for (const { id } of held) kept.patch(id, { state: 'sending' })
      if (isLeft) for (const { path, body } of held.slice(1)) void deps.post(path, body)
      void flush()
    },
    remove: kept.remove,
    /** Retries now instead of later. */
    flush: () => void flush(),
  }
}

/** Posts a message after its files. */
async function post(
  deps: Pick<Parameters<typeof createOutbox>[0], 'post' | 'upload'>,
  { path, body, files = [] }: Unsent,
): ReturnType<typeof deps.post> {
  for (const file of files) {
    const answer = await deps.upload(file)
    if (answer.kind !== 'ok') return answer
  }
  const said = await deps.post(path, body)
  if (said.kind === 'ok') forgetFiles(files)
  return said
}

/** The items, saved in the browser at every change. */
function createKept(changed: (items: readonly Unsent[]) => void) {
  const own = new Set<string>()
  const others = () => stored().filter(({ id }) => !own.has(id))
  const left = () =>
    others()
      .filter((item) => !isHeldElsewhere(item))
      .map((item): Unsent => (item.state === 'held' ? { ...item, state: 'sending' } : item))
  let items: readonly Unsent[] = left()
  for (const { id } of items) own.add(id)
  /** Saves the items. What is held is as of now: the page that holds it is there. */
  function save() {
    const at = Date.now()
    const shown = items.map((item) => (item.state === 'held' ? { ...item, at } : item))
    const all = [...others(), ...shown]
    keep('unsent', all.length === 0 ? '' : JSON.stringify(all))
  }
  function update(next: readonly Unsent[]) {
    for (const { id } of next) own.add(id)
    items = next
    save()
    changed(items)
  }
  // A pointer on its notice holds it for longer (C692).
  setInterval(() => items.some(({ state }) => state === 'held') && save(), heldMs / 2)
  /** Takes over what pages that are gone have left; true if there was something. */
  function adopt() {
    const more = left()
    if (more.length > 0) update([...more, ...items])
    return more.length > 0
  }
  return {
    items: () => items,
    adopt,
    next: () => items.find(({ state }) => state === 'sending' || state === 'retrying'),
    add: (item: Unsent) => update([...items, item]),
    patch: (id: string, change: Partial<Unsent>) =>
      update(items.map((item) => (item.id === id ? { ...item, ...change } : item))),
    remove: (id: string) => update(items.filter((item) => item.id !== id)),
  }
}

/** True for what may still be taken back on another page of this browser. */
const isHeldElsewhere = ({ state, at }: Unsent) => state === 'held' && Date.now() < at + heldMs

/** Items of all pages of this browser. Sent ones are dropped, as their thread shows them. */
function stored(): Unsent[] {
  try {
    const kept: unknown = JSON.parse(recall('unsent') ?? '[]')
    return Array.isArray(kept) ? kept.filter((item: Unsent) => item.state !== 'sent') : []
  } catch {
    return []
  }
}
