/** Where the page is. `list` and `new` differ on the phone only, where one of them is shown at a time. */
export type Route = { view: 'list' | 'new' | 'schedules' | 'todos' | 'memory' } | ThreadRoute
/** `workspace`: of a thread that is not the page's own. */
export interface ThreadRoute {
  view: 'thread'
  id: string
  workspace?: string
}

const addresses = { list: '#/', new: '#/new', schedules: '#/schedules', todos: '#/todos', memory: '#/memory' } as const
const views = ['new', 'schedules', 'todos', 'memory'] as const

export function routeOf(hash: string): Route {
  const [, workspace, id] = /^#\/t\/(?:([\w-]+%3A[\w%.-]+)\/)?([\w-]+)$/.exec(hash) ?? []
  if (id !== undefined)
    return { view: 'thread', id, ...(workspace === undefined ? {} : { workspace: decodeURIComponent(workspace) }) }
  return { view: views.find((view) => addresses[view] === hash) ?? 'list' }
}

export function hashOf(route: Route): string {
  if (route.view !== 'thread') return addresses[route.view]
  return route.workspace === undefined ? `#/t/${route.id}` : `#/t/${encodeURIComponent(route.workspace)}/${route.id}`
}

const own = 'web:local'

/** The route of a thread of any platform. */
export const routeTo = (workspace: string, id: string): ThreadRoute =>
  workspace === own ? { view: 'thread', id } : { view: 'thread', id, workspace }

/** What a request adds to its path to be about a thread of another platform. */
export const queryOf = (workspace: string | undefined): string =>
  workspace === undefined || workspace === own ? '' : `?workspace=${encodeURIComponent(workspace)}`
