import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import type { App, Web } from '../context.ts'
import { namesOf, senders } from '../event-senders.ts'
import { limits } from '../limits.ts'
import { described } from '../openapi.ts'
import { refuse } from '../problems.ts'

const Arrived = z.object({
  tasks: z.int().describe('Tasks that it starts'),
  passed: z.int().describe('Rules whose conditions it does not meet'),
})

const path = '/hooks/:name'
const description = described(
  { method: 'post', path, members: true },
  {
    summary: 'Takes an event from a service that signs it; 200 where it starts nothing',
    description: 'The service proves who it is in a header of its own. See docs/events.md.',
    status: 202,
    answer: Arrived,
    otherwise: { 200: Arrived },
    refusals: [
      'unknown_hook',
      'wrong_signature',
      'event_too_large',
      'event_not_json',
      'too_many_events',
    ],
  },
)

/** First event of some senders, which only says that the hook was set up. */
const greetings: readonly (string | null)[] = ['ping']

/**
 * C640: takes an event from a service outside. 202 once it is stored for every rule that it
 * matches; 200 where it starts nothing.
 */
export function addHookRoute(app: App, { hooks, clock, reach }: Web): void {
  const small = bodyLimit({
    maxSize: limits.bodyBytes,
    onError: () => refuse('event_too_large'),
  })
  const take = async (c: Context) => {
    const found = hooks?.shown.find(({ source }) => source.name === c.req.param('name'))
    if (hooks === undefined || found === undefined) return refuse('unknown_hook')
    const sender = senders[found.from]
    const header = (name: string) => c.req.header(name)
    const body = await c.req.text()
    const sent = { header, body, secret: found.secret, now: clock.now() }
    if (!(await sender.isGenuine(sent))) return refuse('wrong_signature')
    const data = jsonOf(body)
    const names = namesOf(sender, header, data)
    if (greetings.includes(names.kind)) return c.json({ tasks: 0, passed: 0 }, 200)
    const arrival = await reach(() => hooks.arrive(found.source, { ...names, body, data }))
    if (arrival === null) {
      c.header('Retry-After', '60')
      return refuse('too_many_events')
    }
    return c.json(arrival, arrival.tasks > 0 ? 202 : 200)
  }
  app.post(path, description, small, take)
  // Grafana can be set to either of both.
  app.put(path, small, take)
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return refuse('event_not_json')
  }
}
