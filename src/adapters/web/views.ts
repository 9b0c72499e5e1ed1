import { z } from 'zod'
import { groups } from '../../agent/domain/conversation.ts'
import { Fact, MemoryScope } from '../../agent/domain/fact.ts'
import { Opinion } from '../../agent/domain/feedback.ts'
import { Author, Message, Offer, Outcome } from '../../agent/domain/message.ts'
import type { ProgressView } from '../../agent/domain/progress.ts'
import { Question } from '../../agent/domain/question.ts'
import { Run, RunStatus } from '../../agent/domain/run.ts'
import { runStrategies, Schedule, ScheduleMode, Slot } from '../../agent/domain/schedule.ts'
import { PlanItem } from '../../agent/domain/task.ts'
import { Todo } from '../../agent/domain/todo.ts'

/**
 * Views that the API returns: the core's records without internal fields. Each is one schema, from
 * which its type and its description in `/api/openapi.json` follow.
 */

/** Schema with a name in the API's description. */
export const named = <S extends z.ZodRawShape>(id: string, shape: S) => z.object(shape).meta({ id })
export const text = z.string()
export const textOrNull = text.nullable()
const flag = z.boolean()
const whole = z.int()
/** Instant in ms. Stored ones are not checked to be whole numbers, which they are. */
const instant = z.number().meta({ type: 'integer', description: 'Milliseconds since the epoch' })

export const ErrorView = named('Error', {
  error: z.object({ code: text, message: text }),
})

export const ConversationLine = named('Line', {
  id: text,
  title: text,
  unread: flag,
  updatedAt: instant,
  createdAt: instant,
  status: RunStatus.nullable().describe('Of the run that the thread is about just now'),
  steps: z
    .object({ done: whole, total: whole })
    .nullable()
    .describe('Of its plan, where the run succeeded with steps left'),
  workspace: text,
  group: z.enum(groups),
  askedOf: textOrNull.describe('Whom its open question names'),
  pinned: flag,
  archived: flag.describe('Put away until something happens there'),
  lastLine: text.describe('The start of the newest message, as one line of plain text'),
  found: z
    .object({ messageId: text, text })
    .nullable()
    .describe('Of a search: where a message says it, as plain text'),
})
export type ConversationLine = z.infer<typeof ConversationLine>

export const MessageView = named('Message', {
  ...Message.pick({ id: true, role: true, author: true, text: true }).shape,
  html: text.describe('The text as safe HTML'),
  at: instant,
  editedAt: instant.nullable().describe('When the person changed it'),
  outcome: Outcome.nullable().describe('What became of a message of a person'),
  runId: textOrNull,
  questionId: textOrNull.describe('The question that this message asks'),
  files: z
    .array(z.object({ name: text, image: flag, upload: textOrNull }))
    .describe('What was attached; `upload`: it is at /api/uploads/{upload} for 14 days'),
  offers: z
    .array(Offer)
    .describe('Commands that it offers as buttons; none once one of them was given'),
})
export type MessageView = z.infer<typeof MessageView>

export const QuestionView = named('Question', {
  ...Question.pick({ id: true, text: true, choices: true, askedOf: true, runId: true }).shape,
  html: text,
  askedAt: instant,
  approval: flag.describe('Only the person named in askedOf, or an admin, may answer'),
  mine: flag.describe('The `author` of the request may answer it'),
  personal: flag.optional().describe('A service asks it; only that person may answer'),
  input: textOrNull.describe('The call that waits for approval, where it may be changed first'),
})
export type QuestionView = z.infer<typeof QuestionView>

export const AnsweredView = named('Answered', {
  ...QuestionView.shape,
  answer: text,
  edited: textOrNull.describe('The call as it was changed before it was approved'),
  author: Author,
  at: instant,
})
export type AnsweredView = z.infer<typeof AnsweredView>

/** Effort of a run: its strategy and what it used so far (R66, R69). */
const Effort = z.object({
  strategy: text,
  rounds: whole.nullable(),
  modelCalls: whole,
  toolCalls: whole,
  tokens: whole,
})

export const RunView = named('Run', {
  ...Run.pick({
    id: true,
    type: true,
    title: true,
    status: true,
    conversationId: true,
    parentRunId: true,
  }).shape,
  createdAt: instant,
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  ...Run.pick({ error: true, result: true, requestedBy: true, from: true }).shape,
  progress: z.custom<ProgressView>().optional().describe('The live plan; absent from lists'),
  work: Effort.optional().describe(
    'How it is worked on and what that has taken so far; absent from lists',
  ),
})
export type RunView = z.infer<typeof RunView>

