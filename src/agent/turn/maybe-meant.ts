import type { OverheardInput } from '../contracts/decision.ts'
import { type ContractReplies, readReply } from '../contracts.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { askModel, type DecideDeps, decisionInput, usedUp } from './ask-model.ts'
import { firstThatTakes, type Handler, needing, type TurnContext } from './context.ts'
import { carryOut, decided, decidedBy } from './decide.ts'
import { joinable } from './join.ts'
import { type AnswersSetting, answersIn } from './meant-for.ts'
import { overheard } from './overheard.ts'

export interface HeedDeps extends DecideDeps {
  answersTo: AnswersSetting
  /** What takes words that turn out to be meant for the task that works or waits, in the order in which it is tried. */
  joins: readonly Handler[]
}

/**
 * C76: one Decision about words that may be meant for Clew or for other people. Whatever goes wrong with it, nobody hears of it who
 * has not spoken to Clew.
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
      waiting: waitingIn(begun),
    }
    const { turn, answer, used, canceledBy } = await askModel(deps, begun, 'overheard', input)
    if (turn.signal.aborted) return null
    // The words that cut it off have a turn of their own.
    if (canceledBy !== null) return await overheard(turn)
    const read = answer.ok ? readReply('overheard', input, answer.value) : null
    if (read?.ok) {
      const change = await heed(deps, turn, read.reply, input.waiting !== null)
      return mergeChanges(used, decidedBy(answer.usage, change))
    }
    const code = answer.ok ? 'bad_reply' : answer.code
    deps.log.warn(
      { request: turn.entry.id, code },
      'it is not known whether a message was meant for Clew; it is left alone',
    )
    return mergeChanges(used, await overheard(turn))
  })
}

function waitingIn(turn: TurnContext): OverheardInput['waiting'] {
  const run = joinable(turn)
  return run === null ? null : { title: run.title, question: turn.state.questions[0]?.text ?? null }
}

/** What is meant for Clew reaches the task where there is one, and is a request where there is none. */
async function heed(
  deps: HeedDeps,
  turn: TurnContext,
  { decision, ...rest }: ContractReplies['overheard'],
  isTaskThere: boolean,
): Promise<ChangePart> {
  const trace = (kind: 'ignore' | 'join') =>
    decided(turn, { decision: kind, confidence: rest.confidence, reason: rest.reason })
  if (decision === 'ignore') return mergeChanges(trace('ignore'), await overheard(turn))
  if (decision !== 'join' && !isTaskThere) return carryOut(deps, turn, { decision, ...rest })
  const joined = await firstThatTakes(deps.joins, { ...turn, meant: 'clew' })
  return mergeChanges(trace('join'), joined ?? (await overheard(turn)))
}
