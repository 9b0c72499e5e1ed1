import { isResumeWord } from '../../locales/sentence-end.ts'
import { deriveId } from '../domain/id.ts'
import { hasEnded, type Run } from '../domain/run.ts'
import type { OnPause } from '../domain/task.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { createRuns, goesOn, runAfter } from '../kernel/create-run.ts'
import {
  answerWith,
  type Handler,
  joined,
  marked,
  needing,
  personOf,
  statusOf,
  type TurnContext,
  tellPrivately,
  withAttachments,
} from './context.ts'

/** "continue" / "继续" goes on with the paused task with a fresh budget (R85, C21, C35). Without one it is an ordinary message. */
export const resume = needing('start', (turn) => goOn(turn, false))

/** F24: with `auto` any next message goes on with the thread's paused task, and is heard by it. */
export const resumeOn = (onPause: OnPause): Handler =>
  needing('start', (turn) => goOn(turn, onPause === 'auto'))

function goOn(turn: TurnContext, byAnything: boolean): ChangePart | null {
  const { content } = turn.entry.event
  const byClick = content.kind === 'control' && content.action === 'continue'
  const isSaid =
    byAnything &&
    content.kind === 'message' &&
    turn.meant === 'clew' &&
    turn.state.foreground?.status === 'paused'
  if (!byClick && !isResumeText(turn.text) && !isSaid) return null
  const run = byClick ? turn.namedRun : paused(turn)
  if (run === null || run.status !== 'paused')
    return byClick ? tellPrivately(turn, turn.words.core.nothingToContinue) : null
  const words = byClick ? '' : isResumeText(turn.text) ? afterResumeWord(turn.text) : turn.text
  const more = withAttachments({ ...turn, text: words })
  return mergeChanges(
    {
      expect: [statusOf(run)],
      runs: [{ id: run.id, patch: { status: 'running' }, due: turn.now }],
      inputs: [
        {
          runId: run.id,
          input: { kind: 'continue', entryId: turn.entry.id, author: personOf(turn) },
        },
      ],
      conversation: { id: turn.state.conversation.id, patch: { foreground: run.id } },
      progress: run.id,
      ...goesOn(run.id, turn.now),
    },
    more === '' ? {} : joined(turn, run, more),
    marked(turn, { kind: 'joined', runId: run.id }),
  )
}

/** A failed, canceled or finished run is tried again as a new run that names its parent (F27). */
export const retry = needing('start', async (turn) => {
  const { content } = turn.entry.event
  if (content.kind !== 'control' || content.action !== 'retry') return null
  const parent = whatWasAsked(turn)
  if (parent === null) return tellPrivately(turn, turn.words.core.runNotFound)
  if (!hasEnded(parent.status))
    return tellPrivately(turn, turn.words.core.notRetryable(parent.title))
  // Two people press Retry: the first one's is the one.
  if (await turn.isTried(parent))
    return tellPrivately(turn, turn.words.core.startedOverAlready(parent.title))
  const run = retryOf(turn, parent)
  return mergeChanges(
    createRuns(turn.state.conversation.id, [run], turn.now),
    answerWith(turn, turn.words.core.startedOver),
  )
})

/** Nobody asked for a follow-up by itself: what is tried again is the work that it followed. */
function whatWasAsked({ namedRun, runs }: TurnContext): Run | null {
  if (namedRun?.type !== 'follow_up') return namedRun
  return runs.find(({ id }) => id === namedRun.parentRunId) ?? null
}

/** A person asks, so it has a whole allowance again, whatever it followed (R121), and is in no program's group (C123). */
export function retryOf(turn: TurnContext, { chain: _, connector: __, ...parent }: Run): Run {
  const { id: requestId } = turn.entry
  // An operator has no name there, so it stays the work of the person who asked for it (S22).
  const requestedBy =
    turn.entry.event.author.operator === true ? parent.requestedBy : personOf(turn)
  const asked = { id: deriveId('r', requestId, '0'), requestId, requestedBy, createdAt: turn.now }
  return runAfter(parent, asked)
}

/** The thread's plan if it is paused; an older one only when nothing else goes on (C42). */
function paused(turn: TurnContext): Run | null {
  const { foreground } = turn.state
  if (foreground !== null && !hasEnded(foreground.status))
    return foreground.status === 'paused' ? foreground : null
  return turn.runs.find((run) => run.status === 'paused') ?? null
}

/** C21: the whole message, or its first clause of at most 12 characters, is one of the words; "do not continue" is not. */
export function isResumeText(text: string): boolean {
  const clause = firstClause(text).trim()
  return isResumeWord(text) || (Array.from(clause).length <= 12 && isResumeWord(clause))
}

/** "Continue, but in Porto": what the task has to know before it goes on. */
function afterResumeWord(text: string): string {
  if (isResumeWord(text)) return ''
  return text
    .trim()
    .slice(firstClause(text).length)
    .replace(/^[\s\p{P}]+/u, '')
}

const firstClause = (text: string) => text.trim().split(/[,.;:!?，。；：！？、\n]/u, 1)[0] ?? ''
