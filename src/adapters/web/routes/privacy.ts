import type { Context } from 'hono'
import { z } from 'zod'
import { exported, recordPrivacy } from '../../../agent/commands/privacy.ts'
import { deriveId } from '../../../agent/domain/id.ts'
import { countsOf, Kept, PrivacyExport } from '../../../agent/domain/privacy.ts'
import { isOnPage, type WebDeps, webWorkspace } from '../deps.ts'
import { limits } from '../limits.ts'
import { refuse } from '../problems.ts'
import { notForMembers } from '../route.ts'

const { route } = notForMembers

const Counts = z.partialRecord(Kept.shape.kind, z.int())

/** Person and workspace that a request is about. */
const askedIn = (c: Context) => ({
  workspace: c.req.query('workspace') || webWorkspace,
  person: c.req.param('person') ?? '',
})

/**
 * Refuses a workspace that holds no thread: to an admin who mistyped it, an empty answer would say
 * that nothing is kept of the person (C513).
 */
async function refuseUnknown(workspace: string, store: WebDeps['store']) {
  if (isOnPage(workspace)) return
  const threads = await store.conversations.list(workspace, 1)
  if (threads.length === 0) refuse('unknown_workspace', { name: workspace })
}

/** C893: the row of a request by the holder of the token, who has no name. */
async function record(
  web: WebDeps,
  done: ReturnType<typeof askedIn> & { change: 'export' | 'erase' },
  contents = '',
) {
  const id = deriveId('x', 'privacy', web.clock.randomId())
  await recordPrivacy(web.store.audit, { id, by: 'ADMIN_TOKEN', thread: null }, done, contents)
}

/** Routes for the data that is stored about one person, on any platform (C117, C118, S19). */
export const privacyRoutes = [
  route('get', '/api/privacy/:person', {
    summary:
      'All that is kept of one person, by their id, in a workspace such as slack:T024BE7LD; the page’s where none is named',
    query: ['workspace'],
    refusals: ['unknown_workspace'],
    answer: PrivacyExport,
    async handle({ c, web }) {
      const asked = { ...askedIn(c), at: web.clock.now() }
      const all = await web.reach(
        () => exported({ privacy: web.privacy.store }, asked),
        limits.privacyMs,
      )
      if (all.kept.length === 0) await refuseUnknown(asked.workspace, web.store)
      await web.reach(() => record(web, { ...asked, change: 'export' }, JSON.stringify(all)))
      const headers = { 'content-disposition': 'attachment; filename="privacy.json"' }
      return c.json(all, 200, headers)
    },
  }),

  route('delete', '/api/privacy/:person', {
    summary: 'Erases all of it; again, it changes nothing more',
    description:
      'Counts by kind. `erased` is gone; `unnamed` is the team’s and lost its author; `atWork` waits until work has ended.',
    query: ['workspace'],
    refusals: ['unknown_workspace'],
    answer: z.object({ erased: Counts, unnamed: Counts, atWork: Counts }),
    async handle({ c, web }) {
      const { workspace, person } = askedIn(c)
      const before = await web.reach(
        () => web.privacy.store.kept(workspace, person),
        limits.privacyMs,
      )
      if (before.length === 0) await refuseUnknown(workspace, web.store)
      await web.reach(() => record(web, { workspace, person, change: 'erase' }))
      const kept = await web.reach(
        () => web.privacy.store.erase(workspace, person),
        limits.privacyMs,
      )
      const counts = (stays?: Kept['stays']) => countsOf(kept.filter((one) => one.stays === stays))
      return { erased: counts(), unnamed: counts('name'), atWork: counts('work') }
    },
  }),
]
