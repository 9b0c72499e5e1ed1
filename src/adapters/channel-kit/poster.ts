import { z } from 'zod'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { NotSent } from './send-outcomes.ts'

const dayMs = 24 * 60 * 60 * 1_000
/**
 * Lifetime of notes about posted deliveries, and about messages that may still change (plans,
 * questions).
 */
export const keptMs = { posted: 7 * dayMs, shown: 90 * dayMs }

/** Progress of a delivery: the posted parts in order, and the thread that it opened. */
const Outgoing = z.object({
  delivery: z.string(),
  thread: z.string().nullable(),
  refs: z.array(z.string()),
  done: z.boolean(),
  /**
   * Index of the first part that goes as plain text, because the platform refused the formatted
   * parts.
   */
  plainFrom: z.number().optional(),
})
export type Outgoing = z.infer<typeof Outgoing>

/** Delivery as a list of messages. Only the platform interprets `where`. */
export interface Job<Part, Where> {
  delivery: Delivery
  conversation: Conversation
  parts: readonly Part[]
  where: Where
}

/**
 * Operations by which a platform posts. They write what they find or open into the given
 * `Outgoing`.
 */
export interface PostPlatform<Part, Where, PostTarget> {
  /** Key of the note about a delivery's progress. */
  keyOf(job: Job<Part, Where>): string
  /**
   * True if posting the same part twice makes two messages. Each attempt is then noted before it is
   * made, and the next attempt, in any process, looks for the message first. Without a note the
   * search is skipped, since it costs a rate-limited call.
   */
  looksFirst: boolean
  /** Finds or opens the place to post in. */
  begin(
    job: Job<Part, Where>,
    out: Outgoing,
  ): Promise<{ kind: 'ready'; target: PostTarget } | NotSent>
  /**
   * Posts one part. `instead`: the platform refused its format, so the remaining parts are posted
   * as plain text.
   */
  post(
    job: Job<Part, Where>,
    to: { part: Part; index: number; target: PostTarget; out: Outgoing },
  ): Promise<{ kind: 'posted'; ref: string } | { kind: 'instead' } | NotSent>
  /** Converts parts into plain text that the platform always accepts. */
  instead?(parts: readonly Part[]): readonly Part[]
  /**
   * Looks for messages of an earlier attempt, after `before`, the last message of the previous
   * delivery. Returns `null` if it cannot tell now.
   */
  look(
    job: Job<Part, Where>,
    out: Outgoing,
    before: string | null,
  ): Promise<{ whole: boolean } | null>
}

/**
 * Posts deliveries in parts and stores progress after each part. After a crash or an unclear
 * response, only the missing parts are posted (P1, P2).
 */
export function createPoster<Part, Where, PostTarget>(
  notes: Notes,
  platform: PostPlatform<Part, Where, PostTarget>,
) {
  type PostJob = Job<Part, Where>
  const { load, save, drop } = createOutgoing(notes, platform)

  async function postParts(job: PostJob, target: PostTarget, out: Outgoing): Promise<Sent> {
    // An earlier attempt's switch to plain text applies to this one too.
    const { plainFrom = job.parts.length } = out
    const parts = job.parts
      .slice(0, plainFrom)
      .concat(platform.instead?.(job.parts.slice(plainFrom)) ?? [])
    for (const [index, part] of parts.entries()) {
      if (index < out.refs.length) continue
      const posted = await platform.post({ ...job, parts }, { part, index, target, out })
      if (posted.kind === 'instead')
        return await postParts(
          job,
          target,
          await save(job, Object.assign(out, { plainFrom: index })),
        )
      if (posted.kind !== 'posted') return posted
      out.refs.push(posted.ref)
      if (out.refs.length < parts.length) await save(job, out)
    }
    return { kind: 'sent', ...refOf(await save(job, { ...out, done: true })) }
  }

  return {
    async post(job: PostJob): Promise<{ sent: Sent; out: Outgoing; target: PostTarget | null }> {
      const { out, tried } = await load(job)
      if (out.done) return { sent: { kind: 'sent', ...refOf(out) }, out, target: null }
      const unclear = platform.looksFirst && tried && (await platform.look(job, out, null)) === null
      if (unclear) return { sent: { kind: 'unknown' }, out, target: null }
      if (platform.looksFirst) await save(job, out)
      const there = out.refs.length
      const begun = await platform.begin(job, out)
      if (begun.kind !== 'ready') return { sent: begun, out, target: null }
      if (out.refs.length > there) await save(job, out)
      const sent = await postParts(job, begun.target, out)
      // The platform refused the first part, so a retry has nothing to look for.
      if (platform.looksFirst && sent.kind !== 'unknown' && out.refs.length === 0) await drop(job)
      return { sent, out, target: begun.target }
    },

    /**
     * Returns a delivery that is posted completely, by any process, `null` if it is not, and
     * `unknown` if the platform cannot tell now.
     */
    async find(job: PostJob): Promise<Outgoing | 'unknown' | null> {
      const { out, tried, before } = await load(job)
      if (out.done) return out
      if (platform.looksFirst && !tried) return null
      const found = await platform.look(job, out, before)
      if (found === null) return 'unknown'
      return found.whole ? await save(job, { ...out, done: true }) : null
    },
  }
}

/** Stored progress of deliveries. */
function createOutgoing<Part, Where, PostTarget>(
  notes: Notes,
  { keyOf }: PostPlatform<Part, Where, PostTarget>,
) {
  type PostJob = Job<Part, Where>
  const workspaceOf = ({ conversation }: PostJob) => conversation.address.workspace
  return {
    async load(job: PostJob): Promise<{ out: Outgoing; tried: boolean; before: string | null }> {
      const { id } = job.delivery
      const note = await notes.get(workspaceOf(job), keyOf(job))
      const known = note === null ? undefined : Outgoing.safeParse(JSON.parse(note)).data
      const out =
        known?.delivery === id ? known : { delivery: id, thread: null, refs: [], done: false }
      // A note in another format is from a release that stored only that it tried.
      return { out, tried: note !== null, before: known?.refs.at(-1) ?? null }
    },
    async save(job: PostJob, out: Outgoing): Promise<Outgoing> {
      await notes.put(workspaceOf(job), keyOf(job), JSON.stringify(out), keptMs.posted)
      return out
    },
    drop: (job: PostJob) => notes.drop(workspaceOf(job), keyOf(job)),
  }
}

/** Returns the delivery's reference on the platform, which is that of its first message. */
export const refOf = ({ refs, thread }: Outgoing) => ({
  ref: refs[0] ?? '',
  thread: thread ?? undefined,
})
