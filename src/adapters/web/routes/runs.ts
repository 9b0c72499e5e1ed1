import { z } from 'zod'
import type { Connector } from '../../../agent/connectors.ts'
import { coverageOf } from '../../../agent/domain/forecast.ts'
import { stepsLeft } from '../../../agent/domain/plan-edit.ts'
import { exportPlan } from '../../../agent/domain/plan-export.ts'
import { hasEnded, mayBeginAgain, type Run } from '../../../agent/domain/run.ts'
import { RunHistory, runHistory } from '../../../agent/domain/run-history.ts'
import { TraceEntry } from '../../../agent/domain/trace.ts'
import type { RunState } from '../../../agent/ports/store.ts'
import { restartAt } from '../../../agent/strategies/rewind.ts'
import { AgainBody, ControlBody, FeedbackBody, KeepTestBody, PlanBody } from '../bodies.ts'
import { addressOf, type Gesture, takeRefusals, type Web } from '../context.ts'
import type { Description } from '../openapi.ts'
import { conversationIn, homeOf, isRunSeen, runIn, sees } from '../permissions.ts'
import { refuse } from '../problems.ts'
import { renderRun } from '../render.ts'
import { forMembers, notForMembers, type Route } from '../route.ts'
import { FeedbackView, RunView } from '../views.ts'
import { connectedRunRoute } from './connected-runs.ts'
import { limitIn } from './conversations.ts'
import { Taken } from './questions.ts'

const { route, bodyRoute } = forMembers
const { route: operatorsRoute } = notForMembers

/** Most runs of a conversation that are counted for the name of a plan. */
const plansMost = 1_000
/**
 * Most runs of a workspace that are searched for those of a member, or for opinions on them, newest
 * first.
 */
const runsRead = 1_000

export const runRoutes = [
  route('get', '/api/runs', {
    summary: 'Runs, newest first',
    query: ['limit', 'conversation'],
    answer: z.object({ runs: z.array(RunView) }),
    async handle({ c, web }) {
      const limit = limitIn(c)
      const { workspace } = homeOf(c)
      // Other people's runs there are skipped, so more are read.
      const most = sees(web, c) === undefined ? limit : runsRead
      const { runs } = web.store
      const listed = await web.reach(() => runs.list(workspace, most, c.req.query('conversation')))
      const seen = await Promise.all(listed.map((run) => isRunSeen(web, c, run)))
      return {
        runs: listed
          .filter((_, at) => seen[at])
          .slice(0, limit)
          .map((run) => renderRun(run)),
      }
    },
  }),

  connectedRunRoute,

  route('get', '/api/runs/:id', {
    summary: 'One run with its plan',
    query: ['workspace'],
    answer: RunView,
    async handle({ c, web }) {
      const caller = c.get('caller')
      const isConnector = caller?.kind === 'connector'
      const { run, task } = await (isConnector
        ? ownState(web, caller.connector, c.req.param('id'))
        : runIn(web, c))
      return renderRun(run, task)
    },
  }),

  route('get', '/api/runs/:id/trace', {
    summary: 'What happened in a run, in order',
    query: ['workspace'],
    answer: z.object({ trace: z.array(TraceEntry) }),
    async handle({ c, web }) {
      return { trace: await traceOf(web, (await runIn(web, c)).run) }
    },
  }),

  route('get', '/api/runs/:id/history', {
    summary: 'What a run did, step by step, and how its plan changed',
    query: ['workspace'],
    answer: RunHistory.extend({ currency: z.string().describe('ISO 4217, of costs') }),
    async handle({ c, web }) {
      const { run, task } = await runIn(web, c)
      const { currency } = web.upkeep.limits
      return { ...runHistory(task, await traceOf(web, run), run), currency }
    },
  }),

  route('get', '/api/runs/:id/plan.json', {
    summary: 'The plan of a run as a file',
    answer: z.looseObject({}),
    async handle({ c, web }) {
      const { run, task } = await runIn(web, c, homeOf(c).workspace)
      if (task === null) return refuse('not_found')
      const { runs } = web.store
      const own = await web.reach(() =>
        runs.list(run.workspace, plansMost, run.conversationId ?? undefined),
      )
      const place = own.filter(
        ({ type, createdAt }) => type === run.type && createdAt <= run.createdAt,
      ).length
      return c.json(exportPlan(run, task, Math.max(1, place)))
    },
  }),

  // Races with the run are decided by the core.
  gestureRoute('plan', {
    summary: 'Changes the steps that have not begun: edits, leaves out, adds and reorders them',
    body: PlanBody,
    refusals: ['run_ended', 'no_plan'],
    gesture({ web, run, task, body: { seen, steps, clientMessageId } }) {
      if (hasEnded(run.status)) return refuse('run_ended', { status: run.status })
      if (task === null || stepsLeft(task) === null) return refuse('no_plan')
      const key = `plan:${clientMessageId ?? web.clock.randomId()}`
      return { key, content: { kind: 'plan_edit', runId: run.id, seen, steps } }
    },
  }),

  // C251: the thread asks before something is done twice, unless the caller is sure.
  gestureRoute('again', {
    summary: 'Begins a run that is paused or has ended again at a step of its plan, as a new run',
    body: AgainBody,
    refusals: ['run_not_over', 'no_plan', 'not_begun'],
    async gesture({
      web,
      run,
      task,
      body: { step = null, sure: isSure = false, clientMessageId },
    }) {
      if (!mayBeginAgain(run)) return refuse('run_not_over', { status: run.status })
      const start = restartAt(task, await traceOf(web, run), step)
      if (!start.ok)
        return start.last === null ? refuse('no_plan') : refuse('not_begun', { last: start.last })
      const key = `again:${clientMessageId ?? web.clock.randomId()}`
      return { key, content: { kind: 'again', runId: run.id, step, isSure } }
    },
  }),

  control('cancel', 'Stops a run that has not ended', 'run_ended'),
  control('retry', 'Tries an ended run again as a new run', 'run_still_live'),
  control('continue', 'Continues a paused run', 'run_not_paused'),

  // C182: people's opinions on reports, wherever they read them.
  operatorsRoute('get', '/api/feedback', {
    summary: 'What people think of reports, in every workspace, newest first',
    query: ['limit'],
    answer: z.object({ feedback: z.array(FeedbackView) }),
    async handle({ c, web: { store, reach } }) {
      const limit = limitIn(c)
      const all = (await reach(() => newestRuns(store))).flatMap(
        ({ id: runId, workspace, title, status, type, feedback = [] }) =>
          feedback.map((one) => ({ ...one, workspace, runId, title, status, type })),
      )
      const newest = all.toSorted((one, other) => other.at - one.at).slice(0, limit)
      return { feedback: z.array(FeedbackView).parse(newest) }
    },
  }),

  operatorsRoute('get', '/api/forecasts', {
    summary: 'How often runs took as many requests of the model as was said',
    answer: z.object({
      forecasts: z.int().describe('Of ended runs among the newest 1,000 of each workspace'),
      inside: z.int(),
    }),
    async handle({ web: { store, reach } }) {
      return coverageOf(await reach(() => newestRuns(store)))
    },
  }),

  gestureRoute('feedback', {
    summary: 'Says what somebody thinks of a run; saying it again changes it',
    body: FeedbackBody,
    refusals: [],
    gesture: ({ web, run, body: { author: _, ...opinion } }) => ({
      key: `feedback:${web.clock.randomId()}`,
      content: { ...opinion, kind: 'feedback', runId: run.id },
    }),
  }),

  gestureRoute('keep_test', {
    summary: 'Keeps a run as a test, with what would have been right',
    body: KeepTestBody,
    refusals: [],
    gesture: ({ web, run, body: { right } }) => ({
      key: `keep_test:${web.clock.randomId()}`,
      content: { kind: 'keep_test', runId: run.id, right },
    }),
  }),
]

