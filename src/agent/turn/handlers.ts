import type { Commands } from '../commands/registry.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { type AnswerRules, answerHandler } from './answer.ts'
import { askAgain } from './ask-again.ts'
import type { DecideDeps } from './ask-model.ts'
import { beginAgainHandler } from './begin-again.ts'
import { type CancelDeps, cancelHandler } from './cancel.ts'
import { commandHandler } from './command.ts'
import type { Handler } from './context.ts'
import { decideHandler } from './decide.ts'
import { editHandler } from './edit.ts'
import { editPlan } from './edit-plan.ts'
import { feedbackHandler } from './feedback.ts'
import { type HearDeps, hearing } from './hear.ts'
import { howFarHandler } from './how-far.ts'
import { join, joinAfter } from './join.ts'
import { type KeepTestDeps, keepTestHandler } from './keep-test.ts'
import { heedHandler } from './maybe-meant.ts'
import type { AnswersSetting } from './meant-for.ts'
import { editOverheard, sideTalk } from './overheard.ts'
import { passOnHandler } from './pass-on.ts'
import { resumeOn, retryHandler } from './resume.ts'
import { retryUnanswered } from './retry-unanswered.ts'
import { takeBackHandler } from './take-back.ts'

export interface HandlersDeps
  extends Omit<DecideDeps & HearDeps & CancelDeps, 'store'>,
    Omit<AnswerRules, 'approvals'>,
    KeepTestDeps {
  store: Pick<Store, 'conversations' | 'runs' | 'usage' | 'inbox' | 'approvals' | 'commits'>
  clock: Clock
  leases: Store['leases']
  commands: Commands
  answersTo: AnswersSetting
  onPause: Parameters<typeof resumeOn>[0]
}

/** Creates the handlers of an input, in the order in which they are tried. */
export function createHandlers(deps: HandlersDeps): Handler[] {
  const answer = answerHandler({ ...deps, approvals: deps.store.approvals })
  const cancel = cancelHandler(deps)
  const decide = hearing(deps, decideHandler(deps))
  const beginAgain = beginAgainHandler(deps)
  const retry = retryHandler(deps)
  return [
    askAgain,
    editOverheard,
    editHandler(deps),
    passOnHandler(deps),
    cancel,
    editPlan,
    beginAgain,
    feedbackHandler(deps),
    keepTestHandler(deps),
    retryUnanswered(decide),
    takeBackHandler({ ...deps, store: { ...deps.store, leases: deps.leases } }),
    commandHandler(deps.commands, { beginAgain, cancel, decide, retry }),
    sideTalk,
    howFarHandler(deps.store),
    answer,
    retry,
    resumeOn(deps.onPause, deps),
    joinAfter((handler) => hearing(deps, handler)),
    heedHandler({ ...deps, joins: [answer, join] }),
    decide,
  ]
}
