import { exportPlan } from '../../../agent/domain/plan-export.ts'
import { hasEnded } from '../../../agent/domain/run.ts'
import type { RunState } from '../../../agent/ports/store.ts'
import { ControlBody } from '../bodies.ts'
import { type App, threadOfConversation, type Web } from '../context.ts'
import { webWorkspace } from '../deps.ts'
import { describedBody, describedRoute } from '../described-route.ts'
import { limits } from '../limits.ts'
import { flag, list, object, ref, text as string } from '../openapi.ts'
import { refuse } from '../problems.ts'
import { renderRun } from '../render.ts'
import { countIn } from './conversations.ts'

/** Runs of one conversation that are counted for the name of a plan. */
const plansMost = 1_000

const actions = ['cancel', 'retry', 'continue'] as const
type Action = (typeof actions)[number]

const summaries: Readonly<Record<Action, string>> = {
  cancel: 'Stops a run that has not ended',
  retry: 'Tries an ended run again as a new run',
  continue: 'Continues a paused run',
}

export function addRunRoutes(app: App, web: Web): void {
  const { reach } = web
  const { conversations, runs } = web.deps.store

  const stateOf = async (id: string): Promise<RunState> =>
    (await reach(() => runs.state(webWorkspace, id))) ?? refuse({ code: 'unknown_run' })

  describedRoute(
    app,
    'get',
    '/api/runs',
    {
      summary: 'Runs, newest first',
      query: ['limit', 'conversation'],
      answers: { 200: object({ runs: list('Run') }) },
      refusals: [400],
    },
    async (c) => {
      const limit = countIn(c, 'limit', limits.listed, limits.listedAtMost)
      const listed = await reach(() => runs.list(webWorkspace, limit, c.req.query('conversation')))
      return c.json({ runs: listed.map((run) => renderRun(run)) })
    },
  )

  describedRoute(
    app,
    'get',
    '/api/runs/:id',
    { summary: 'One run with its plan', answers: { 200: ref('Run') }, refusals: [404] },
    async (c) => {
      const { run, task } = await stateOf(c.req.param('id'))
      return c.json(renderRun(run, task))
    },
  )

  describedRoute(
    app,
    'get',
    '/api/runs/:id/trace',
    {
      summary: 'What happened in a run, in order',
      answers: { 200: object({ trace: { type: 'array' } }) },
      refusals: [404],
    },
    async (c) => {
      const { run } = await stateOf(c.req.param('id'))
      return c.json({ trace: await reach(() => runs.trace(webWorkspace, run.id)) })
    },
  )

  describedRoute(
    app,
    'get',
    '/api/runs/:id/plan.json',
    { summary: 'The plan of a run as a file', answers: { 200: { type: 'object' } }, refusals: [404] },
    async (c) => {
      const { run, task } = await stateOf(c.req.param('id'))
      if (task === null) return refuse({ code: 'not_found' })
      const own = await reach(() => runs.list(webWorkspace, plansMost, run.conversationId ?? undefined))
      const place = own.filter(({ type, createdAt }) => type === run.type && createdAt <= run.createdAt).length
      return c.json(exportPlan(run, task, Math.max(1, place)))
    },
  )

  for (const action of actions) {
    const operation = {
      summary: summaries[action],
      body: ControlBody,
      answers: { 202: object({ id: string, conversationId: string, duplicate: flag }) },
      refusals: [400, 404, 409, 415],
    }
    describedBody(app, 'post', `/api/runs/:id/${action}`, operation, async (c, { author }) => {
      const state = await stateOf(c.req.param('id'))
      refuseIdle(action, state)
      const { id, conversationId } = state.run
      if (conversationId === null) return refuse({ code: 'run_without_thread' })
      const found = await reach(() => conversations.state(webWorkspace, conversationId, 1))
      if (found === null) return refuse({ code: 'unknown_conversation' })
      const taken = await web.take({
        conversation: { id: conversationId, thread: threadOfConversation(found.conversation) },
        keys: [keyOf(action, state)],
        author: web.speaker(c, author),
        content: { kind: 'control', action, runId: id },
      })
      return c.json({ id, conversationId, duplicate: taken.kind === 'duplicate' }, 202)
    })
  }
}

/** What makes no sense in the state that the run is in is refused at once; what races is decided by the core. */
function refuseIdle(action: Action, { run }: RunState): void {
  const { status } = run
  if (action === 'cancel' && hasEnded(status)) refuse({ code: 'run_ended', status })
  if (action === 'continue' && status !== 'paused') refuse({ code: 'run_not_paused', status })
  if (action === 'retry' && !hasEnded(status)) refuse({ code: 'run_still_live', status })
}

/** A run is stopped once, tried again once, and continued once a pause, however many people press the button. */
function keyOf(action: Action, { run, task }: RunState): string {
  const pause = action === 'continue' ? `:${task?.spent.pauses ?? 0}` : ''
  return `web:${run.id}:${action}${pause}`
}
