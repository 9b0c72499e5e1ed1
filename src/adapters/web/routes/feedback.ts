import { z } from 'zod'
import { FeedbackBody } from '../bodies.ts'
import { limits } from '../limits.ts'
import { routesWith } from '../route.ts'
import { runIn } from '../sight.ts'
import { FeedbackView } from '../views.ts'
import { countIn } from './conversations.ts'
import { Taken } from './questions.ts'
import { takeFor } from './runs.ts'

const { route } = routesWith()
const { bodyRoute } = routesWith({ members: true })

/** Runs of each workspace that are looked through, newest first. */
const runsRead = 1_000

/** C182: what people think of reports, wherever they were read. */
export const feedbackRoutes = [
  route('get', '/api/feedback', {
    summary: 'What people think of reports, in every workspace, newest first',
    query: ['limit'],
    answer: z.object({ feedback: z.array(FeedbackView) }),
    async handle({ c, web: { store, reach } }) {
      const limit = countIn(c, 'limit', limits.listed, limits.listedAtMost)
      const { runs, alarms } = store
      const read = async () =>
        await Promise.all((await alarms.workspaces()).map((workspace) => runs.list(workspace, runsRead)))
      const all = (await reach(read))
        .flat()
        .flatMap(({ id: runId, workspace, title, status, type, feedback = [] }) =>
          feedback.map(({ author, good, at }) => ({ workspace, runId, title, status, type, author, good, at })),
        )
      const newest = all.toSorted((one, other) => other.at - one.at).slice(0, limit)
      return { feedback: z.array(FeedbackView).parse(newest) }
    },
  }),

  bodyRoute('post', '/api/runs/:id/feedback', {
    summary: 'Says what somebody thinks of a run; saying it again changes it',
    query: ['workspace'],
    body: FeedbackBody,
    status: 202,
    answer: Taken,
    async handle({ c, web, body: { author, good } }) {
      const state = await runIn(web, c)
      const { id } = state.run
      return await takeFor(web, c, state, {
        keys: [`web:${id}:feedback:${web.clock.randomId()}`],
        author: web.speaker(c, author),
        content: { kind: 'feedback', runId: id, good },
      })
    },
  }),
]
