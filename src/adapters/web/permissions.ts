import type { Context } from 'hono'
import type { Address } from '../../agent/domain/conversation.ts'
import { isAskedOf, type Question } from '../../agent/domain/question.ts'
import type { Need, NeedsOf } from '../../agent/ports/needs.ts'
import type { ConversationState, RunState, Sees } from '../../agent/ports/store.ts'
import type { Web } from './context.ts'
import { memberWorkspace, webChannel, webWorkspace } from './deps.ts'
import { refuse } from './problems.ts'
import { memberOf, type Viewer, viewerOf } from './viewer.ts'

/*
 * Permissions to see and act (S22, S26), decided here alone.
 *
 * An operator sees every workspace and acts in each. A member sees their own threads of the page,
 * which are direct messages with Clew, and the places that their platform shows them. Personal data
 * on the page is visible only to its owner. Anything else answers as if it did not exist.
 */

/**
 * Place of threads that a viewer begins on the page: one for all operators, and a private one for
 * each member.
 */
export function homeOf(c: Context) {
  const member = memberOf(viewerOf(c))
  if (member === null) return { workspace: webWorkspace, channel: webChannel }
  return { workspace: memberWorkspace, channel: member.key }
}

/**
 * Refuses a member for whom Clew does not work on the page (C26). For messages in threads, intake
 * checks that.
 */
export function requireServed(web: Web, c: Context): void {
  if (!isServed(web, c, homeOf(c).channel)) refuse('not_allowed')
}

export function isServed({ mayUse }: Web, c: Context, channel: string): boolean {
  const member = memberOf(viewerOf(c))
  return member === null || mayUse(member.person.id, channel)
}

/** Predicate for what a viewer sees; undefined if that is everything. */
function seesFor({ membership }: Pick<Web, 'membership'>, viewer: Viewer): Sees | undefined {
  const member = memberOf(viewer)
  if (member === null) return undefined
  return async ({ workspace, channel, thread }: Address) => {
    if (workspace === memberWorkspace) return channel === member.key
    if (!member.workspaces.includes(workspace)) return false
    const rooms = await membership.roomsOf(member, workspace)
    return rooms !== null && rooms !== 'away' && (await rooms.has(channel, thread))
  }
}
export const sees = (web: Web, c: Context): Sees | undefined => seesFor(web, viewerOf(c))

/**
 * Workspaces of which the viewer may see anything. `away` is true if a platform does not answer, so
 * that some may be missing.
 */
export async function workspacesOf(web: Web, c: Context) {
  const { store, membership, reach } = web
  const member = memberOf(viewerOf(c))
  const home = homeOf(c).workspace
  if (member === null)
    return reach(async () => ({
      seen: [...new Set([home, ...(await store.alarms.workspaces())])],
      away: false,
    }))
  const rooms = await Promise.all(
    member.workspaces.map((workspace) => membership.roomsOf(member, workspace)),
  )
  const seen = member.workspaces.filter((_, at) => rooms[at] !== null && rooms[at] !== 'away')
  return { seen: [home, ...seen], away: rooms.includes('away') }
}
export const seenWorkspaces = async (web: Web, c: Context): Promise<string[]> =>
  (await workspacesOf(web, c)).seen

/**
 * Workspace that a request names; defaults to the viewer's own. One that the viewer may not see is
 * refused as not found.
 */
export async function workspaceIn(web: Web, c: Context): Promise<string> {
  const home = homeOf(c).workspace
  const named = c.req.query('workspace') ?? home
  if (named === home) return named
  const member = memberOf(viewerOf(c))
  if (member === null)
    return (await seenWorkspaces(web, c)).includes(named) ? named : refuse('not_found')
  const rooms = member.workspaces.includes(named)
    ? await web.membership.roomsOf(member, named)
    : null
  if (rooms === 'away') return refuse('platform_away')
  return rooms === null ? refuse('not_found') : named
}

/**
 * True if a person sees the schedules and to-dos of a scope. Personal ones are only their owner's,
 * an operator's only on the page. Members see those of channels that they see, too.
 */
export async function seesScope(
  web: Web,
  c: Context,
  { workspace, scope, person }: { workspace: string; scope: string; person: string },
): Promise<boolean> {
  const may = sees(web, c)
  if (scope.startsWith('user:'))
    return scope === `user:${person}` && (may !== undefined || workspace === webWorkspace)
  if (may === undefined) return true
  const [, channel] = /^channel:(.*)$/s.exec(scope) ?? []
  return channel !== undefined && (await may({ workspace, channel, thread: null }))
}

/**
 * Conversation with its newest messages, at most `messages`. Defaults to the viewer's own
 * workspace.
 */
