import type { ContractInputs, ContractName, ContractReplies } from '../contracts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Model } from '../ports/model.ts'
import { act } from './rehearsal/act.ts'
import { chat, decide, overhear, summarize } from './rehearsal/decide.ts'
import { evaluate, mission, reportMission } from './rehearsal/mission.ts'
import { planRound, sumUp, thinkRound } from './rehearsal/rounds.ts'
import { plan, replan, think } from './rehearsal/steps.ts'

/** Null: nothing that a rehearsal knows how to do. */
const answers: { [N in ContractName]: (input: ContractInputs[N]) => ContractReplies[N] | null } = {
  decision: (input) => ({ ...decide(input), calls: null, report: null }),
  overheard: overhear,
  chat,
  conversation_summary: summarize,
  follow_up: () => ({
    decision: 'close',
    goal: null,
    title: null,
    summary: null,
    reason: 'rehearsal',
  }),
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
 * Stands in for a model so that Clew can be tried without one: a few scenarios, in English and
 * Chinese, that show a plan, real tool calls, a question, a changed plan and a report. Everything
 * else needs a model, and it says so.
 *
 * Contract: the value follows from contract and input alone, so that a call that is repeated after
 * a crash answers the same. It uses no tokens. A task beyond its scenarios is answered like one
 * without a model: `not_configured` (R44).
 *
 * @param options.paceMs how long each call takes, in milliseconds, so that a person can watch the
 *   plan advance.
 */
export function createRehearsalModel({
  clock,
  paceMs,
}: {
  clock: Pick<Clock, 'sleep'>
  paceMs: number
}): Model {
  const usage = { promptTokens: 0, completionTokens: 0 }
  return {
    name: 'rehearsal',
    async call(contract, input, signal) {
      if (!signal.aborted) await clock.sleep(paceMs, signal)
      if (signal.aborted) return { ok: false, code: 'aborted', usage }
      const value = answers[contract](input)
      return value === null
        ? { ok: false, code: 'not_configured', usage }
        : { ok: true, value, usage }
    },
  }
}
