import { isResumeWord } from '../../locales/sentence-end.ts'
import { hasEnded, type Run } from '../domain/run.ts'
import type { OnPause } from '../domain/task.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { createRuns, goesOn } from '../kernel/create-run.ts'
import { type CarryOnDeps, carryOn, retryOf, wasCutShort } from './carry-on.ts'
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

/**
 * "continue" / "继续" goes on with the paused task with a fresh budget (R85, C21, C35). Without one
 * it is an ordinary message.
 */
export const resume = needing('start', (turn) => goOn(turn, false))

/**
 * F24: with `auto` any next message goes on with the thread's paused task, and is heard by it.
 * Where nothing is paused, the words go on with the newest task that was stopped or that failed
 * (C517).
 */
export const resumeOn = (onPause: OnPause, deps: CarryOnDeps): Handler =>
  needing(
    'start',
    async (turn) => goOn(turn, onPause === 'auto') ?? (await goOnWithStopped(turn, deps)),
  )

async function goOnWithStopped(turn: TurnContext, deps: CarryOnDeps): Promise<ChangePart | null> {
  if (turn.meant !== 'clew' || !isResumeText(turn.text)) return null
  const newest = turn.state.foreground ?? turn.runs[0]
  if (newest === undefined || !wasCutShort(newest) || (await turn.isTried(newest))) return null
  return await carryOn(deps, turn, newest, afterResumeWord(turn.text))
}

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
  const words = isResumeText(turn.text) ? afterResumeWord(turn.text) : turn.text
  const more = withAttachments({ ...turn, text: byClick ? '' : words })
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

/**
 * A failed, canceled or finished run is tried again as a new run that names its parent (F27). It
 * begins from nothing only if the old one left nothing to carry on (C517).
 */
export const retryHandler = (deps: CarryOnDeps): Handler =>
  needing('start', async (turn) => {
    const { content } = turn.entry.event
    if (content.kind !== 'control' || content.action !== 'retry') return null
    const { core } = turn.words
    const parent = whatWasAsked(turn)
    if (parent === null) return tellPrivately(turn, core.runNotFound)
    if (!hasEnded(parent.status)) return tellPrivately(turn, core.notRetryable(parent.title))
    // Two people press Retry: the first one's is the one.
    if (await turn.isTried(parent))
      return tellPrivately(turn, core.startedOverAlready(parent.title))
    return (await carryOn(deps, turn, parent)) ?? startedOver(turn, parent)
  })

const startedOver = (turn: TurnContext, parent: Run) =>
  mergeChanges(
    createRuns(turn.state.conversation.id, [retryOf(turn, parent)], turn.now),
    answerWith(turn, turn.words.core.startedOver),
  )

/** Nobody asked for a follow-up by itself: what is tried again is the work that it followed. */
function whatWasAsked({ namedRun, runs }: TurnContext): Run | null {
  if (namedRun?.type !== 'follow_up') return namedRun
  return runs.find(({ id }) => id === namedRun.parentRunId) ?? null
}

/** The thread's plan if it is paused; an older one only when nothing else goes on (C42). */
function paused(turn: TurnContext): Run | null {
  const { foreground } = turn.state
  if (foreground !== null && !hasEnded(foreground.status))
    return foreground.status === 'paused' ? foreground : null
  return turn.runs.find((run) => run.status === 'paused') ?? null
}

/**
 * C21: the whole message, or its first clause of at most 12 characters, is one of the words; "do
 * not continue" is not.
 */
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
