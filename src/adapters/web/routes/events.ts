import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import type { Told } from '../broadcaster.ts'
import type { Web } from '../context.ts'
import { eventOf } from '../events.ts'
import { limits } from '../limits.ts'
import { routesWith } from '../route.ts'

const { route } = routesWith<Web>()

/**
 * Server-sent events: `ready`, `delivery`, `progress`, `changed`, `news`, `draft`, `reset`, `away`, `back`. Those with an id can be
 * resumed after, by the header that browsers send themselves or by `?after=`.
 */
export const eventRoute = route('get', '/api/events', {
  summary: 'Server-sent events: ready, delivery, progress, changed, news, draft, reset, away, back',
  description:
    'Resumes after the id in the Last-Event-ID header or in `after`. `reset`: something was missed, fetch anew. `draft`: what is being written in a thread, as HTML, until its message is there; null takes it back. `news`: something changed in a conversation of any platform.',
  query: ['after', 'author'],
  answer: z.string(),
  media: 'text/event-stream',
  async handle({ c, web }) {
    const after = c.req.header('last-event-id') ?? c.req.query('after') ?? ''
    const person = c.req.query('author') ?? 'local'
    // Proxies that collect answers before they pass them on would hold everything back.
    c.header('X-Accel-Buffering', 'no')
    return streamSSE(c, async (stream) => {
      const queue = createQueue()
      const leave = web.broadcaster.subscribe(after === '' ? null : after, queue.push)
      const stopBeating = web.deps.clock.every(limits.heartbeatMs, async () => void (await stream.write(': beat\n\n')))
      stream.onAbort(() => queue.push(null))
      try {
        for (let told = await queue.next(); told !== null; told = await queue.next())
          await stream.write(frameOf(told, person))
      } finally {
        leave()
        stopBeating()
      }
    })
  },
})

/** One item as it goes over the wire; nothing when it is none of this person's business. */
function frameOf(told: Told, person: string): string {
  if (told.kind === 'event') {
    const event = eventOf(told.event.body)
    if (event === null || (event.to !== undefined && event.to !== person)) return ''
    return `id: ${told.event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`
  }
  if (told.kind === 'draft' || told.kind === 'news') return `event: ${told.kind}\ndata: ${JSON.stringify(told)}\n\n`
  const id = 'id' in told ? `id: ${told.id}\n` : ''
  return `${id}event: ${told.kind}\ndata: {}\n\n`
}

/** What waits for one tab. A tab that is too slow loses it all and is told to fetch everything anew. */
function createQueue(): { push(told: Told | null): void; next(): Promise<Told | null> } {
  let waiting: (Told | null)[] = []
  let wake = (): void => {}
  return {
    push(told) {
      if (told === null) waiting = []
      waiting.push(told)
      if (waiting.length > limits.eventBacklog) waiting = [{ kind: 'reset', id: newestOf(waiting) }]
      wake()
    },
    async next() {
      while (waiting.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return waiting.shift() ?? null
    },
  }
}

/** The id up to which a list of waiting items would have brought a tab. */
function newestOf(waiting: readonly (Told | null)[]): string {
  const newest = waiting.findLast((told) => told?.kind === 'event')
  return newest?.kind === 'event' ? newest.event.id : ''
}
