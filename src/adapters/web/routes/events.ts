import { streamSSE } from 'hono/streaming'
import type { App, Web } from '../context.ts'
import { describedRoute } from '../described-route.ts'
import { eventOf } from '../events.ts'
import type { HubItem } from '../hub.ts'
import { limits } from '../limits.ts'
import { text } from '../openapi.ts'

/**
 * Server-sent events: `ready`, `delivery`, `progress`, `changed`, `reset`, `away`, `back`. Those with an id can be resumed
 * after, by the header that browsers send themselves or by `?after=`.
 */
export function addEventRoutes(app: App, web: Web): void {
  const operation = {
    summary: 'Server-sent events: ready, delivery, progress, changed, reset, away, back',
    description:
      'Resumes after the id in the Last-Event-ID header or in `after`. `reset`: something was missed, fetch anew.',
    query: ['after', 'author'],
    answers: { 200: text },
    media: 'text/event-stream',
  }
  describedRoute(app, 'get', '/api/events', operation, (c) => {
    const after = c.req.header('last-event-id') ?? c.req.query('after') ?? null
    const person = c.req.query('author') ?? 'local'
    // Proxies that collect answers before they pass them on would hold everything back.
    c.header('X-Accel-Buffering', 'no')
    return streamSSE(c, async (stream) => {
      const queue = createQueue()
      const leave = web.hub.subscribe(after === '' ? null : after, queue.push)
      const stopBeating = web.deps.clock.every(limits.heartbeatMs, async () => queue.push('beat'))
      stream.onAbort(queue.close)
      web.stopping.addEventListener('abort', queue.close)
      try {
        for (let item = await queue.next(); item !== null; item = await queue.next()) {
          const frame = item === 'beat' ? ': beat\n\n' : frameOf(item, person)
          if (frame !== null) await stream.write(frame)
        }
      } finally {
        leave()
        stopBeating()
        web.stopping.removeEventListener('abort', queue.close)
      }
    })
  })
}

/** One item as it goes over the wire; null when it is none of this person's business. */
function frameOf(item: HubItem, person: string): string | null {
  if (item.kind === 'event') {
    const event = eventOf(item.event.body)
    if (event === null || (event.to !== undefined && event.to !== person)) return null
    return `id: ${item.event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`
  }
  const id = 'id' in item ? `id: ${item.id}\n` : ''
  return `${id}event: ${item.kind}\ndata: {}\n\n`
}

/** What waits for one tab. A tab that is too slow loses it all and is told to fetch everything anew. */
function createQueue(): {
  push(item: HubItem | 'beat'): void
  next(): Promise<HubItem | 'beat' | null>
  close(): void
} {
  let items: (HubItem | 'beat')[] = []
  let closed = false
  let wake: (() => void) | null = null
  return {
    push(item) {
      items.push(item)
      if (items.length > limits.eventBacklog) items = [{ kind: 'reset', id: newestOf(items) }]
      wake?.()
    },
    async next() {
      while (items.length === 0 && !closed)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return closed ? null : (items.shift() ?? null)
    },
    close() {
      closed = true
      wake?.()
    },
  }
}

/** The id up to which a list of waiting items would have brought a tab. */
function newestOf(items: readonly (HubItem | 'beat')[]): string {
  return items.reduce((newest, item) => (item !== 'beat' && item.kind === 'event' ? item.event.id : newest), '')
}
