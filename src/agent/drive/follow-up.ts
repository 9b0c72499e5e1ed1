import { texts } from '../../locales/texts.ts'
import type { FollowUpInput } from '../contracts/follow-up.ts'
import { readReply } from '../contracts.ts'
import type { Usage } from '../domain/budget.ts'
import { added, type Chain, leftOf } from '../domain/chain.ts'
import { titleFrom } from '../domain/conversation.ts'
import { deriveId } from '../domain/id.ts'
import { isUnattended, type Run } from '../domain/run.ts'
import type { Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { noUsage, plus } from '../domain/usage.ts'
import { zonedTime } from '../domain/zoned-time.ts'
import { type Rest, rest } from '../kernel/lease.ts'
import { together } from '../kernel/messages.ts'
import { counted } from '../kernel/usage-meter.ts'
import type { Change } from '../ports/store.ts'
import { AgentTaskInput, FollowUpInput as Input } from '../run-types.ts'
import { creation } from '../turn/resume.ts'
import { settleEnd } from './outcome.ts'
import { notYet, type Session } from './session.ts'

/** Requests for one decision; then it is closed. */
const attempts = 3
const recentMessages = 10
const longestResult = 4_000

/**
 * R121: what the end of a task leaves behind when the setting allows it: a run that decides what comes next. Its id follows from
 * the task's run, so the same end makes it once. Nothing where nobody is there, the depth is reached, or the allowance is spent.
 */
export function followUpOf(session: Session, task: Task, result: string): Partial<Change> {
  const { run, deps } = session
  if (run.type !== 'agent_task' || run.conversationId === null || isUnattended(run)) return {}
  const before = run.chain
  const chain: Chain = {
    depth: (before?.depth ?? 0) + 1,
    goals: [...(before?.goals ?? []), task.goal],
    spent: before === undefined ? task.spent : added(before.spent, task.spent),
  }
  if (chain.depth > deps.followUp || leftOf(deps.limits, chain.spent) === null) return {}
  const { strategy } = AgentTaskInput.parse(run.input)
  const input = {
    result: result.slice(0, longestResult).toWellFormed(),
    ...(strategy === undefined ? {} : { strategy }),
  }
  const next = newRun(run, {
    id: deriveId('r', run.id, 'follow-up'),
    type: 'follow_up',
    title: run.title,
    input,
    chain,
  })
  return creation({ conversationId: run.conversationId, now: deps.clock.now() }, [
    { ...next, createdAt: deps.clock.now() },
  ])
}

/**
 * Run type `follow_up`: one Decision after a task. It starts the next run in the commit that ends it, or closes; a Decision that
 * cannot be had closes too.
 */
export async function driveFollowUp(session: Session): Promise<Rest> {
  const { run, signal } = session
  if (run.status === 'queued') return notYet(session)
  const { chain } = run
  // A day that has nothing left closes, as whatever cannot be decided does.
  const isCapped = (await session.meter.reached(session.deps.clock.now())) !== null
  const decided = chain === undefined || isCapped ? null : await decide(session, chain)
  if (signal.aborted) return rest
  for (;;) {
    const { core } = texts((await session.surroundings()).locale)
    const next = decided?.next ?? null
    const text = next === null ? decided?.summary || core.followUp.closed : core.followUp.next(next.title)
    const ended = await settleEnd(session, await session.place(), { status: 'succeeded', text })
    const at = session.deps.clock.now()
    const started =
      next === null || run.conversationId === null
        ? {}
        : creation({ conversationId: run.conversationId, now: at }, [{ ...next, createdAt: at }])
    const used = counted(session.deps.day, at, run.requestedBy, decided?.usage ?? noUsage)
    if ((await session.commit(together(ended, started, used), decided?.events ?? [])) === 'committed') return rest
  }
}

interface Decided {
  next: Run | null
  summary: string | null
  events: TraceEvent[]
  usage: Usage
}

async function decide(session: Session, chain: Chain): Promise<Decided | null> {
  const { run, deps, signal } = session
  const { timeZone, ...place } = await session.surroundings()
  const { result } = Input.parse(run.input)
  const state = await deps.store.conversations.state(run.workspace, run.conversationId ?? '', recentMessages)
  let refusal: string | null = null
  let { spent } = chain
  const events: TraceEvent[] = []
  let usage = noUsage
  for (let attempt = 0; attempt < attempts && !signal.aborted; attempt += 1) {
    const input: FollowUpInput = {
      goal: chain.goals.at(-1) ?? '',
      result,
      earlier: chain.goals.slice(0, -1),
      recentMessages: (state?.messages ?? []).map(({ role, author, text }) => ({
        role,
        author: author?.name ?? null,
        text,
      })),
      left: deps.followUp - chain.depth + 1,
      tools: deps.toolbox.cards({ source: 'interactive' }),
      facts: await session.facts(),
      ...place,
      timeZone,
      now: zonedTime(deps.clock.now(), timeZone),
      refusal,
    }
    const started = deps.clock.now()
    const answer = await deps.model.call('follow_up', input, signal)
    usage = plus(usage, answer.usage)
    const ms = deps.clock.now() - started
    spent = { ...spent, modelCalls: spent.modelCalls + 1, activeMs: spent.activeMs + ms }
    spent = {
      ...spent,
      promptTokens: spent.promptTokens + answer.usage.promptTokens,
      completionTokens: spent.completionTokens + answer.usage.completionTokens,
    }
    const read = answer.ok ? readReply('follow_up', input, answer.value) : null
    const problem = read?.ok ? null : (read?.problem ?? (answer.ok ? '' : answer.code))
    events.push({ kind: 'model_call', contract: 'follow_up', ok: problem === null, problem, ms, ...answer.usage })
    if (read?.ok) {
      const { decision, goal, title, summary } = read.reply
      const isNext = decision === 'next' && goal !== null && leftOf(deps.limits, spent) !== null
      const next = isNext ? nextRun(session, { goal, title, chain: { ...chain, spent } }) : null
      return { next, summary: decision === 'close' ? (summary?.trim() ?? null) : null, events, usage }
    }
    if (!answer.ok && answer.code !== 'bad_reply') break
    refusal = problem
  }
  return { next: null, summary: null, events, usage }
}

function nextRun({ run }: Session, { goal, title, chain }: { goal: string; title: string | null; chain: Chain }): Run {
  const { strategy } = Input.parse(run.input)
  return newRun(run, {
    id: deriveId('r', run.id, 'next'),
    type: 'agent_task',
    title: title?.trim() || titleFrom(goal),
    input: { goal, ...(strategy === undefined ? {} : { strategy }) },
    chain,
  })
}

/** A run that comes after another, for the same person in the same place. */
function newRun(parent: Run, over: Pick<Run, 'id' | 'type' | 'title' | 'input' | 'chain'>): Run {
  return {
    ...parent,
    ...over,
    status: 'queued',
    parentRunId: parent.id,
    afterRunId: null,
    startedAt: null,
    endedAt: null,
    error: null,
    result: null,
    attempts: 0,
  }
}
