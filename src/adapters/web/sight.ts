import type { Context } from 'hono'
import type { NeedsOf } from '../../agent/ports/needs.ts'
import type { Web } from './context.ts'
import { webWorkspace } from './deps.ts'
import { refuse } from './problems.ts'

/*
 * Who may see and do what (S22), decided here alone: the user of the page is its operator, who sees every workspace and acts in each
 * of them. What is one person's own on the page only they see.
 */

export const seenWorkspaces = ({ deps, reach }: Web, _c: Context): Promise<string[]> =>
  reach(async () => [...new Set([webWorkspace, ...(await deps.store.alarms.workspaces())])])

/** The workspace that a request names, the page's own where it names none. What one may not see is not there. */
export async function workspaceIn(web: Web, c: Context): Promise<string> {
  const named = c.req.query('workspace') ?? webWorkspace
  if (named === webWorkspace) return named
  return (await seenWorkspaces(web, c)).includes(named) ? named : refuse({ code: 'not_found' })
}

/** Whether somebody sees the schedules and to-dos of a scope: what is one person's own only they do, on the page. */
export const seesScope = (workspace: string, scope: string, person: string): boolean =>
  !scope.startsWith('user:') || (workspace === webWorkspace && scope === `user:${person}`)

/** The queues of what waits, for the person who asks. */
export async function seenNeeds(web: Web, c: Context, person: string): Promise<NeedsOf[]> {
  const workspaces = await seenWorkspaces(web, c)
  return [...workspaces.map((workspace) => ({ workspace })), { workspace: webWorkspace, owner: `user:${person}` }]
}