/** Newest runs of every workspace. */
async function newestRuns({ runs, alarms }: Web['store']) {
  const workspaces = await alarms.workspaces()
  return (await Promise.all(workspaces.map((one) => runs.list(one, runsRead)))).flat()
}

function control(
  action: 'cancel' | 'retry' | 'continue',
  summary: string,
  unfit: 'run_ended' | 'run_still_live' | 'run_not_paused',
): Route {
  return gestureRoute(action, {
    summary,
    body: ControlBody,
    refusals: [unfit],
    // A gesture that the run's state rules out is refused at once; races are decided by the core.
    gesture({ run: { id, status }, task }) {
      const fits = {
        cancel: !hasEnded(status),
        retry: hasEnded(status),
        continue: status === 'paused',
      }
      if (!fits[action]) refuse(unfit, { status })
      // A run is stopped once, retried once, and continued once per pause, however many people
      // press the button.
      const pause = action === 'continue' ? `:${task?.spent.pauses ?? 0}` : ''
      return { key: action + pause, content: { kind: 'control', action, runId: id } }
    },
  })
}

/** Gesture about a run; `key` is unique among all gestures about that run. */
type AboutRun = Pick<Gesture, 'content'> & { key: string }

/**
 * Declares a route for a gesture about a run, which goes to the run's thread. A run of the page
 * without a thread can only be stopped.
 */
function gestureRoute<B extends z.ZodType<z.infer<typeof ControlBody>>>(
  verb: string,
  options: {
    summary: string
    body: B
    refusals: NonNullable<Description['refusals']>
    gesture(given: RunState & { web: Web; body: z.infer<B> }): AboutRun | Promise<AboutRun>
  },
): Route {
  const { summary, body: schema, refusals, gesture } = options
  return bodyRoute('post', `/api/runs/:id/${verb}`, {
    summary,
    query: ['workspace'],
    body: schema,
    status: 202,
    answer: Taken,
    refusals: [...takeRefusals, ...refusals, 'run_without_thread', 'unknown_conversation'],
    async handle({ c, web, body }) {
      const state = await runIn(web, c)
      const { key, content } = await gesture({ ...state, web, body })
      const { id, conversationId, workspace } = state.run
      const isStop =
        content.kind === 'control' &&
        content.action === 'cancel' &&
        workspace === homeOf(c).workspace
      if (conversationId === null && !isStop) return refuse('run_without_thread')
      const conversation =
        conversationId === null
          ? { id: null, address: { ...homeOf(c), thread: null }, locale: '' }
          : addressOf(
              (await conversationIn(web, c, conversationId, { messages: 1, workspace }))
                .conversation,
            )
      const author = web.speaker(c, body.author)
      const taken = await web.take({
        conversation,
        keys: [`web:${id}:${key}`],
        author,
        way: 'pressed',
        content,
      })
      return { id, conversationId: taken.conversationId, duplicate: taken.kind === 'duplicate' }
    },
  })
}

const traceOf = ({ store, reach }: Web, { workspace, id }: Run) =>
  reach(() => store.runs.trace(workspace, id))

/** State of a run that this connector started; all other runs are unknown to it (S20). */
const ownState = async (
  { connectors, reach }: Web,
  connector: Connector,
  id: string,
): Promise<RunState> =>
  (await reach(async () => connectors?.find(connector, id) ?? null)) ?? refuse('unknown_run')
