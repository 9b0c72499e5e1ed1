import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import type { TabNotice } from '../broadcaster.ts'
import type { Web } from '../context.ts'
import { webWorkspace } from '../deps.ts'
import { endedIn, eventOf } from '../events.ts'
import { limits } from '../limits.ts'
import { standingOf } from '../membership.ts'
import { seesConversation } from '../permissions.ts'
import { forMembers } from '../route.ts'
import { namesOf } from '../sessions.ts'
import { createTabQueue } from '../tab-queue.ts'
import { memberOf, type Viewer, viewerOf } from '../viewer.ts'
import { authorIn } from './command-context.ts'

const { route } = forMembers

/**
 * Server-sent events: `ready`, `delivery`, `progress`, `changed`, `news`, `draft`, `reset`, `away`,
 * `back`. A stream resumes behind an event's id, by the header that browsers send themselves or by
 * `?after=`.
 */
export const eventRoute = route('get', '/api/events', {
  summary: 'Server-sent events: ready, delivery, progress, changed, news, draft, reset, away, back',
  description:
    'Resumes after the id in the Last-Event-ID header or in `after`. `reset`: something was missed, fetch again. `draft`: what is being written in a thread, as HTML, until its message is there; null takes it back. `news`: something changed in a conversation of any platform; `gone` are the names of what waits there no more.',
  query: ['after', 'author'],
  answer: z.string(),
  media: 'text/event-stream',
  async handle({ c, web }) {
    const after = c.req.header('last-event-id') ?? c.req.query('after') ?? ''
    const viewer = viewerOf(c)
    const person = web.speaker(c, authorIn(c)).id
    // Proxies that buffer answers would hold back every event.
    c.header('X-Accel-Buffering', 'no')
    return streamSSE(c, async (stream) => {
      const queue = createTabQueue(limits.eventBacklog)
      const leave = web.broadcaster.subscribe(after === '' ? null : after, queue.push)
      const stopBeating = web.clock.every(limits.heartbeatMs, async () => {
        // A failing store ends nobody's session; a member's membership is checked with their
        // platform (S26, S27).
        if (await isEnded(web, viewer).catch(() => false)) queue.push(null)
        else await stream.write(': beat\n\n')
      })
      stream.onAbort(() => queue.push(null))
      try {
        for (let all = await queue.next(); all !== null; all = await queue.next()) {
          let frames = ''
          for (const told of all) {
            if (told.kind === 'event' && (await endsHere(web, told.event.body, viewer))) return
            frames += await frameFor(web, viewer, told, person)
          }
          if (frames !== '') await stream.write(frames)
        }
      } finally {
        leave()
        stopBeating()
      }
    })
  },
})

async function isEnded({ door, membership }: Web, viewer: Viewer): Promise<boolean> {
  if (!(await door.isLive(viewer))) return true
  return viewer.kind === 'member' && (await standingOf(membership, viewer.member)) !== 'here'
}

/**
 * True if an event ends this viewer's session. An event that is read again may belong to an earlier
 * session, so the session itself is checked.
 */
async function endsHere({ door }: Web, body: string, viewer: Viewer): Promise<boolean> {
  const ended = endedIn(body)
  if (ended === null) return false
  const isOwn = ended === viewer.session || namesOf(memberOf(viewer)).includes(ended)
  return isOwn && !(await door.isLive(viewer).catch(() => false))
}

/** Frame of one notice; empty if this person must not see it. */
async function frameFor(
  web: Web,
  viewer: Viewer,
  told: TabNotice,
  person: string,
): Promise<string> {
  const about = told.kind === 'event' ? eventOf(told.event.body) : told
  if (about === null || ('to' in about && about.to !== undefined && about.to !== person)) return ''
  const own = 'id' in told ? told.id : null
  const id = told.kind === 'event' ? told.event.id : own
  if (!('conversationId' in about)) return frameOf(about.kind, id, {})
  try {
    const isSeen = await seesConversation(
      web,
      viewer,
      about.workspace ?? webWorkspace,
      about.conversationId,
    )
    return isSeen ? frameOf(about.kind, id, about) : ''
  } catch {
    // The store fails, so it is unknown if the viewer may see it: all has to be fetched again.
    return frameOf('reset', '', {})
  }
}

const frameOf = (event: string, id: string | null, data: object) =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
