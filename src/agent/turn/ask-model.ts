import { worded } from '../../locales/texts.ts'
import type { AskingDeps } from '../asking.ts'
import { callable, recallCard } from '../contracts/calls.ts'
import type { DecisionInput, RecentRun } from '../contracts/decision.ts'
import type { ToolCard } from '../contracts/input.ts'
import { type ContractInputs, readReply } from '../contracts.ts'
import { within } from '../deadline.ts'
import type { InboundEvent, InboxEntry } from '../domain/event.ts'
import { asSaid, type Message } from '../domain/message.ts'
import { limitsIn } from '../domain/profile.ts'
import type { Run } from '../domain/run.ts'
import { endOf, noUsage, plus } from '../domain/usage.ts'
import { allowed } from '../domain/words.ts'
import { showInstant, zonedMinute } from '../domain/zone.ts'
import { didIn, effectsAmong } from '../drive/effects.ts'
import { openDraft } from '../kernel/draft.ts'
import { createMeter, usageChange } from '../kernel/usage-meter.ts'
import { kindOf, type ModelReply } from '../ports/model.ts'
import { strategyChoice } from '../run-inputs.ts'
import { isStop } from '../said/stop.ts'
import { strategyInWords } from '../strategies/choose.ts'
import { withOverheard } from '../thread-view.ts'
import { shownCards } from '../tools/find-tool.ts'
import { payersIn, personOf, spenderIn, type TurnContext, withAttachments } from './context.ts'

export interface DecideDeps extends AskingDeps {
  /** False: plain chat, no Decision and no run (R118). */
  loopEnabled: boolean
  allowedTypes: readonly string[]
  /**
   * True if the model that decides also works: its Decision may then carry the first calls (C578).
   * Absent: false.
   */
  beginsWork?: boolean
  timeoutMs: number
}

/** Messages of the history and runs that a Decision sees at most (R92, F29). */
const recentMessages = 10
const recentRuns = 5
/** Longest message with its attachments in a Decision, in characters; the task gets all of it. */
const longestMessage = 60_000
/** Entries of the inbox that are searched for an order to stop or a deletion, with the first. */
const looksAt = 20

/**
 * S8: a day or month that is used up is said so, without a model; null while there is something
 * left.
 */
export async function usedUp(
  { usage, store, clock, timesIn, profileIn }: DecideDeps,
  turn: TurnContext,
): Promise<string | null> {
  const { address, timeZone } = turn.state.conversation
  const profile = profileIn?.(address.channel) ?? null
  const { core } = turn.words
  const meter = createMeter({
    limits: () => limitsIn(usage, profile),
    counts: store.usage,
    workspace: address.workspace,
    payers: payersIn(turn),
  })
  const ceiling = await meter.reached(clock.now())
  if (ceiling === null) return null
  const again = showInstant(
    timesIn(address.workspace),
    timeZone,
    endOf(ceiling, clock.now(), usage.timeZone),
  )
  return core.usedUp(worded(core.reasons[ceiling], personOf(turn).name), again)
}

/**
 * Sends one request within its time. If the answer cannot be read, it sends a second one, which
 * says what was wrong (C349).
 * A cancel text that comes in meanwhile aborts the request: stop is confirmed at once.
 * Returns `turn` with the time of the answer, not of the request. For those who have read the
 * thread meanwhile, the answer is news (R107).
 */
export async function askModel<N extends 'decision' | 'overheard' | 'chat'>(
  deps: DecideDeps,
  begun: TurnContext,
  contract: N,
  input: ContractInputs[N],
) {
  const { id, address } = begun.state.conversation
  const cancel = new AbortController()
  let canceledBy: InboxEntry | null = null
  const look = async () => {
    const state = await deps.store.conversations.state(address.workspace, id, 0, looksAt)
    const [next, ...later] = state?.inbox.slice(1) ?? []
    const isDeletion = ({ event }: InboxEntry) =>
      event.content.kind === 'deleted' && callsOff(event, begun.entry)
    const found =
      next !== undefined && callsOff(next.event, begun.entry) ? next : later.find(isDeletion)
    if (found === undefined) return
    canceledBy = found
    cancel.abort()
  }
  const lookNow = () => {
    look().catch((error) => deps.log.debug({ err: error }, 'could not look for a cancel'))
  }
  const draft = openDraft(deps, { workspace: address.workspace, conversationId: id })
  const stopLooking = begun.onNudge(lookNow)
  // Something may have come in since the turn began, while the thread was read.
  lookNow()
  try {
    const stop = AbortSignal.any([begun.signal, cancel.signal])
    const until = deps.clock.now() + deps.timeoutMs
    const ask = (request: ContractInputs[N]) =>
      within(deps.clock, Math.max(0, until - deps.clock.now()), stop, (signal) =>
        deps.model.call(contract, request, signal, draft?.written),
      )
    const first = await ask(input)
    const refusal = stop.aborted ? null : problemOf(contract, input, first)
    if (refusal !== null) draft?.gone()
    const answer = refusal === null ? first : after(first, await ask({ ...input, refusal }))
    if (!answer?.ok) draft?.gone()
    // Nobody called it off but its time, where it was not a cancel or the end of the process.
    const isLate = answer === null || (!answer.ok && answer.code === 'aborted')
    const turn = { ...begun, now: deps.clock.now() }
    const { usage } = isLate ? timedOut : answer
    const used = usageChange(deps.usage, turn.now, spenderIn(turn, deps.model.name), usage)
    return {
      turn,
      answer: isLate ? timedOut : answer,
      used,
      canceledBy: canceledBy as InboxEntry | null,
    }
  } finally {
    stopLooking()
  }
}