export const FeedbackView = named('Feedback', {
  ...Run.pick({ workspace: true, title: true, status: true, type: true }).shape,
  runId: text,
  author: Author,
  ...Opinion.shape,
  at: instant,
})
export type FeedbackView = z.infer<typeof FeedbackView>

export const AuditLineView = named('AuditLine', {
  workspace: text,
  seq: z.number().meta({ type: 'integer' }).describe('Number of its row'),
  at: instant,
  by: textOrNull.describe('Id of the person who asked for it'),
  name: textOrNull.describe('Name of that person, as the text has it'),
  thread: textOrNull,
  title: textOrNull.describe('Title of the thread; null: it has none any more'),
  text,
})
export type AuditLineView = z.infer<typeof AuditLineView>

export const ConversationView = named('Conversation', {
  id: text,
  title: text,
  link: textOrNull.describe('The thread on its platform'),
  unread: flag,
  readAt: instant.nullable().describe('Until when it is read'),
  ...ConversationLine.pick({ pinned: true, archived: true }).shape,
  messages: z.array(MessageView).describe('Oldest first'),
  more: flag.describe('There are older messages than these'),
  plan: z.object({ items: z.array(PlanItem), index: whole }).nullable(),
  question: QuestionView.nullable(),
  answered: z.array(AnsweredView),
  run: RunView.nullable(),
  runs: z.array(RunView).describe('Oldest first'),
  /** Files of the conversation (R90). */
  files: z
    .array(z.object({ name: text, characters: whole, at: instant }))
    .describe('What its tasks made; each is at /api/conversations/{id}/files/{name}'),
})
export type ConversationView = z.infer<typeof ConversationView>

const Called = {
  name: text,
  aliases: z.array(text).describe('Other names for it'),
  summary: text.describe('One line, as /help says it'),
}
export const CommandView = named('Command', {
  ...Called,
  parts: z.array(z.object(Called)).describe('Its subcommands'),
})
export type CommandView = z.infer<typeof CommandView>

export const NeedView = named('Need', {
  name: text.describe('Its own in its workspace'),
  workspace: text,
  kind: z.enum(['question', 'approval', 'proposal', 'paused', 'failed', 'unreadable']),
  at: instant.describe('Since when it waits'),
  late: flag.describe('It waits for longer than questions do until their reminder'),
  conversationId: textOrNull,
  title: text.describe('Of the thread'),
  link: textOrNull.describe('The thread on its platform'),
  text,
  question: QuestionView.nullable(),
  runId: textOrNull,
  again: flag.describe('Of a failed task: it may begin again where it stopped, if it has a plan'),
  memory: textOrNull.describe('Of a proposal: its name, as `thread-3`'),
})
export type NeedView = z.infer<typeof NeedView>

export const ScheduleView = named('Schedule', {
  ...Schedule.pick({ id: true, title: true, work: true, when: true, durationMinutes: true }).shape,
  rule: text.describe('When it is due, in words'),
  timeZone: text,
  next: z.array(instant).describe('The next three slots; while it is paused they are skipped'),
  clockRule: text.describe('What happens when the clocks of its zone are turned'),
  remindAt: instant.nullable(),
  ...Schedule.pick({ paused: true, repeats: true, fired: true }).shape,
  quiet: flag.describe('Its runs say nothing when there is nothing to report'),
  allow: z.array(text).describe('Tools with side effects that its runs may use'),
  mode: ScheduleMode.describe('What they do with the other tools that have side effects'),
  strategy: z
    .enum(runStrategies)
    .nullable()
    .describe('How they work; null: as the title or the settings say'),
  conversationId: textOrNull,
  took: textOrNull.describe('What its newest runs took, in words'),
  createdAt: instant,
  createdBy: Author.nullable(),
})
export type ScheduleView = z.infer<typeof ScheduleView>

export const SlotView = named('Slot', { ...Slot.shape, at: instant })

export const TodoView = named('Todo', {
  ...Todo.pick({ id: true, text: true, tag: true, priority: true }).shape,
  dueAt: instant.nullable(),
  dueDay: textOrNull.describe('Day on which it is due where no hour was said, as `2026-12-01`'),
  remindAt: instant.nullable(),
  doneAt: instant.nullable(),
  createdAt: instant,
  owner: z.object({ id: text, name: text }).nullish().describe('Whose it is to do'),
  reminded: flag.describe('Its reminder has been said'),
})
export type TodoView = z.infer<typeof TodoView>

const FoldedView = z.object({
  at: instant,
  until: instant.optional().describe('Of several in one entry: the last'),
  count: whole.nullable().optional().describe('And how many; null: more than are counted'),
})

