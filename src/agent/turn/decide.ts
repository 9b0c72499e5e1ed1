import { worded } from '../../locales/texts.ts'
import { type DecisionInput, type RunRequest, runsOf } from '../contracts/decision.ts'
import { type ContractReplies, readReply } from '../contracts.ts'
import { titleFrom } from '../domain/conversation.ts'
import type { InboxEntry } from '../domain/event.ts'
import { deriveId } from '../domain/id.ts'
import type { Run } from '../domain/run.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { noUsage } from '../domain/usage.ts'
import { type ChangePart, mergeChanges, traced } from '../kernel/change.ts'
import { createRuns, newRun } from '../kernel/create-run.ts'
import { postMessage } from '../kernel/messages.ts'
import { kindOf, type ModelReply } from '../ports/model.ts'
import { type RunType, readRunInput } from '../run-inputs.ts'
import { wantsPlanFirst } from '../said/plan-first.ts'
import { shownName } from '../shown-name.ts'
import { type Choice, chooseStrategy } from '../strategies/choose.ts'
import { askModel, type DecideDeps, decisionInput, usedUp } from './ask-model.ts'
import {
  answerWith,
  type Handler,
  marked,
  needing,
  originOf,
  personOf,
  type TurnContext,
  withAttachments,
} from './context.ts'
import { keptForRetry } from './retry-unanswered.ts'
import { waitForModel } from './wait-for-model.ts'

/**
 * R91: whatever nothing else has taken gets one Decision: reply, run or both. A model that is away
 * for a while is waited for (C92); any other call that fails or breaks its contract becomes an
 * apology and starts nothing (R99, C25). The turn does not wait for the run (R101).
 */
export function decideHandler(deps: DecideDeps): Handler {
  return needing('start', async (begun) => {
    if (begun.entry.event.content.kind !== 'message') return {}
    if (withAttachments(begun) === '') return answerWith(begun, begun.words.core.emptyMention)
    const over = await usedUp(deps, begun)
    if (over !== null) return answerWith(begun, over, { kind: 'failed' })
    const input = await decisionInput(deps, begun)
    const contract = deps.loopEnabled ? 'decision' : 'chat'
    const { turn, answer, used, canceledBy } = await askModel(deps, begun, contract, input)
    if (turn.signal.aborted) return null
    // C336: what was taken back meanwhile is answered by nothing; its deletion has a turn of its
    // own.
    if (canceledBy?.event.content.kind === 'deleted') return null
    if (canceledBy !== null) return canceledInTime(turn, canceledBy)
    const wait = answer.ok
      ? null
      : waitForModel(turn, answer, { since: begun.now, withinMs: deps.timeoutMs })
    return mergeChanges(used, wait ?? decidedBy(answer.usage, outcomeOf(deps, turn, input, answer)))
  })
}

/** With who decided, where there are several models (C130). */
export function decidedBy({ model }: ModelReply['usage'], change: ChangePart): ChangePart {
  if (model === undefined || change.trace === undefined) return change
  const trace = change.trace.map(({ of, entry }) =>
    entry.what.kind === 'decided'
      ? { of, entry: { ...entry, what: { ...entry.what, model } } }
      : { of, entry },
  )
  return { ...change, trace }
}

/** Turns the answer into a change: a reply, runs, or an apology. */
function outcomeOf(
  deps: DecideDeps,
  turn: TurnContext,
  input: DecisionInput,
  answer: ModelReply,
): ChangePart {
  if (!answer.ok) return fallback(deps, turn, answer)
  const read = readReply(deps.loopEnabled ? 'decision' : 'chat', input, answer.value)
  if (!read.ok)
    return fallback(deps, turn, {
      ok: false,
      code: 'bad_reply',
      message: read.problem,
      usage: noUsage,
    })
  if ('decision' in read.reply) return carryOut(deps, turn, read.reply)
  return answerWith(turn, read.reply.content)
}

/** The request and the cancel text that follows it are taken together. */
function canceledInTime(turn: TurnContext, by: InboxEntry): ChangePart {
  const line = turn.words.core.calledOff(shownName(by.event.author.name))
  return mergeChanges(answerWith(turn, line), marked({ ...turn, entry: by }), { consume: 1 })
}

/** R44, R99: stable words for people, the details for the operator. */
function fallback(
  deps: DecideDeps,
  turn: TurnContext,
  answer: Extract<ModelReply, { ok: false }>,
): ChangePart {
  const { core } = turn.words
  const kind = kindOf(answer)
  if (kind === null) return answerWith(turn, core.notConfigured, { kind: 'failed' })
  deps.log.warn(
    { request: turn.entry.id, conversation: turn.state.conversation.id, code: answer.code, kind },
    'Decision failed; apologising, no run started',
  )
  const { kept, offer } = keptForRetry(turn)
  return mergeChanges(
    decided(turn, { decision: 'fallback', confidence: null, reason: kind }),
    kept,
    answerWith(
      turn,
      core.decisionFailed(worded(core.modelFailed[kind], null)),
      { kind: 'failed' },
      [offer],
    ),
  )
}

export function decided(
  turn: TurnContext,
  what: Omit<Extract<TraceEvent, { kind: 'decided' }>, 'kind' | 'entryId'>,
): ChangePart {
  return traced(turn.state.conversation.id, turn.now, {
    kind: 'decided',
    entryId: turn.entry.id,
    ...what,
  })
}

/** A decision about what was overheard carries no calls. */
type Decision = Omit<ContractReplies['decision'], keyof Carried> & Partial<Carried>
type Carried = Pick<ContractReplies['decision'], 'calls' | 'report'>

