import type { Delivery } from '../../../agent/domain/delivery.ts'
import type { ProgressView } from '../../../agent/domain/progress.ts'
import { createRetry } from './timers.ts'

/** Notice from the server to an open page. */
export type ServerNotice =
  | { kind: 'delivery'; conversationId: string; delivery: Delivery }
  | { kind: 'progress'; conversationId: string; progress: ProgressView }
  | { kind: 'changed'; conversationId: string }
  /**
   * Change in a thread of any platform; without an id, of something outside of threads. `gone`
   * names what waits no more.
   */
  | { kind: 'news'; workspace: string; conversationId: string; gone: readonly string[] }
  /** Draft as safe HTML; null ends it. */
  | { kind: 'draft'; conversationId: string; html: string | null }
  /** Connected, or something was missed: what is shown has to be fetched again. */
  | { kind: 'fresh' }
  | { kind: 'store_away' }
  /** Disconnected. `isRefused`: the server refused, perhaps because the page is signed out. */
  | { kind: 'cut'; isRefused: boolean }

/**
 * Listens while the page is open. The browser resumes by itself; if it gives up, this reconnects
 * behind the last id.
 */
export function listen(person: string, told: (event: ServerNotice) => void): void {
  let last = ''
  const retry = createRetry(connect)

  function connect() {
    const after = last === '' ? '' : `&after=${encodeURIComponent(last)}`
    const source = new EventSource(`/api/events?author=${encodeURIComponent(person)}${after}`)
    const fresh = (event: MessageEvent) => {
      retry.succeeded()
      last = event.lastEventId || last
      told({ kind: 'fresh' })
    }
    const passOn = (event: MessageEvent) => {
      last = event.lastEventId || last
      told(JSON.parse(event.data))
    }
    for (const name of ['ready', 'reset', 'back']) source.addEventListener(name, fresh)
    for (const name of ['delivery', 'progress', 'changed', 'news', 'draft'])
      source.addEventListener(name, passOn)
    source.addEventListener('away', () => told({ kind: 'store_away' }))
    source.onerror = () => {
      const isRefused = source.readyState === EventSource.CLOSED
      told({ kind: 'cut', isRefused })
      if (isRefused) retry.later()
    }
  }

  connect()
}
