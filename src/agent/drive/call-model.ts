import type { Place } from '../contracts/input.ts'
import { type ContractInputs, readReply } from '../contracts.ts'
import { stopWith } from '../deadline.ts'
import { assertNever } from '../domain/assert.ts'
import type { Usage } from '../domain/budget.ts'
import { memoized } from '../domain/memoized.ts'
import type { Overheard } from '../domain/overheard.ts'
import { present } from '../domain/present.ts'
import type { Task } from '../domain/task.ts'
import { zonedMinute } from '../domain/zone.ts'
import { type DraftLine, openDraft } from '../kernel/draft.ts'
import { lazy } from '../kernel/lazy.ts'
import type { Hold } from '../kernel/lease.ts'
import { kindOf, type ModelReply, type NoAnswer } from '../ports/model.ts'
import { strategyOf } from '../strategies/strategies.ts'
import type { AnyEvent, TaskContract, TaskEvent } from '../strategies/strategy.ts'
import { threadView } from '../thread-view.ts'
import { shownCards } from '../tools/find-tool.ts'
import { cardOf } from '../tools/registry.ts'
import { goesBeyond } from './forecast.ts'
import { openImages } from './images.ts'
import { recallOf } from './recall-tool.ts'
import { askingOf } from './run-asking.ts'
import type { Session, StepResult } from './session.ts'

/** Makes one request, one counted attempt (C8). Null: it was aborted and counts as never made. */
export type CallModel = (task: Task, contract: TaskContract) => Promise<StepResult | null>

/**
 * The requests of one hold on a run: they share a line in the thread, and what is read once for all
 * of them.
 */
export function createCallModel(session: Session, { onNudge }: Hold): CallModel {
  const { deps } = session
  const about = aboutOf(session)
  let draft: DraftLine | null = null
  return async (task, contract) => {
    const reason = await session.meter.reached(deps.clock.now())
    if (reason !== null) return { event: { kind: 'capped', reason } }
    if (goesBeyond(session.run, task, deps.usage.currency)) return { event: { kind: 'outsized' } }
    const started = deps.clock.now()
    const input = await modelInput(session, about, task, contract)
    draft ??= openDraft(deps, session.run)
    const written = draft?.written
    // What a request before this one wrote was not the end.
    draft?.gone()
    const answer = await interruptible(session, onNudge, (signal) =>
      deps.model.call(contract, input, signal, written),
    )
    if (!answer.ok) draft?.gone()
    if ('awayMs' in answer) return turnedAway(answer, deps.clock.now())
    const call = { usage: answer.usage, ms: deps.clock.now() - started, at: deps.clock.now() }
    if (!answer.ok) return failureEvent(task, answer, contract, call)
    const read = readReply(contract, input, answer.value)
    if (!read.ok) return { event: { kind: 'refused', contract, problem: read.problem, ...call } }
    const { sent } = answer
    return {
      event: { kind: 'replied', contract, reply: read.reply, sent, ...call } as TaskEvent,
    }
  }
}

type About = ReturnType<typeof aboutOf>

/**
 * Where a run's thread is (null while it has none), what people attached to what they ask of it
 * (C160) and say around it: once.
 */
function aboutOf(session: Session) {
  const { deps, run, meter } = session
  const takes = async (more: Usage) => (await meter.takes(deps.clock.now()))(more)
  return {
    place: lazy(() => placeOf(session)),
    images: openImages({ model: deps.model, notes: deps.store.notes, takes }, run),
    thread: lazy(async () => {
      const where = { ...(await session.surroundings()), tokens: deps.threadTokens }
      return memoized(
        (rows: readonly Overheard[]) => threadView(rows, run.createdAt, where),
        new WeakMap(),
      )
    }),
  }
}

async function placeOf(session: Session): Promise<Place | null> {
  const { address, title = '' } = await session.surroundings()
  return address === undefined
    ? null
    : await session.deps.placeOf({ address, title }, session.signal)
}

/** Longest wait that is not announced in the thread, in ms. */
const quietMs = 30_000

