import { z } from 'zod'
import { longestTitle } from '../../agent/commands/schedule-options.ts'
import { charactersIn, cleanText, cleanTexts } from '../../agent/domain/clean-text.ts'
import { Opinion } from '../../agent/domain/feedback.ts'
import { opinionMost, rightMost } from '../../agent/domain/feedback-reasons.ts'
import { deriveId } from '../../agent/domain/id.ts'
import type { Author } from '../../agent/domain/message.ts'
import { planEditMost } from '../../agent/domain/plan-edit.ts'
import { Schedule } from '../../agent/domain/schedule.ts'
import { uploadId, uploadLimits } from '../../agent/domain/upload.ts'
import { isTimeZone } from '../../agent/domain/zone.ts'
import { limits } from './limits.ts'
import { refuse } from './problems.ts'

/**
 * Bodies of people's requests. Everything about them is checked here, so that the result is safe to
 * store.
 */

const clientId = z.string().min(1).max(limits.clientIdCharacters)
const author = z.strictObject({
  id: z.string().min(1).max(limits.authorIdCharacters),
  name: z.string().min(1).max(limits.authorNameCharacters),
})
const speaker = {
  author: author.optional(),
  /** Language and IANA time zone of the writer. A thread keeps those of its first message. */
  locale: z.string().max(35).optional(),
  timeZone: z.string().max(64).refine(isTimeZone, 'not an IANA time zone').optional(),
}

export const SayBody = z.strictObject({
  text: z.string(),
  clientMessageId: clientId,
  files: z
    .array(
      z.strictObject({
        id: z.string().regex(uploadId),
        name: z.string().max(uploadLimits.nameCharacters),
      }),
    )
    .max(uploadLimits.files)
    .optional()
    .describe('Sent before by PUT /api/uploads/{id}; with one the text may be empty'),
  ...speaker,
})
export type SayBody = z.infer<typeof SayBody>

/**
 * Change of an own message. `clientMessageId` names the change: a retry with it is the same one.
 */
export const RewriteBody = z.strictObject({
  text: z.string(),
  clientMessageId: clientId,
  ...speaker,
})

/** First message of a new conversation, or without a text an empty conversation. */
export const OpenBody = z.union([
  SayBody,
  z.strictObject({ text: z.undefined().optional(), ...speaker }),
])

const answer = { clientMessageId: clientId.optional(), author: speaker.author }
export const AnswerBody = z.union([
  z.strictObject({
    choice: z.string(),
    edited: z
      .string()
      .regex(/\S/)
      .max(limits.textCharacters)
      .optional()
      .describe('Of an approval: the call as it shall be made'),
    ...answer,
  }),
  z.strictObject({ text: z.string(), ...answer }),
])

const title = z.string().trim().min(1).max(limits.titleCharacters)
const line = z.string().trim().min(1).max(limits.lineCharacters)
const work = { ...speaker, clientMessageId: clientId.optional() }
/** Text behind `/schedule add`, or its time and title apart. */
export const ScheduleBody = z.union([
  z.strictObject({ text: line, ...work }),
  z.strictObject({ when: line, title: line, ...work }),
])
/** State that the person saw before the change (C253). */
const seen = <S extends z.ZodRawShape>(shape: S) =>
  z
    .strictObject(shape)
    .optional()
    .describe('As you saw it: what says something else by now stays as it is')
/**
 * Change of a schedule. `text` is what follows `/schedule update <number>`; `when` and `title` are
 * parts of it.
 */
export const SchedulePatch = z.strictObject({
  text: line.optional(),
  when: line.optional().describe('In its own time zone'),
  title: line.max(longestTitle).optional(),
  paused: z.boolean().optional(),
  repeats: z.boolean().optional(),
  seen: seen(Schedule.pick({ title: true, when: true }).shape),
  ...work,
})
/** Press of a button about a to-do or a schedule. */
export const WorkBody = z.strictObject(work)
export type WorkFields = z.infer<typeof WorkBody>
/** Text behind `/todo add`. */
export const TodoBody = z.strictObject({ text: line, ...work })
/** Change of a to-do. `text` is what follows `/todo update <number>`. */
export const TodoPatch = z.strictObject({
  text: line.optional(),
  done: z.boolean().optional(),
  seen: seen({ text: z.string(), dueAt: z.number().nullable() }),
  ...work,
})

/** Fields of a request about memory. `conversationId` is the thread of the scope `thread`. */
const remembered = { conversationId: z.string().max(100).optional(), ...work }
/** Text behind `/memory add`, or the new words of a fact. */
export const MemoryBody = z.strictObject({ text: line, ...remembered })
/** Press of a button about a fact or proposal. */
export const MemoryPress = z.strictObject(remembered)

export const ArrangeBody = z.strictObject({
  title: title.optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
})
export const ControlBody = z.strictObject({ author: speaker.author })
const step = z.string().trim().min(1).max(planEditMost.characters)
/**
 * C208: edit of a plan. `seen` are the steps that had not begun as the person saw them; `steps` are
 * the new ones, in order.
 */