export const CalendarRow = named('CalendarRow', {
  kind: z.enum(['schedule', 'todo']),
  workspace: text,
  scope: text.describe('Whose it is there, as `channel:C061EG9SL`'),
  ...Schedule.pick({ id: true, title: true, work: true, paused: true }).shape,
  rule: textOrNull.describe('Of a schedule: when it is due, in words'),
  timeZone: text,
  conversationId: textOrNull.describe('The thread that it belongs to, if any'),
  dueAt: instant.nullable().describe('Of a to-do'),
  dueDay: textOrNull.describe('Of a to-do that is due at no hour'),
  isDone: flag,
  next: z.array(FoldedView).describe('Times to come; while it is paused they are skipped'),
  past: z
    .array(
      FoldedView.extend({
        ...Slot.pick({ outcome: true, reason: true }).shape,
        status: RunStatus.nullable().describe('Of the run that it started'),
        conversationId: textOrNull.describe('Where that run spoke'),
        isGone: flag.describe('That thread was deleted, or is kept no longer'),
      }),
    )
    .describe('The last 200 times are kept, newest first'),
  reminders: z.array(FoldedView.extend({ isPast: flag })),
})
export type CalendarRow = z.infer<typeof CalendarRow>

export const CalendarView = named('Calendar', {
  rows: z.array(CalendarRow),
  turns: z
    .array(z.object({ timeZone: text, day: text, minutes: whole }))
    .describe('Days on which the clocks of a zone are turned; forward is positive'),
  next: textOrNull,
})
export type CalendarView = z.infer<typeof CalendarView>

/** A fact or a proposal. */
export const MemoryView = named('Memory', {
  name: text.describe('`thread-3`; names of the scope `thread` count within one thread'),
  scope: MemoryScope,
  conversationId: textOrNull.describe('Of the scope `thread`: which one'),
  thread: textOrNull.describe('What that thread is called'),
  key: textOrNull,
  text,
  status: z.enum(['pending', ...Fact.shape.status.options]),
  revision: whole,
  at: instant.describe('When it was proposed or last changed, in milliseconds since the epoch'),
  expiresAt: instant.nullable(),
  sourceId: textOrNull.describe('The thread in which it was said'),
  by: textOrNull,
})
export type MemoryView = z.infer<typeof MemoryView>

const FindingView = z.object({
  verdict: z.enum(['good', 'note', 'bad']),
  line: text,
  quoted: flag.describe('The line is what a program or a file said, in English'),
  mend: textOrNull.describe('What to do'),
  env: z
    .array(text)
    .describe('Lines for `.env`; a value that is missing is for a person to put there'),
  manual: textOrNull.describe('A page of `/api/manual/{name}`'),
})

export const SetupView = named('Setup', {
  checkedAt: instant
    .nullable()
    .describe('When this was found; null: nobody has looked since the start'),
  isLooking: flag.describe('Somebody has asked for a look that goes on'),
  parts: z.array(
    z.object({
      part: text.describe(
        '`settings`, `store`, `model`, `search`, `team`, or the platform of a channel',
      ),
      title: text,
      findings: z.array(FindingView),
    }),
  ),
})
export type SetupView = z.infer<typeof SetupView>

export const SharedSignInsView = named('SharedSignIns', {
  servers: z.array(z.object({ server: text, isSignedIn: flag })),
})
export type SharedSignInsView = z.infer<typeof SharedSignInsView>

export const SetupFormView = named('SetupForm', {
  startedAt: instant,
  problem: textOrNull.describe('Why Clew goes on with its settings of before'),
  isWaiting: flag.describe('Something was written that Clew uses once it starts again'),
  steps: z.array(
    z.object({
      part: text.describe('`model`, or the platform of a channel'),
      title: text,
      lead: text,
      link: textOrNull.describe('Where the platform makes its app'),
      after: textOrNull.describe('What to do once it is connected'),
      choices: z.array(z.object({ id: text, label: text })),
      fields: z.array(
        z.object({
          name: text,
          label: text,
          isSecret: flag,
          isSet: flag.describe('Values themselves are never shown'),
        }),
      ),
    }),
  ),
})
export type SetupFormView = z.infer<typeof SetupFormView>

export const SetupOutcomeView = named('SetupOutcome', {
  findings: z.array(FindingView),
  saved: flag.describe('It works, and is written to `.env`'),
  lines: z.array(text).describe('What was written, or why not'),
})
export type SetupOutcomeView = z.infer<typeof SetupOutcomeView>
