import type { ContractInputs, ContractName, ContractReplies } from '../contracts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Model } from '../ports/model.ts'
import { chat, decide, summarize } from './rehearsal/decide.ts'
import { act } from './rehearsal/free.ts'
import { evaluate, mission, reportMission } from './rehearsal/mission.ts'
import { plan, replan } from './rehearsal/replan.ts'
import { planRound, sumUp, thinkRound } from './rehearsal/rounds.ts'
import { think } from './rehearsal/thought.ts'

const answers: { [N in ContractName]: (input: ContractInputs[N]) => ContractReplies[N] } = {
  decision: decide,
  chat,
  conversation_summary: summarize,
  follow_up: () => ({ decision: 'close', goal: null, title: null, summary: null, reason: 'rehearsal' }),
  plan,
  thought: think,
  replan,
  plan_tool_call: planRound,
  think: thinkRound,
  summary: sumUp,
  act,
  mission,
  evaluate,
  mission_report: reportMission,
}

/**
 * A small rule-based stand-in for a model, in English and Chinese: it plans from the words of the request, uses the tools
 * that are offered, asks when something is open, replans on what people say and reports. It is for trying the machinery,
 * not for answers, and says so in every final message.
 *
 * Contract: the value follows from contract and input alone, so that a call that is repeated after a crash answers the
 * same. It uses no tokens.
 *
 * @param options.paceMs how long each call takes, in milliseconds, so that a person can watch the plan advance.
 */
export function createRehearsalModel({ clock, paceMs }: { clock: Pick<Clock, 'sleep'>; paceMs: number }): Model {
  const usage = { promptTokens: 0, completionTokens: 0 }
  return {
    name: 'rehearsal',
    async call(contract, input, signal) {
      if (!signal.aborted) await clock.sleep(paceMs, signal)
      return signal.aborted
        ? { ok: false, code: 'aborted', usage }
        : { ok: true, value: answers[contract](input), usage }
    },
  }
}