/** C93: nothing was sent and nothing is counted; when it takes long the task pauses and says so. */
function turnedAway({ retryAfterMs, awayMs = 0, ...answer }: NoAnswer, now: number): StepResult {
  const waitMs = retryAfterMs ?? 0
  if (awayMs < quietMs && waitMs < quietMs) return { idle: { kind: 'wakeAt', at: now + waitMs } }
  return {
    event: {
      kind: 'away',
      failure: { kind: kindOf({ ...answer, retryAfterMs }) ?? 'unreachable', waitMs, since: now },
    },
  }
}

/** 1 s, 2 s, 4 s … at most a minute, or as long as the server asked for. */
function backoff(task: Task, retryAfterMs: number | null): number {
  return Math.max(retryAfterMs ?? 0, Math.min(60_000, 1_000 * 2 ** task.failures.unavailable))
}

function failureEvent(
  task: Task,
  failure: Extract<ModelReply, { ok: false }>,
  contract: TaskContract,
  call: { usage: ModelReply['usage']; ms: number; at: number },
): { event: AnyEvent } | null {
  const kind = kindOf(failure)
  switch (failure.code) {
    case 'bad_reply':
      // What a filter refused it refuses again; other mistakes the model can mend.
      return kind === 'filtered'
        ? { event: { kind: 'unavailable', contract, failure: kind, waitMs: 0, ...call } }
        : { event: { kind: 'refused', contract, problem: failure.message, ...call } }
    case 'unavailable':
    case 'timeout': {
      const waitMs = backoff(task, failure.retryAfterMs)
      return {
        event: {
          kind: 'unavailable',
          contract,
          failure: kind ?? undefined,
          waitMs,
          ...call,
        },
      }
    }
    case 'not_configured':
      return { event: { kind: 'not_configured' } }
    case 'aborted':
      return null
    default:
      return assertNever(failure)
  }
}

/** C50: with the setting `interrupt`, a message that comes in aborts the call. */
async function interruptible(
  session: Session,
  onNudge: Hold['onNudge'],
  call: (signal: AbortSignal) => Promise<ModelReply>,
): Promise<ModelReply> {
  const { deps, signal } = session
  if (!deps.interrupt) return await call(signal)
  const { stop, letGo } = stopWith(signal)
  let looking: Promise<unknown> = Promise.resolve()
  const stopLooking = onNudge(() => {
    looking = Promise.all([
      looking,
      session.heard({ isNudged: true }).then(
        (inputs) => inputs.some(({ kind }) => kind !== 'overheard') && stop.abort(),
        (error) => deps.log.debug({ err: error }, 'could not look for new messages'),
      ),
    ])
  })
  try {
    return await call(stop.signal)
  } finally {
    letGo()
    stopLooking()
    // A look that ended after the next commit would bring back what that one took in.
    await looking
  }
}

/** R26 to R28: the strategy's view of its task, with where and when. */
async function modelInput<C extends TaskContract>(
  session: Session,
  about: About,
  task: Task,
  _: C,
): Promise<ContractInputs[C]> {
  const { deps, run } = session
  const recall = recallOf(task)
  const [{ locale, timeZone }, place, viewOf, facts, overheard, images] = await Promise.all([
    session.surroundings(),
    about.place(),
    about.thread(),
    session.facts(),
    session.overheard(),
    about.images(task),
  ])
  const { model } = deps.profileIn?.(run.channel) ?? {}
  const surroundings = {
    model,
    tools: shownCards(
      present([...deps.toolbox.cards(askingOf(run)), recall !== null && cardOf(recall)]),
    ),
    team: deps.team?.(run.channel),
    installation: deps.installation,
    ...(place === null ? {} : { place, asker: run.requestedBy?.name ?? null }),
    images: images.length === 0 ? undefined : images,
    locale,
    timeZone,
    now: zonedMinute(deps.clock.now(), timeZone),
    facts,
    thread: viewOf(overheard),
    event: run.event,
  }
  // A strategy's view has what all of its contracts need (`TaskView`), and it only asks for its
  // own.
  return { ...surroundings, ...strategyOf(task, deps.strategies).view(task) } as ContractInputs[C]
}
