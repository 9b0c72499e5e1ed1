import { z } from 'zod'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { NotSent } from './send-outcomes.ts'

const dayMs = 24 * 60 * 60 * 1_000
/** How long notes are kept of what is posted, and of what may still be changed: plans and questions. */
export const keptMs = { posted: 7 * dayMs, shown: 90 * dayMs }

/** What is there of a delivery: its parts in order, and the thread that it opened. */
const Outgoing = z.object({
  delivery: z.string(),
  thread: z.string().nullable(),
  refs: z.array(z.string()),
  done: z.boolean(),
  /** From this part on it goes as words alone, since the platform refused the parts as they were. */
  plainFrom: z.number().optional(),
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
export interface PostPlatform<Part, Where, PostTarget> {
  /** Under which name it is noted what is there of a delivery. */
  keyOf(job: Job<Part, Where>): string
  /**
   * Posting the same part twice makes two messages. So each attempt is noted before it is made, and the next attempt, in
   * any process, looks for the message first. Without a note nobody looks, since looking costs a rate-limited call.
   */
  looksFirst: boolean
  /** Finds or opens the place. */
  begin(
    job: Job<Part, Where>,
    out: Outgoing,
  ): Promise<{ kind: 'ready'; target: PostTarget } | NotSent>
  /** Posts one part; `instead`: it is refused as it is, and what is left goes `instead`. */
  post(
    job: Job<Part, Where>,
    to: { part: Part; index: number; target: PostTarget; out: Outgoing },
  ): Promise<{ kind: 'posted'; ref: string } | { kind: 'instead' } | NotSent>
  /** Parts that say the same in a form that is always taken. */
  instead?(parts: readonly Part[]): readonly Part[]
  /**
   * Looks for what an earlier try left, behind `before`: the last message of the delivery before. Null: it cannot be found
   * out now.
   */
  look(
    job: Job<Part, Where>,
    out: Outgoing,
    before: string | null,
  ): Promise<{ whole: boolean } | null>
}

/**
 * Posts deliveries in parts. What is there is remembered part by part, so that after a crash or an unclear answer only what
 * is missing is posted again (P1, P2).
 */
export function createPoster<Part, Where, PostTarget>(
  notes: Notes,
  platform: PostPlatform<Part, Where, PostTarget>,
) {
  type PostJob = Job<Part, Where>
  const { load, save, drop } = createOutgoing(notes, platform)

  async function postParts(job: PostJob, target: PostTarget, out: Outgoing): Promise<Sent> {
    // What an earlier try found out holds for this one too.
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
      // Said clearly that nothing of it is there: nobody has to look for it.
      if (platform.looksFirst && sent.kind !== 'unknown' && out.refs.length === 0) await drop(job)
      return { sent, out, target: begun.target }
    },

    /** A delivery that is there whole, posted by whichever process; null where it is not, or that is not known. */
    async find(job: PostJob): Promise<Outgoing | null> {
      const { out, tried, before } = await load(job)
      if (out.done) return out
      if (platform.looksFirst && !tried) return null
      const found = await platform.look(job, out, before)
      return found?.whole ? await save(job, { ...out, done: true }) : null
    },
  }
}

/** The notes of what is there of a delivery. */
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
      // A note of another form is of a release that only noted that it tries.
      return { out, tried: note !== null, before: known?.refs.at(-1) ?? null }
    },
    async save(job: PostJob, out: Outgoing): Promise<Outgoing> {
      await notes.put(workspaceOf(job), keyOf(job), JSON.stringify(out), keptMs.posted)
      return out
    },
    drop: (job: PostJob) => notes.drop(workspaceOf(job), keyOf(job)),
  }
}

/** The delivery's name on the platform is that of its first message. */
export const refOf = ({ refs, thread }: Outgoing) => ({
  ref: refs[0] ?? '',
  ...(thread === null ? {} : { thread }),
})
