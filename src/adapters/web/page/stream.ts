import type { Delivery } from '../../../agent/domain/delivery.ts'
import type { ProgressView } from '../../../agent/domain/progress.ts'

/** What the server tells an open page. */
export type Told =
  | { kind: 'delivery'; conversationId: string; delivery: Delivery }
  | { kind: 'progress'; conversationId: string; progress: ProgressView }
  | { kind: 'changed'; conversationId: string }
  /** Connected, or something was missed: fetch what is shown anew. */
  | { kind: 'fresh' }
  | { kind: 'store_away' }
  | { kind: 'cut' }

const pauses = [500, 1_000, 2_000]

/** Listens for as long as the page is open. The browser resumes by itself; where it gives up, this starts anew after the last id. */
export function listen(person: string, told: (event: Told) => void): void {
  let last = ''
  let failures = 0

  function connect(): void {
    const after = last === '' ? '' : `&after=${encodeURIComponent(last)}`
    const source = new EventSource(`/api/events?author=${encodeURIComponent(person)}${after}`)
    const fresh = (event: MessageEvent): void => {
      failures = 0
      last = event.lastEventId || last
      told({ kind: 'fresh' })
    }
    const passOn = (event: MessageEvent): void => {
      last = event.lastEventId || last
      told(JSON.parse(event.data))
    }
    for (const name of ['ready', 'reset', 'back']) source.addEventListener(name, fresh)
    for (const name of ['delivery', 'progress', 'changed']) source.addEventListener(name, passOn)
    source.addEventListener('away', () => told({ kind: 'store_away' }))
    source.onerror = () => {
      told({ kind: 'cut' })
      if (source.readyState !== EventSource.CLOSED) return
      setTimeout(connect, pauses[Math.min(failures, pauses.length - 1)])
      failures += 1
    }
  }

  connect()
}
