import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { uploadLimits } from '../../agent/domain/upload.ts'
import type { Member } from '../../agent/ports/members.ts'
import type { Web } from './context.ts'
import { ownHost, readableHost, safeHeaders, sameSite } from './guard.ts'
import { limits } from './limits.ts'
import { standingOf } from './membership.ts'
import { type Problem, ProblemError, refuse, sentenceFor, statusOf } from './problems.ts'
import type { Route } from './route.ts'
import { arrangeRoutes } from './routes/arrange.ts'
import { auditRoutes } from './routes/audit.ts'
import { calendarRoute } from './routes/calendar.ts'
import { commandsRoute } from './routes/commands.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { eventRoute } from './routes/events.ts'
import { addHookRoute } from './routes/hooks.ts'
import { memoryRoutes } from './routes/memory.ts'
import { needsRoute } from './routes/needs.ts'
import { addOperationRoutes, healthRoutes } from './routes/operations.ts'
import { ownMessageRoutes } from './routes/own-messages.ts'
import { addPageRoutes } from './routes/page.ts'
import { privacyRoutes } from './routes/privacy.ts'
import { questionRoute } from './routes/questions.ts'
import { runRoutes } from './routes/runs.ts'
import { scheduleRoutes } from './routes/schedules.ts'
import { manualRoutes, setupRoutes } from './routes/setup.ts'
import { addSignInRoutes, sessionRoute } from './routes/sign-in.ts'
import { timeRoutes } from './routes/times.ts'
import { todoRoutes } from './routes/todos.ts'
import { upkeepRoutes } from './routes/upkeep.ts'
import { uploadRoutes } from './routes/uploads.ts'
import type { Caller } from './viewer.ts'

/** Routes, in the order of the API's description. */
const routes: readonly Route[] = [
  ...healthRoutes,
  ...conversationRoutes,
  ...ownMessageRoutes,
  ...arrangeRoutes,
  ...uploadRoutes,
  commandsRoute,
  needsRoute,
  questionRoute,
  sessionRoute,
  ...runRoutes,
  ...privacyRoutes,
  ...setupRoutes,
  ...manualRoutes,
  ...timeRoutes,
  ...upkeepRoutes,
  ...auditRoutes,
  ...scheduleRoutes,
  calendarRoute,
  ...todoRoutes,
  ...memoryRoutes,
  eventRoute,
]

/** The page and the API as one app, without a socket. */
export function createApp(web: Web): Hono {
  const app = new Hono()

  app.use(readableHost)
  // These requests come from platforms and authenticate themselves, so they precede all checks for
  // browsers.
  for (const [path, answer] of Object.entries(web.routes))
    app.all(path, bodyLimit({ maxSize: limits.bodyBytes }), (c) => answer(c.req.raw))
  addHookRoute(app, web)

  // Strangers are refused before their body is read.
  app.use(safeHeaders, ownHost(web.token), sameSite, knownCaller(web))
  const small = bodyLimit({
    maxSize: limits.bodyBytes,
    onError: () => refuse('body_too_large'),
  })
  const file = bodyLimit({
    maxSize: uploadLimits.bytes,
    onError: () => refuse('file_too_large'),
  })
  app.use((c, next) => (c.req.path.startsWith('/api/uploads/') ? file : small)(c, next))

  addOperationRoutes(app, web)
  for (const add of routes) add(app, web)
  addPageRoutes(app, web)
  addSignInRoutes(app, web)

  answerProblems(app, web)
  return app
}

/** Answers errors with a sentence each. */
function answerProblems(app: Hono, web: Web) {
  app.notFound((c) => answer({ code: 'not_found' }, c))
  app.onError((error, c) => {
    if (error instanceof ProblemError) return answer(asKnown(error.problem, c.req.method), c)
    // The client aborted: nobody reads an answer, and it is no error here (C66).
    if (c.req.raw.signal.aborted) return c.body(null, 400)
    web.log.error({ err: error, path: c.req.path }, 'a request failed')
    return answer({ code: 'internal' }, c)
  })

  const answer = (problem: Problem, c: Parameters<Web['words']>[0]): Response =>
    c.json(
      { error: { code: problem.code, message: sentenceFor(problem, web.words(c)) } },
      statusOf(problem),
    )
}

/** Requires an authenticated caller with access, before anything under `/api` answers. */
const knownCaller =
  (web: Web): MiddlewareHandler =>
  async (c, next) => {
    const guarded = c.req.path.startsWith('/api/') || c.req.path === '/metrics'
    if (guarded) {
      c.header('Cache-Control', 'no-store')
      const caller = (await web.reach(() => web.door.callerOf(c))) ?? refuse('not_signed_in')
      refuseOthers(c, caller, web)
      if (caller.kind === 'member') await requireStanding(web, c, caller.member)
      c.set('caller', caller)
    }
    await next()
  }

const connectorsPaths: Readonly<Record<string, RegExp>> = {
  POST: /^\/api\/runs$/,
  GET: /^\/api\/(?:runs\/[^/]+|openapi\.json)$/,
}

/**
 * Refuses callers without access. Data stored about people is for an admin, whose secret opens
 * nothing else (S19). A connector starts its work and reads it, and nothing else (S20).
 */
function refuseOthers({ req }: Context, caller: Caller, { token, privacy }: Web) {
  // Anyone on this machine can read the store itself.
  const mayAll = token === null && privacy.token === null
  const isAdmins = req.path.startsWith('/api/privacy/')
  if (caller.kind === 'member' && (isAdmins || req.path === '/metrics')) refuse('not_found')
  if (caller.kind === 'admin' || (isAdmins && !mayAll)) {
    if (caller.kind !== 'admin' || !isAdmins) refuse('not_allowed')
    return
  }
  const isWork = connectorsPaths[req.method]?.test(req.path) ?? false
  if (caller.kind === 'connector' && !isWork) refuse('not_allowed')
}

/**
 * Signs out a member who has left every workspace with Clew, or may not use it. While the platform
 * does not answer, nothing is shown (S26, S29).
 */
async function requireStanding(web: Web, c: Context, member: Member) {
  const standing = await standingOf(web.membership, member)
  if (standing === 'away') refuse('platform_away')
  if (standing === 'here') return
  await web.reach(() => web.door.signOut(c, false))
  refuse('not_signed_in')
}

/**
 * Adapts a failure of the store to the request: a GET changed nothing, and a PATCH may be done in
 * part.
 */
function asKnown(problem: Problem, method: string): Problem {
  if (problem.code !== 'store_unavailable') return problem
  if (method === 'GET') return { ...problem, kept: 'asked' }
  return method === 'PATCH' ? { ...problem, kept: 'perhaps' } : problem
}
