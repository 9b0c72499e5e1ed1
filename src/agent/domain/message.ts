import { z } from 'zod'
import { FileRef } from './file-ref.ts'
import { deriveId } from './id.ts'
import { variant } from './variant.ts'
import { typedHere, type Words } from './words.ts'

export const Author = z.object({ id: z.string(), name: z.string() })
export type Author = z.infer<typeof Author>

/** Result of a person's message. Every message gets one: none ends in silence. */
export const Outcome = z.discriminatedUnion('kind', [
  variant('waiting', {}),
  variant('answered', {}),
  variant('answer', { questionId: z.string() }),
  /**
   * `edits`: the changes of the message that were taken together with it, by the entries that
   * brought them.
   */
  variant('joined', { runId: z.string(), edits: z.array(z.string()).optional() }),
  variant('started', {
    runId: z.string(),
    edits: z.array(z.string()).optional(),
  }),
  /** `failed`: it was not done, and the answer says why. */
  variant('command', { failed: z.literal(true).optional() }),
  /** It said thank you and nothing else: that gets a mark. */
  variant('thanked', {}),
  variant('ignored', {
    reason: z.enum(['for_someone_else', 'already_answered', 'not_allowed']),
  }),
  variant('failed', {}),
])
export type Outcome = z.infer<typeof Outcome>

/**
 * A command that a message offers as a button: pressing it says the command in the name of the
 * person who presses.
 */
export const Offer = z.object({ label: z.string(), command: z.string() })
export type Offer = z.infer<typeof Offer>

/**
 * Words of a tool for the people in the thread. `to`: they are called. `links`: addresses of Clew's
 * own in it, which people may follow (S21).
 */
export interface ToolNote {
  text: string
  offers: readonly Offer[]
  to?: Author
  links?: readonly string[]
}

/**
 * Something said in a conversation. Its id follows from its source, so that writing it twice is
 * noticed (R109).
 */
export const Message = z.object({
  version: z.literal(1),
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  /** Null for what Clew says. */
  author: Author.nullable(),
  text: z.string(),
  at: z.number(),
  /**
   * Cause of the message: an inbound event, a turn, a run's pause, question or end, or the alarm of
   * a schedule or to-do.
   */
  source: z.object({ kind: z.enum(['event', 'turn', 'run', 'schedule']), refId: z.string() }),
  /** The question that this message asks, or null. Channels show it as a card with choices. */
  questionId: z.string().nullable(),
  /** Answers that the question offers. */
  choices: z.array(z.string()).optional(),
  offers: z.array(Offer).optional(),
  /** Files that a person attached to it. */
  files: z.array(FileRef).optional(),
  /** A choice that was pressed: Clew's words, not the person's. */
  chosen: z.boolean().optional(),
  /** Addresses in it that a search or a page of its task brought up (S21). */
  links: z.array(z.string()).optional(),
  /** When the person changed it last (C249). */
  editedAt: z.number().optional(),
})
export type Message = z.infer<typeof Message>

/** Whose words a person's message holds: a choice that was pressed is Clew's. */
export const whoseIn = ({ chosen }: Pick<Message, 'chosen'>): Words =>
  chosen === true ? { ...typedHere, way: 'pressed' } : typedHere

/** A message for a model: who said what, by name. */
export const asSaid = ({ role, author, text, choices }: Message) => ({
  role,
  author: author?.name ?? null,
  text,
  choices,
})

/**
 * A line of Clew's own, named after what caused it. `purpose` tells several lines of one cause
 * apart.
 */
export function assistantMessage(
  source: { kind: 'turn' | 'run' | 'schedule'; refId: string },
  purpose: string,
  text: string,
  at: number,
  questionId: string | null = null,
): Message {
  const id = deriveId('m', source.kind, source.refId, purpose)
  return { version: 1, id, role: 'assistant', author: null, text, at, source, questionId }
}

/** Creates the message of a person, named after the inbox entry that brought it. */
export function personMessage(
  entryId: string,
  author: Author,
  text: string,
  at: number,
  files?: readonly FileRef[],
): Message {
  const id = deriveId('m', 'event', entryId)
  const source = { kind: 'event' as const, refId: entryId }
  const said = {
    version: 1 as const,
    id,
    role: 'user' as const,
    author,
    text,
    at,
    source,
    questionId: null,
  }
  return files === undefined ? said : { ...said, files: [...files] }
}
