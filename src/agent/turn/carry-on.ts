import type { AskingDeps } from '../asking.ts'
import { deriveId } from '../domain/id.ts'
import { hasFallenShort, isUnattended, mayBeginAgain, type Run } from '../domain/run.ts'
import { mayAct } from '../drive/effects.ts'
import { type ChangePart, mergeChanges, traced } from '../kernel/change.ts'
import { createRuns, runAfter } from '../kernel/create-run.ts'
import { carriedOn } from '../strategies/rewind.ts'
import {
  answerWith,
  personOf,
  saidWith,
  statusOf,
  type TurnContext,
  withAttachments,
} from './context.ts'

export type CarryOnDeps = Pick<AskingDeps, 'store' | 'toolbox'>

/**
 * C517: a run that was stopped or that failed goes on as a new run (R102) with its plan, what it
 * found and did, and what people said, so that nothing is done twice. Null if it left nothing.
 *
 * @param said what the person adds, such as “but in Porto”.
 */
export async function carryOn(
  { store: { runs }, toolbox }: CarryOnDeps,
  turn: TurnContext,
  parent: Run,
  said = '',
): Promise<ChangePart | null> {
  if (!wasCutShort(parent) || !mayBeginAgain(parent)) return null
  const { workspace, id } = parent
  const [state, trace] = await Promise.all([runs.state(workspace, id), runs.trace(workspace, id)])
  const carried = carriedOn(state?.task ?? null, trace, (call) => mayAct(call, parent, toolbox))
  if (carried === null) return null
  const run: Run = { ...retryOf(turn, parent), from: { step: carried.step, by: personOf(turn) } }
  const more = withAttachments({ ...turn, text: said })
  return mergeChanges(
    {
      expect: [statusOf(parent)],
      begins: { runId: run.id, task: { ...carried.task, unattended: isUnattended(run) } },
      inputs: more === '' ? [] : [{ runId: run.id, input: saidWith(turn, more) }],
    },
    createRuns(turn.state.conversation.id, [run], turn.now),
    ...carried.trace.map(({ at, what }) => traced(run.id, at, what)),
    answerWith(turn, turn.words.core.carriesOn(parent.title)),
  )
}

export const wasCutShort = ({ status }: Run): boolean => hasFallenShort(status)

/**
 * A person asks, so it has a whole allowance again, whatever it followed (R121), and is in no
 * program's group (C123).
 */
export function retryOf(turn: TurnContext, { chain: _, connector: __, ...parent }: Run): Run {
  const { id: requestId } = turn.entry
  // An operator has no name there, so it stays the work of the person who asked for it (S22).
  const requestedBy =
    turn.entry.event.author.operator === true ? parent.requestedBy : personOf(turn)
  const asked = { id: deriveId('r', requestId, '0'), requestId, requestedBy, createdAt: turn.now }
  return runAfter(parent, asked)
}
