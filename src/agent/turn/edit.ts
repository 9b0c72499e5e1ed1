import { z } from 'zod'
import { titleFrom } from '../domain/conversation.ts'
import { entryIdOf, type InboxEntry, messageIn } from '../domain/event.ts'
import { deriveId } from '../domain/id.ts'
import { type Message, type Outcome, personMessage } from '../domain/message.ts'
import type { Overheard } from '../domain/overheard.ts'
import { hasEnded, isTaskType, type Run } from '../domain/run.ts'
import { allowed } from '../domain/words.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { postMessage } from '../kernel/messages.ts'
import { AgentTaskInput } from '../run-inputs.ts'
import { type CancelDeps, dropped, stopped } from './cancel.ts'
import { type Handler, joined, keeping, originOf, statusOf, type TurnContext } from './context.ts'
import { withQuotes } from './overheard.ts'

/**
 * C78: turns talk among people that was edited to address Clew into the message that it has become.
 * `back`: the message in the history, no longer overheard.
 */
export async function asAddressed(
  entry: InboxEntry,
  overheard: () => Promise<readonly Overheard[]>,
): Promise<{ first: InboxEntry; back: ChangePart }> {
  const { event } = entry
  const content = messageIn(event.content)
  if (event.content.kind !== 'edited' || content === null) return { first: entry, back: {} }
  const { key } = event.content
  if (!(await overheard()).some((one) => one.key === key)) return { first: entry, back: {} }
  const { id, name } = event.author
  const message = personMessage(
    entryIdOf(event.workspace, key),
    { id, name },
    content.text,
    event.at,
    content.files,
  )
  const first = { ...entry, messageId: message.id, event: { ...event, content } }
  return { first, back: { messages: [message], overheard: [{ gone: key }] } }
}

/**
 * Returns a waiting input as it stands now. A message that was changed while it waited has its new
 * text; one that was deleted is not taken.
 * `edits`: the entries that say so; their own turns have nothing left to do.
 */
export function asItStands(taken: InboxEntry, [, ...later]: readonly InboxEntry[]): Standing {
  const { content } = taken.event
  if (content.kind !== 'message') return { entry: taken, text: '', edits: [], withdrawn: false }
  const changes = later.filter(({ event }) => {
    const { kind } = event.content
    return (kind === 'edited' || kind === 'deleted') && taken.event.keys.includes(event.content.key)
  })
  const change = changes.at(-1)?.event
  const last = change?.content
  const text = last?.kind === 'edited' ? last.text : content.text
  const isForClew = last !== undefined && messageIn(last) !== null
  const toClew = { ...content, addressed: true, forSomeoneElse: false, namesOthers: false }
  const event = {
    ...taken.event,
    whose: change?.whose ?? taken.event.whose,
    content: isForClew ? toClew : content,
  }
  const edits = changes.map(({ id }) => id)
  return { entry: { ...taken, event }, text, edits, withdrawn: last?.kind === 'deleted' }
}

interface Standing {
  entry: InboxEntry
  text: string
  edits: string[]
  withdrawn: boolean
}

/** Notes on what became of a message which of its changes are in it already. */
export function withEdits(
  change: ChangePart,
  messageId: string | null,
  edits: string[],
): ChangePart {
  if (edits.length === 0 || change.outcomes === undefined) return change
  const outcomes = change.outcomes.map((one) => {
    const { outcome } = one
    const knowsEdits = outcome.kind === 'started' || outcome.kind === 'joined'
    return one.messageId === messageId && knowsEdits
      ? { ...one, outcome: { ...outcome, edits } }
      : one
  })
  return { ...change, outcomes }
}

/**
 * R149: a change starts nothing by itself. Of a task that has not begun it replaces the request; a
 * task that goes on is told; one whose request is taken back stops (C336). The history has it as it
 * stands now (C249).
 */
export const editHandler = (deps: CancelDeps): Handler =>
  keeping(async (turn) => {
    const { content, whose } = turn.entry.event
    if (content.kind !== 'edited' && content.kind !== 'deleted') return null
    const messageId = deriveId('m', 'event', entryIdOf(turn.entry.event.workspace, content.key))
    const original = turn.state.messages.find((message) => message.id === messageId)
    const outcome = turn.state.outcomes[messageId]
    return mergeChanges(
      rewritten(turn, original, content),
      await withQuotes(turn, content),
      allowed(whose, 'start') === null
        ? {}
        : await told(deps, turn, content, { original, outcome }),
    )
  })

type Changed = Extract<InboxEntry['event']['content'], { kind: 'edited' | 'deleted' }>