export function carryOut(deps: DecideDeps, turn: TurnContext, reply: Decision): ChangePart {
  const { core } = turn.words
  const { decision, confidence, reason } = reply
  const trace = decided(turn, { decision, confidence, reason })
  const said = decision === 'run' ? null : (reply.reply?.content ?? null)
  if (decision === 'reply') return mergeChanges(trace, answerWith(turn, said ?? ''))

  const checked = runsOf(reply).map((request) => checkRun(deps, turn, request))
  const problem = checked.find((one) => !one.ok)
  if (problem !== undefined && !problem.ok) {
    deps.log.warn({ request: turn.entry.id, problem: problem.text }, 'run not created')
    return mergeChanges(trace, answerWith(turn, [said, problem.text].filter(Boolean).join('\n\n')))
  }
  const accepted = checked.flatMap((one) => (one.ok ? [withStrategy(deps, turn, one, reason)] : []))
  const runs = accepted.map(({ request }, index) => ({
    ...runOf(turn, request, index),
    ...(index === 0 ? beginningWith(reply, request) : {}),
    // Its message has the mark of what it all came to.
    ...(index === accepted.length - 1 ? askedIn(turn) : {}),
  }))
  const first = runs[0]
  if (first === undefined)
    return mergeChanges(
      trace,
      answerWith(turn, core.decisionFailed(core.modelFailed.reply_unusable), { kind: 'failed' }),
    )
  return mergeChanges(
    trace,
    // C81: what has begun is seen by its plan.
    said === null ? {} : postMessage(originOf(turn, first.id), 'reply', said),
    createRuns(turn.state.conversation.id, runs, turn.now),
    ...accepted.flatMap(({ choice }, index) => chosen(turn, runs[index], choice)),
    marked(turn, { kind: 'started', runId: first.id }),
  )
}

/** C578: the calls that come with the Decision, for the first of its runs if that is a task. */
function beginningWith({ calls, report = null }: Decision, { type }: Accepted): Pick<Run, 'first'> {
  return calls == null || type.type !== 'agent_task' ? {} : { first: { calls, report } }
}

type Checked =
  | { ok: true; type: RunType; title: string; input: Record<string, unknown> }
  | { ok: false; text: string }

function checkRun(deps: DecideDeps, turn: TurnContext, request: RunRequest): Checked {
  const { core } = turn.words
  const type = deps.runTypes.find((one) => one.type === request.type)
  if (type === undefined || !deps.allowedTypes.includes(request.type))
    return { ok: false, text: core.typeNotAllowed(request.type) }
  const read = readRunInput(type, request.input)
  if (!read.ok) return { ok: false, text: core.createFailed(read.problem) }
  return { ok: true, type, title: request.title?.trim() || titleFrom(turn.text), input: read.input }
}

/** The task gets what was attached as it is, however the Decision put the request. */
function withFiles(input: Record<string, unknown>, turn: TurnContext): Record<string, unknown> {
  const { attachments } = turn
  const { goal } = input
  if (attachments === '' || typeof goal !== 'string') return input
  const images = turn.imagesForTask()
  const attached = images.length === 0 ? input : { ...input, images }
  if (goal.includes(attachments)) return attached
  return { ...attached, goal: `${goal}\n\n${attachments}`, wordsEnd: goal.length }
}

type Accepted = Extract<Checked, { ok: true }>

/**
 * Only tasks have a strategy; it is settled when the run is created, so that a retry works in the
 * same way.
 */
function withStrategy(
  deps: DecideDeps,
  turn: TurnContext,
  request: Accepted,
  reason: string,
): { request: Accepted; choice: Choice | null } {
  if (request.type.type !== 'agent_task') return { request, choice: null }
  const { strategy: settled } = turn.state.conversation
  const decided = { strategy: request.input.strategy, reason }
  const choice = chooseStrategy(
    settled ?? deps.strategy,
    turn.text,
    decided,
    deps.strategies.outside,
  )
  return { request: { ...request, input: { ...request.input, strategy: choice.strategy } }, choice }
}

function chosen(turn: TurnContext, run: Run | undefined, choice: Choice | null): ChangePart[] {
  if (run === undefined || choice === null || choice.by === 'setting') return []
  const what: TraceEvent = { kind: 'strategy', runId: run.id, ...choice }
  return [turn.state.conversation.id, run.id].map((of) => traced(of, turn.now, what))
}

function askedIn({ entry }: TurnContext): Pick<Run, 'asked'> {
  const { messageId, event } = entry
  return messageId === null || event.ref === undefined
    ? {}
    : { asked: { messageId, ref: event.ref } }
}

/**
 * The run's id follows from the input that asked for it: a double submit or a repeated turn makes
 * no second one (R116).
 */
function runOf(turn: TurnContext, checked: Accepted, index: number): Run {
  const { id, address } = turn.state.conversation
  const { workspace, channel } = address
  const idOf = (position: number) => deriveId('r', turn.entry.id, String(position))
  return newRun({
    id: idOf(index),
    workspace,
    // Whatever the model said, a person's turn works in its own conversation (R97, C52).
    conversationId: id,
    channel,
    type: checked.type.type,
    title: checked.title,
    input: withFiles(checked.input, turn),
    planFirst: wantsPlanFirst(turn.text) || undefined,
    requestedBy: personOf(turn),
    timeZone: turn.entry.event.timeZone ?? null,
    requestId: turn.entry.id,
    afterRunId: index === 0 ? null : idOf(index - 1),
    createdAt: turn.now,
  })
}