export async function conversationIn(
  web: Web,
  c: Context,
  id: string,
  options: { messages: number; workspace?: string },
): Promise<ConversationState> {
  const { messages, workspace = homeOf(c).workspace } = options
  const state = await web.reach(() => web.store.conversations.state(workspace, id, messages))
  const may = sees(web, c)
  if (state === null || (may !== undefined && !(await may(state.conversation.address))))
    return refuse('unknown_conversation')
  return state
}

/**
 * Conversation that a request names. One that a member may not see is refused before it is read.
 * For an operator, the route itself looks it up.
 */
export async function seenIn(web: Web, c: Context) {
  const [workspace, id] = [await workspaceIn(web, c), idIn(c)]
  if (sees(web, c) !== undefined) await conversationIn(web, c, id, { messages: 0, workspace })
  return { workspace, id }
}

/**
 * Conversation that a request may change for everybody. Members may do so only in their own threads
 * of the page.
 */
export async function ownIn(web: Web, c: Context) {
  const named = await seenIn(web, c)
  if (memberOf(viewerOf(c)) !== null && named.workspace !== homeOf(c).workspace)
    refuse('not_allowed')
  return named
}

const idIn = (c: Context) => c.req.param('id') ?? ''

/**
 * Run that a request names, if its thread is visible to the viewer. Runs without a thread are for
 * operators only.
 */
export async function runIn(web: Web, c: Context, place?: string): Promise<RunState> {
  const workspace = place ?? (await workspaceIn(web, c))
  const state = await web.reach(() => web.store.runs.state(workspace, idIn(c)))
  if (state === null || !(await isRunSeen(web, c, state.run))) return refuse('unknown_run')
  return state
}

export async function isRunSeen(
  web: Web,
  c: Context,
  { workspace, conversationId }: { workspace: string; conversationId: string | null },
): Promise<boolean> {
  if (sees(web, c) === undefined) return true
  return (
    conversationId !== null && (await seesConversation(web, viewerOf(c), workspace, conversationId))
  )
}

/** True if a viewer sees a conversation, by its id alone. */
export async function seesConversation(
  web: Web,
  viewer: Viewer,
  workspace: string,
  id: string,
): Promise<boolean> {
  const may = seesFor(web, viewer)
  if (may === undefined) return true
  const name = `${workspace} ${id}`
  const known = web.addresses.get(name)
  if (known !== undefined) return await may(known)
  const state = await web.reach(() => web.store.conversations.state(workspace, id, 0))
  if (state === null) return false
  const { address } = state.conversation
  if (address.thread !== null) web.addresses.set(name, address)
  return await may(address)
}

/**
 * Predicate for the questions that a person of the page may answer (C600). On other platforms an
 * operator answers all (S22), but for what a service asks one person (C851).
 */
export function askedOf(web: Web, c: Context, person: string, workspace: string) {
  const isOperator = memberOf(viewerOf(c)) === null && workspace !== webWorkspace
  const mayAll = isOperator || web.admins.includes(person)
  return (question: Question) =>
    (mayAll && question.service === undefined) || isAskedOf(question, person)
}

type NeedAt = Pick<Need, 'at' | 'name'>

/**
 * Entries that wait for the viewer, behind a place. All are read, so that the count is theirs: what
 * only somebody else may approve is not (C600).
 */
export async function seenNeeds(
  web: Web,
  c: Context,
  asked: { person: string; after: NeedAt | null; limit: number },
) {
  const { person, after, limit } = asked
  const { needs } = web.store
  const [workspaces, may] = [await seenWorkspaces(web, c), sees(web, c)]
  const owner = `user:${person}`
  const own: NeedsOf[] = (may === undefined ? [webWorkspace] : workspaces).map((workspace) => ({
    workspace,
    owner,
  }))
  const queues = [...workspaces.map((workspace) => ({ workspace })), ...own]
  const isTheirs = async (need: Need) =>
    (need.kind !== 'question' || askedOf(web, c, person, need.workspace)(need.question)) &&
    (may === undefined || (await isOwnNeed(need, owner, may)))
  const all: Need[] = []
  let from: NeedAt | null = null
  do {
    const page: Awaited<ReturnType<typeof needs.list>> = await web.reach(() =>
      needs.list(queues, from, needsAtOnce),
    )
    for (const need of page.needs) if (await isTheirs(need)) all.push(need)
    from = page.next
  } while (from !== null)
  const behind = all.filter(
    ({ at, name }) => after === null || at > after.at || (at === after.at && name > after.name),
  )
  const shown = behind.slice(0, limit)
  const last = behind.length > limit ? shown.at(-1) : undefined
  return {
    needs: shown,
    total: all.length,
    next: last === undefined ? null : { at: last.at, name: last.name },
  }
}
const needsAtOnce = 500

/**
 * True if a member sees an entry: by its thread, or without one if it is about their own memory.
 */
async function isOwnNeed({ name, conversation }: Need, owner: string, may: Sees): Promise<boolean> {
  return conversation === null ? name.startsWith(`m|${owner}|`) : await may(conversation.address)
}
