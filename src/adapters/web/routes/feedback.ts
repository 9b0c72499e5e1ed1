import { z } from 'zod'
import { FeedbackBody } from '../bodies.ts'
import { limits } from '../limits.ts'
import { routesWith } from '../route.ts'
import { FeedbackView } from '../views.ts'
import { countIn } from './conversations.ts'
import { gestureRoute } from './runs.ts'

const { route } = routesWith()

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

  gestureRoute('feedback', {
    summary: 'Says what somebody thinks of a run; saying it again changes it',
    body: FeedbackBody,
    gesture: ({ web, run, body: { good } }) => ({
      key: `feedback:${web.clock.randomId()}`,
      content: { kind: 'feedback', runId: run.id, good },
    }),
  }),
]
