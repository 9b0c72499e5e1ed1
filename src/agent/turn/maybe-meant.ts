import type { OverheardInput } from '../contracts/decision.ts'
import { type ContractReplies, readReply } from '../contracts.ts'
import { noUsage } from '../domain/usage.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { postMessage } from '../kernel/messages.ts'
import type { ModelReply } from '../ports/model.ts'
import { askModel, type DecideDeps, decisionInput, usedUp } from './ask-model.ts'
import {
  firstThatTakes,
  type Handler,
  needing,
  originOf,
  personOf,
  type TurnContext,
} from './context.ts'
import { carryOut, decided, decidedBy } from './decide.ts'
import { markedSteps } from './how-far.ts'
import { joinable } from './join.ts'
import { type AnswersSetting, answersIn } from './meant-for.ts'
import { overheard } from './overheard.ts'
import { waitForModel } from './wait-for-model.ts'

export interface HeedDeps extends DecideDeps {
  answersTo: AnswersSetting
  /**
   * Handlers for words that turn out to be meant for the task that works or waits, in the order in
   * which they are tried.
   */
  joins: readonly Handler[]
}

/**
 * C76: asks for one Decision on words that may be meant for Clew or for other people.
 * If it fails, people who have not spoken to Clew are not told.
 */
export function heedHandler(deps: HeedDeps): Handler {
  return needing('start', async (begun) => {
    if (begun.meant !== 'unclear') return null
    const isDeaf =
      answersIn(deps.answersTo, begun.state.conversation.address.channel) === 'mention' ||
      !deps.loopEnabled
    if (isDeaf || (await usedUp(deps, begun)) !== null) return await overheard(begun)
    const input: OverheardInput = {
      ...(await decisionInput(deps, begun)),
      waiting: await waitingIn(deps, begun),
    }
    const { turn, answer, used, canceledBy } = await askModel(deps, begun, 'overheard', input)
    if (turn.signal.aborted || canceledBy?.event.content.kind === 'deleted') return null
    // The words that cut it off have a turn of their own.
    if (canceledBy !== null) return await overheard(turn)
    const read = answer.ok ? readReply('overheard', input, answer.value) : null
    if (read?.ok) {
      const change = await heed(deps, turn, read.reply, input.waiting !== null)
      return mergeChanges(used, decidedBy(answer.usage, change))
    }
    const failed = answer.ok ? unusable : answer
    return mergeChanges(used, await notJudged(deps, turn, failed, input.waiting !== null))
  })
}

type Failed = Exclude<ModelReply, { ok: true }>

const unusable: Failed = { ok: false, code: 'bad_reply', message: '', usage: noUsage }

/** So often an answer that cannot be used is asked for; one that does not come is waited for. */
const unusableMost = 3

/**
 * C335: judged again as every Decision is (C92), without a word; where a task works or waits, its
 * author hears when it cannot be.
 */
async function notJudged(
  deps: HeedDeps,
  turn: TurnContext,
  answer: Failed,
  isTaskThere: boolean,
): Promise<ChangePart> {
  const { waiting } = turn.state.conversation
  const tries = waiting?.entryId === turn.entry.id ? waiting.tries : 0
  const again = answer.code === 'bad_reply' && tries < unusableMost - 1 ? soon : answer
  const wait = waitForModel(turn, again, { since: turn.now, withinMs: deps.timeoutMs, quiet: true })
  if (wait !== null) return wait
  deps.log.warn(
    { request: turn.entry.id, code: answer.code },
    'cannot tell whether a message was for Clew; ignoring it',
  )
  const left = await overheard(turn)
  if (!isTaskThere) return left
  const line = turn.words.core.notJudged(personOf(turn).name)
  return mergeChanges(left, postMessage(originOf(turn), 'not-judged', line))
}

/** As an endpoint that is away for a moment. */
const soon: Failed = {
  ok: false,
  code: 'unavailable',
  kind: 'overloaded',
  message: '',
  retryAfterMs: null,
  usage: noUsage,
}

async function waitingIn(
  { store }: HeedDeps,
  turn: TurnContext,
): Promise<OverheardInput['waiting']> {
  const run = joinable(turn)
  const [{ text: question = null, choices = [] } = {}] = turn.state.questions
  if (run === null) return null
  const state = await store.runs.state(run.workspace, run.id)
  return { title: run.title, question, choices, plan: markedSteps(state?.task ?? null) }
}

/**
 * Answers words that are meant for Clew (C506), or passes them to the task; without a task, they
 * are a request.
 */
async function heed(
  deps: HeedDeps,
  turn: TurnContext,
  { decision, ...rest }: ContractReplies['overheard'],
  isTaskThere: boolean,
): Promise<ChangePart> {
  const trace = (kind: 'ignore' | 'join') =>
    decided(turn, { decision: kind, confidence: rest.confidence, reason: rest.reason })
  if (decision === 'ignore') return mergeChanges(trace('ignore'), await overheard(turn))
  const isAnswer = decision === 'reply' || !isTaskThere
  if (decision !== 'join' && isAnswer) return carryOut(deps, turn, { decision, ...rest })
  const joined = await firstThatTakes(deps.joins, { ...turn, meant: 'clew' })
  return mergeChanges(trace('join'), joined ?? (await overheard(turn)))
}
