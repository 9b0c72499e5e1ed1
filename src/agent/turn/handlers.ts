import type { Commands } from '../commands/registry.ts'
import { answerHandler, type WhoMayAnswer } from './answer.ts'
import { askAgain } from './ask-again.ts'
import { type BeginAgainDeps, beginAgainHandler } from './begin-again.ts'
import { cancel } from './cancel.ts'
import { commandHandler } from './command.ts'
import type { Handler } from './context.ts'
import { type DecideDeps, decideHandler } from './decide.ts'
import { edit } from './edit.ts'
import { editPlan } from './edit-plan.ts'
import { feedback } from './feedback.ts'
import { type HearDeps, hearing } from './hear.ts'
import { join, joinAfter } from './join.ts'
import { heedHandler } from './maybe-meant.ts'
import type { AnswersSetting } from './meant-for.ts'
import { editOverheard, sideTalk } from './overheard.ts'
import { resumeOn, retry } from './resume.ts'
import { retryUnanswered } from './retry-unanswered.ts'

export interface HandlersDeps {
  decisions: DecideDeps
  restarts: BeginAgainDeps
  hear: HearDeps
  commands: Commands
  whoMayAnswer: WhoMayAnswer
  admins: readonly string[]
  answersTo: AnswersSetting
  onPause: Parameters<typeof resumeOn>[0]
}

/** How an input is taken, in the order in which it is tried. */
export function createHandlers(deps: HandlersDeps): Handler[] {
  const { decisions, answersTo } = deps
  const answer = answerHandler(deps.whoMayAnswer, deps.admins)
  const decide = hearing(deps.hear, decideHandler(decisions))
  const beginAgain = beginAgainHandler(deps.restarts)
  return [
    askAgain,
    editOverheard,
    edit,
    cancel,
    editPlan,
    beginAgain,
    feedback,
    retryUnanswered(decide),
    commandHandler(deps.commands, beginAgain),
    sideTalk,
    answer,
    retry,
    resumeOn(deps.onPause),
    joinAfter((handler) => hearing(deps.hear, handler)),
    heedHandler({ ...decisions, answersTo, joins: [answer, join] }),
    decide,
  ]
}
