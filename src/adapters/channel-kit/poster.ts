import { z } from 'zod'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { NotSent } from './send-outcomes.ts'

/** What is there of a delivery: its parts in order, and the thread that it opened. */
const Outgoing = z.object({
  delivery: z.string(),
  thread: z.string().nullable(),
  refs: z.array(z.string()),
  done: z.boolean(),
})
export type Outgoing = z.infer<typeof Outgoing>

/** A delivery as the messages that it is shown as; `where` is for the platform to know. */
export interface Job<Part, Where> {
  delivery: Delivery
  conversation: Conversation
  parts: readonly Part[]
  where: Where
}

/** How a platform posts. What is found or opened on the way is written into the `Outgoing` that it is given. */
export interface PostPlatform<Part, Where, Way> {
  /** Under which name it is noted what is there of a delivery, and for how long. */
  keyOf(job: Job<Part, Where>): string
  keptMs: number
  /**
   * Posting the same part twice makes two messages. So each attempt is noted before it is made, and the next attempt, in
   * any process, looks for the message first. Without a note nobody looks, since looking costs a rate-limited call.
   */
  looksFirst: boolean
  /** Finds or opens the place. */
  begin(job: Job<Part, Where>, out: Outgoing): Promise<{ kind: 'ready'; way: Way } | NotSent>
  /** Posts one part; `instead` are parts that say the same where it is refused as it is. */
  post(
    job: Job<Part, Where>,
    to: { part: Part; index: number; way: Way; out: Outgoing },
  ): Promise<{ kind: 'posted'; ref: string } | { kind: 'instead'; parts: readonly Part[] } | NotSent>
  /**
   * Looks for what an earlier try left, behind `before`: the last message of the delivery before. Null: it cannot be found
   * out now.
   */
  look(job: Job<Part, Where>, out: Outgoing, before: string | null): Promise<{ whole: boolean } | null>
}

/**
 * Posts deliveries in parts. What is there is remembered part by part, so that after a crash or an unclear answer only what
 * is missing is posted again (P1, P2).
 */
export function createPoster<Part, Where, Way>(notes: Notes, platform: PostPlatform<Part, Where, Way>) {
  type Work = Job<Part, Where>

  async function load(job: Work): Promise<{ out: Outgoing; tried: boolean; before: string | null }> {
    const { delivery, conversation } = job
    const note = await notes.get(conversation.address.workspace, platform.keyOf(job))
    const known = note === null ? undefined : Outgoing.safeParse(JSON.parse(note)).data
    const out = known?.delivery === delivery.id ? known : { delivery: delivery.id, thread: null, refs: [], done: false }
    // A note of another form is of a release that only noted that it tries.
    return { out, tried: note !== null, before: known?.refs.at(-1) ?? null }
  }

  const save = (job: Work, out: Outgoing) =>
    notes.put(job.conversation.address.workspace, platform.keyOf(job), JSON.stringify(out), platform.keptMs)

  async function postParts(job: Work, way: Way, out: Outgoing): Promise<Sent> {
    for (const [index, part] of job.parts.entries()) {
      if (index < out.refs.length) continue
      const posted = await platform.post(job, { part, index, way, out })
      if (posted.kind === 'instead') return await postParts({ ...job, parts: posted.parts }, way, out)
      if (posted.kind !== 'posted') return posted
      out.refs.push(posted.ref)
      if (out.refs.length < job.parts.length) await save(job, out)
    }
    out.done = true
    await save(job, out)
    return { kind: 'sent', ...refOf(out) }
  }

  async function post(job: Work): Promise<{ sent: Sent; out: Outgoing; way: Way | null }> {
    const { out, tried } = await load(job)
    if (out.done) return { sent: { kind: 'sent', ...refOf(out) }, out, way: null }
    const unclear = platform.looksFirst && tried && (await platform.look(job, out, null)) === null
    if (unclear) return { sent: { kind: 'unknown' }, out, way: null }
    if (platform.looksFirst) await save(job, out)
    const there = out.refs.length
    const begun = await platform.begin(job, out)
    if (begun.kind !== 'ready') return { sent: begun, out, way: null }
    if (out.refs.length > there) await save(job, out)
    const sent = await postParts(job, begun.way, out)
    // Said clearly that nothing of it is there: nobody has to look for it.
    const nothing = platform.looksFirst && sent.kind !== 'unknown' && out.refs.length === 0
    if (nothing) await notes.drop(job.conversation.address.workspace, platform.keyOf(job))
    return { sent, out, way: begun.way }
  }

  return {
    post,
    /** A delivery that is there whole, posted by whichever process; null where it is not, or that is not known. */
    async find(job: Work): Promise<Outgoing | null> {
      const { out, tried, before } = await load(job)
      if (out.done) return out
      if (platform.looksFirst && !tried) return null
      const found = await platform.look(job, out, before)
      if (found === null || !found.whole) return null
      out.done = true
      await save(job, out)
      return out
    },
  }
}

/** The delivery's name on the platform is that of its first message. */
export const refOf = ({ refs, thread }: Outgoing) => ({
  ref: refs[0] ?? '',
  ...(thread === null ? {} : { thread }),
})
