import { addSpent } from '../domain/budget.ts'
import { type Chain, leftOf } from '../domain/chain.ts'
import { titleFrom } from '../domain/conversation.ts'
import { deriveId } from '../domain/id.ts'
import { asSaid } from '../domain/message.ts'
import { isUnattended, type Run } from '../domain/run.ts'
import type { Task } from '../domain/task.ts'
import { zonedMinute } from '../domain/zone.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { createRuns, runAfter } from '../kernel/create-run.ts'
import { type Idle, idle } from '../kernel/idle.ts'
import { AgentTaskInput, FollowUpInput } from '../run-inputs.ts'
import { shownCards } from '../tools/find-tool.ts'
import { type Asked, askModel } from './ask-after-run.ts'
import { finishRun } from './finish.ts'
import { endWith, type Scene } from './scene.ts'
import { notYet, type Session } from './session.ts'

const recentMessages = 10
const longestResult = 4_000

/**
 * R121: creates a run that decides what follows a task, if the setting allows it. Its id derives
 * from the task's run, so the same end creates it once. No-op if nobody is there, the depth is
 * reached or the allowance is spent.
 */
export function followUpOf(
  { run, settings, now: at }: Scene,
  task: Task,
  result: string,
): ChangePart {
  if (run.type !== 'agent_task' || run.conversationId === null || isUnattended(run)) return {}
  const before = run.chain
  const chain: Chain = {
    depth: (before?.depth ?? 0) + 1,
    goals: [...(before?.goals ?? []), task.goal],
    spent: before === undefined ? task.spent : addSpent(before.spent, task.spent),
  }
  if (chain.depth > settings.followUp || leftOf(settings.limits, chain.spent) === null) return {}
  const { strategy } = AgentTaskInput.parse(run.input)
  const input = {
    result: result.slice(0, longestResult).toWellFormed(),
    strategy,
  }
  const next = runAfter(run, {
    id: deriveId('r', run.id, 'follow-up'),
    type: 'follow_up',
    input,
    chain,
    createdAt: at,
  })
  return createRuns(run.conversationId, [next], at)
}

/**
 * Run type `follow_up`: one Decision after a task. It starts the next run in the commit that ends
 * it, or closes; a Decision that cannot be had, be it because the day has nothing left, closes too.
 */
export async function driveFollowUp(session: Session): Promise<Idle> {
  const { run, signal } = session
  if (run.status === 'queued') return notYet(session)
  const asked = run.chain === undefined ? null : await decide(session, run.chain)
  if (signal.aborted) return idle
  const next = asked && nextRun(session, asked)
  const summary = asked?.reply?.decision === 'close' ? asked.reply.summary?.trim() : null
  const spent = asked === null ? {} : session.spent(asked.usage)
  return await endWith(
    session,
    (scene) => mergeChanges(closing(scene, next, summary), spent),
    asked?.calls,
  )
}

/** The end of a follow-up, and the run that comes next where there is one. */
function closing(scene: Scene, next: Run | null, summary?: string | null): ChangePart {
  const { run, thread, words, now } = scene
  const { followUp } = words.core
  const text = next === null ? summary || followUp.closed : followUp.next(next.title)
  const end = finishRun(scene, { status: 'succeeded', text, untitled: true })
  if (next === null || run.conversationId === null) return end
  const id = thread?.conversation.id ?? null
  return mergeChanges(end, createRuns(id, [{ ...next, createdAt: now }], now))
}

async function decide(session: Session, chain: Chain): Promise<Asked<'follow_up'>> {
  const { run, deps } = session
  const { timeZone, locale } = await session.surroundings()
  const state = await deps.store.conversations.state(
    run.workspace,
    run.conversationId ?? '',
    recentMessages,
  )
  return await askModel(session, 'follow_up', {
    goal: chain.goals.at(-1) ?? '',
    result: FollowUpInput.parse(run.input).result,
    earlier: chain.goals.slice(0, -1),
    recentMessages: (state?.messages ?? []).map(asSaid),
    left: deps.followUp - chain.depth + 1,
    tools: shownCards(
      deps.toolbox.cards({
        source: 'interactive',
        workspace: run.workspace,
        channel: run.channel,
      }),
    ),
    facts: await session.facts(),
    locale,
    timeZone,
    now: zonedMinute(deps.clock.now(), timeZone),
    refusal: null,
  })
}

/** Null: nothing follows, or nothing is left for it. */
function nextRun({ run, deps }: Session, { reply, calls, usage }: Asked<'follow_up'>): Run | null {
  const { chain } = run
  if (chain === undefined || reply?.decision !== 'next' || reply.goal === null) return null
  const { promptTokens, completionTokens, cachedTokens = 0, cost = 0 } = usage
  const activeMs = calls.reduce((sum, call) => sum + call.ms, 0)
  const own = {
    modelCalls: calls.length,
    activeMs,
    promptTokens,
    completionTokens,
    cachedTokens,
    cost,
  }
  const spent = addSpent(chain.spent, own)
  if (leftOf(deps.limits, spent) === null) return null
  const { strategy } = FollowUpInput.parse(run.input)
  return runAfter(run, {
    id: deriveId('r', run.id, 'next'),
    type: 'agent_task',
    title: reply.title?.trim() || titleFrom(reply.goal),
    input: { goal: reply.goal, strategy },
    chain: { ...chain, spent },
    createdAt: run.createdAt,
  })
}