export const PlanBody = z.strictObject({
  seen: z.array(z.string()).describe('As `progress.left` of the run says'),
  steps: z.array(step).max(planEditMost.steps),
  ...work,
})
export const AgainBody = z.strictObject({
  step: z.int().min(1).optional().describe('As the plan numbers it; where it stopped if left out'),
  sure: z.boolean().optional().describe('Even if something is done twice'),
  ...work,
})
export const FeedbackBody = z.strictObject({
  good: z.boolean(),
  reason: Opinion.shape.reason.describe('Why it is not good'),
  words: z.string().max(opinionMost).optional().describe('The same in own words'),
  author: speaker.author,
})
export const KeepTestBody = z.strictObject({
  right: z.string().min(1).max(rightMost).describe('What would have been right'),
  author: speaker.author,
})

/** Work that a connector starts (C120). */
export const RunBody = z
  .strictObject({
    requestId: z.string().min(1).max(200).describe('The same again answers the same run'),
    type: z.string().default('agent_task'),
    title: title.optional(),
    input: z.record(z.string(), z.unknown()).describe('For agent_task: {"goal": "…"}'),
    conversationId: z.string().max(100).optional().describe('A thread that the report goes into'),
    channel: z.string().max(200).optional().describe('Where a thread is opened for the report'),
    group: z
      .strictObject({
        id: clientId,
        size: z.int().min(2).max(limits.groupMost),
        title: title.optional(),
        waitMinutes: z
          .int()
          .min(1)
          .max(limits.groupMinutesMost)
          .default(24 * 60),
      })
      .optional()
      .describe('The results of so many runs with this id are one report'),
  })
  .refine(({ conversationId, channel }) => conversationId === undefined || channel === undefined, {
    path: ['channel'],
    message: 'is beside conversationId',
  })

/**
 * Parses a body as JSON and checks it. An empty one counts as `{}`, so that a button needs no body.
 */
export async function bodyOf<S extends z.ZodType>(
  request: Request,
  schema: S,
): Promise<z.infer<S>> {
  const raw = await request.text()
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (raw !== '' && type !== 'application/json') refuse('wrong_content_type')
  const parsed = schema.safeParse(raw === '' ? {} : parseJson(raw))
  if (parsed.success) return parsed.data
  const unknown = unknownIn(parsed.error.issues)
  if (unknown.length > 0) refuse('unknown_fields', { fields: unknown.join(', ').slice(0, 200) })
  return refuse('bad_request', { field: fieldOf(parsed.error.issues) })
}

function parseJson(raw: string): unknown {
  try {
    return cleanTexts(JSON.parse(raw))
  } catch {
    return refuse('not_json')
  }
}

/** Fields that no variant of the body has (C65). */
function unknownIn(issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => [...issue.path, key].join('.'))
    if (issue.code !== 'invalid_union') return []
    const [first = [], ...others] = issue.errors.map(unknownIn)
    return first.filter((key) => others.every((keys) => keys.includes(key)))
  })
}

/** First invalid field; of a union, that of its most demanding member. */
function fieldOf(issues: readonly z.core.$ZodIssue[]): string {
  const [issue] = issues
  if (issue === undefined) return 'body'
  const inner = issue.code === 'invalid_union' ? issue.errors[0] : undefined
  if (inner !== undefined && inner.length > 0) return fieldOf(inner)
  return issue.path.length === 0 ? 'body' : issue.path.join('.')
}

/** Refusals of `textOf`. */
export const textRefusals = ['empty_text', 'text_too_long'] as const

/**
 * Cleans a person's text for storing (P17). Drops blank lines around it.
 *
 * @throws ProblemError if nothing is left, or more than 40,000 characters.
 */
export function textOf(raw: string): string {
  const text = cleanText(raw)
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd()
  if (text.trim() === '') refuse('empty_text')
  if (text.length > limits.textCharacters && charactersIn(text) > limits.textCharacters)
    refuse('text_too_long', { limit: limits.textCharacters })
  return text
}

/**
 * Author of a request. The page names people; a person without a name is the one at this machine.
 */
export function speakerOf(given: Author | undefined, you: string) {
  const name = given === undefined ? you : (/[^\p{C}]+/u.exec(given.name)?.[0].trim() ?? '')
  return { id: given?.id ?? 'local', name: name === '' ? you : name, bot: false }
}

/**
 * Text of a message without Clew's own name before it. `forSomeoneElse` is true if it begins by
 * addressing somebody else (R146).
 */
export function addressing(text: string) {
  const own = text.replace(/^@clew\b[\s,:，：]*/iu, '')
  if (own !== text && own !== '') return { text: own, forSomeoneElse: false }
  return { text, forSomeoneElse: /^@(?!clew\b)[\p{L}\p{N}_.-]+(?=[\s,:，：]|$)/iu.test(text) }
}

/** Id of the thread that a first message opens, the same for a retry (R116). */
export function threadOf(clientMessageId: string, authorId: string): string {
  return deriveId('t', authorId, clientMessageId)
}

/** Values typed under Set up, by the name of their field. A value is one line. */
export const SetupBody = z.strictObject({
  values: z.record(
    z.string().max(60),
    z
      .string()
      .trim()
      .max(2000)
      .regex(/^[^\p{Cc}]*$/u),
  ),
})