function rewritten(
  { state, now }: TurnContext,
  before: Message | undefined,
  content: Changed,
): ChangePart {
  if (before === undefined) return {}
  const { id, title } = state.conversation
  // A thread that is called by what is gone is called by what is said next.
  const isCalledByIt = title === titleFrom(before.text)
  const called = (title: string): ChangePart =>
    isCalledByIt ? { conversation: { id, patch: { title } } } : {}
  if (content.kind === 'deleted') return { unsaid: [before], ...called('') }
  const { text } = content
  if (before.text.trim() === text.trim() || text.trim() === '') return {}
  const after = { ...before, text, editedAt: now }
  return { rewritten: [{ before, after }], ...called(titleFrom(text)) }
}

/** Applies the change of a message to the task that the message led to. */
async function told(
  deps: CancelDeps,
  turn: TurnContext,
  content: Changed,
  { original, outcome }: { original: Message | undefined; outcome: Outcome | undefined },
): Promise<ChangePart> {
  const run = runOf(turn, outcome)
  if (run === null || hasEnded(run.status)) return {}
  if (outcome !== undefined && 'edits' in outcome && outcome.edits?.includes(turn.entry.id))
    return {}
  if (content.kind === 'deleted')
    return outcome?.kind === 'started'
      ? await ended(deps, byAuthor(turn, original), run)
      : forgotten(turn, run)
  // A link that got its preview is an edit too, as far as platforms are concerned.
  if (original?.text.trim() === content.text.trim() || content.text.trim() === '') return {}
  if (run.status === 'queued') return replaced(turn, run, content.text)
  // Only tasks hear what is said while they go on.
  if (!isTaskType(run.type)) return {}
  const { core } = turn.words
  const named: ChangePart =
    outcome?.kind === 'started'
      ? { runs: [{ id: run.id, patch: { title: titleFrom(content.text) } }] }
      : {}
  return mergeChanges(
    joined(turn, run, core.editedTo(content.text)),
    named,
    sayOf(turn, core.editSeen, run.id),
  )
}

/** The turn as of the message's author, where the platform does not say who deleted it. */
function byAuthor(turn: TurnContext, original: Message | undefined): TurnContext {
  const { entry } = turn
  const author = original?.author ?? null
  if (entry.event.author.id !== '' || author === null) return turn
  const event = { ...entry.event, author: { ...author, bot: false } }
  return { ...turn, entry: { ...entry, event } }
}

/** C336: the words of the request are posted nowhere again; what it did is named. */
async function ended(deps: CancelDeps, turn: TurnContext, run: Run): Promise<ChangePart> {
  const { core } = turn.words
  const title = core.deletedTitle
  const task = (await deps.store.runs.state(run.workspace, run.id))?.task ?? null
  if (task === null && (isTaskType(run.type) || run.status === 'queued'))
    return mergeChanges(dropped(turn, run), { runs: [{ id: run.id, patch: { title } }] })
  const change = await stopped(deps, turn, { ...run, title }, core.requestDeleted)
  return mergeChanges(change, { runs: [{ id: run.id, patch: { title } }] })
}

/** Only tasks hear that words which had joined them are gone. */
const forgotten = (turn: TurnContext, run: Run): ChangePart =>
  isTaskType(run.type) ? joined(turn, run, turn.words.core.takenBack) : {}

function runOf(turn: TurnContext, outcome: Outcome | undefined): Run | null {
  const id = outcome?.kind === 'started' || outcome?.kind === 'joined' ? outcome.runId : null
  return turn.runs.find((run) => run.id === id) ?? null
}

/**
 * Input of a task whose goal holds words and attachments. The words come first and end at
 * `wordsEnd`; absent: nothing was attached.
 */
const Written = AgentTaskInput.extend({ wordsEnd: z.number().optional() })

function replaced(turn: TurnContext, run: Run, text: string) {
  const task = Written.safeParse(run.input)
  if (!task.success) return {}
  const { goal, wordsEnd = goal.length } = task.data
  return mergeChanges(
    {
      expect: [statusOf(run)],
      runs: [
        {
          id: run.id,
          patch: {
            title: titleFrom(text),
            input: { ...run.input, goal: text + goal.slice(wordsEnd), wordsEnd: text.length },
            // Calls for other words.
            first: { calls: [], report: null },
          },
        },
      ],
    },
    sayOf(turn, turn.words.core.editTaken, run.id),
  )
}

const sayOf = (turn: TurnContext, text: string, runId: string) =>
  postMessage(originOf(turn, runId), 'edit', text)
