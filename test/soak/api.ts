import { setTimeout as wait } from 'node:timers/promises'
import type { ConversationView } from '../../src/adapters/web/views.ts'
import type { Host } from './host.ts'

export interface Answer {
  status: number
  body: Record<string, unknown>
}

/**
 * A client that behaves as the page does: whatever was not answered is sent again, with the same id, until it is.
 * `again` says that an earlier try may have arrived.
 */
export interface Api {
  get(path: string): Promise<Answer>
  post(path: string, body?: object): Promise<Answer & { again: boolean }>
  conversation(id: string): Promise<ConversationView>
}

/** A bound for what hangs, however busy the machine is; no rule. */
const patienceMs = 120_000

export function createApi(host: Host): Api {
  async function send(
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer & { again: boolean }> {
    const until = Date.now() + patienceMs
    for (let tries = 0; ; tries++) {
      const answer = await attempt(host.url(), method, path, body)
      if (answer !== null && answer.status < 500) return { ...answer, again: tries > 0 }
      if (Date.now() > until)
        throw new Error(`${method} ${path} got no answer: ${JSON.stringify(answer)}`)
      await wait(10)
    }
  }
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    async conversation(id) {
      const { status, body } = await send('GET', `/api/conversations/${id}`)
      if (status !== 200) throw new Error(`conversation ${id}: ${status} ${JSON.stringify(body)}`)
      return body as unknown as ConversationView
    },
  }
}

/** Null when no answer came. A request to a process that dies in it is cut after a moment. */
async function attempt(
  base: string | null,
  method: string,
  path: string,
  body?: object,
): Promise<Answer | null> {
  if (base === null) return null
  try {
    const response = await fetch(base + path, {
      method,
      signal: AbortSignal.timeout(6_000),
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  } catch {
    return null
  }
}