/** An order to stop, or the deletion of the very message that is decided about. */
function callsOff({ content, whose }: InboundEvent, { event }: InboxEntry): boolean {
  if (content.kind === 'deleted') return event.keys.includes(content.key)
  return content.kind === 'message' && isStop(content.text) && allowed(whose, 'stop') !== null
}

/** Error in an answer that cannot be read; `null`: it can be, or asking again would not help. */
function problemOf<N extends 'decision' | 'overheard' | 'chat'>(
  contract: N,
  input: ContractInputs[N],
  answer: ModelReply | null,
): string | null {
  // Words that nobody said to Clew are judged again later (C335).
  if (answer === null || contract === 'overheard') return null
  if (!answer.ok)
    return kindOf(answer) === 'reply_unusable' && 'message' in answer ? answer.message : null
  const read = readReply(contract, input, answer.value)
  return read.ok ? null : read.problem
}

/** The second answer, with what both took. */
function after(first: ModelReply | null, second: ModelReply | null): ModelReply | null {
  if (first === null || second === null) return second
  const requests = (first.usage.requests ?? 1) + (second.usage.requests ?? 1)
  return { ...second, usage: { ...plus(first.usage, second.usage), requests } }
}

const timedOut: ModelReply = {
  ok: false,
  code: 'timeout',
  message: 'the model did not stop in time',
  retryAfterMs: null,
  usage: noUsage,
}

/** C497: a run with what it did, unless its report has told of that. */
async function recentRun({ store, toolbox }: DecideDeps, run: Run): Promise<RecentRun> {
  const { id, type, title, status } = run
  if (status === 'succeeded' || status === 'queued') return { id, type, title, status }
  const state = await store.runs.state(run.workspace, id)
  const did = didIn(effectsAmong(state?.task?.observations ?? [], run, toolbox))
  return { id, type, title, status, did }
}

/** C578: the ways in which a task may begin with calls of its Decision. */
const beginning = ['auto', 'free', 'batch']

/** True if whatever way a task would be worked on lets it begin with calls. */
function mayBegin(
  { allowedTypes, beginsWork = false, strategies, strategy }: DecideDeps,
  turn: TurnContext,
) {
  const said = strategyInWords(turn.text, strategies.outside)
  const way = said ?? turn.state.conversation.strategy ?? strategy
  return beginsWork && allowedTypes.includes('agent_task') && beginning.includes(way)
}

/** C581: the calls of a task's rounds, in their order, so that their requests begin alike. */
const firstCalls = (cards: readonly ToolCard[]) =>
  callable({ tools: shownCards([...cards, recallCard]), unattended: false })

export async function decisionInput(deps: DecideDeps, turn: TurnContext): Promise<DecisionInput> {
  const { conversation, messages, outcomes } = turn.state
  const others = messages.filter(({ id, at }) => id !== turn.entry.messageId && at <= turn.now)
  const isLater = ({ id, role, at }: Message) =>
    role === 'user' && at > turn.entry.event.at && outcomes[id] === undefined
  const recent = others.filter((one) => !isLater(one)).slice(-recentMessages)
  const later = others.filter(isLater).slice(0, recentMessages).map(asSaid)
  const { workspace, channel } = conversation.address
  const { timeZone } = conversation
  const own = turn.entry.event.timeZone ?? timeZone
  const person = personOf(turn)
  const [overheard, facts, place, runs] = await Promise.all([
    turn.overheard(),
    deps.recall({ workspace, channel, conversationId: conversation.id, person }),
    deps.placeOf(conversation, turn.signal),
    Promise.all(turn.runs.slice(0, recentRuns).map((run) => recentRun(deps, run))),
  ])
  const cards = deps.toolbox.cards({ source: 'interactive', workspace, channel })
  const { said, missing } = withOverheard(recent, overheard, {
    ...conversation,
    tokens: deps.threadTokens,
  })
  const { model } = deps.profileIn?.(channel) ?? {}
  return {
    message: withAttachments(turn).slice(0, longestMessage).toWellFormed(),
    model,
    author: person,
    facts,
    team: deps.team?.(channel),
    tools: cards,
    calls: mayBegin(deps, turn) ? firstCalls(cards) : undefined,
    installation: deps.installation,
    place,
    recentMessages: said,
    ...(later.length === 0 ? {} : { later }),
    missing,
    recentRuns: runs,
    runTypes: deps.allowedTypes.flatMap((type) => {
      const known = deps.runTypes.find((one) => one.type === type)
      if (known === undefined) return []
      const isChosen = (conversation.strategy ?? deps.strategy) === 'auto' && type === 'agent_task'
      return [
        {
          type,
          description: isChosen
            ? `${known.description} ${strategyChoice(deps.strategies.outside)}`
            : known.description,
        },
      ]
    }),
    locale: conversation.locale,
    timeZone,
    now: zonedMinute(turn.now, timeZone),
    own: own === timeZone ? undefined : { timeZone: own, now: zonedMinute(turn.now, own) },
  }
}
