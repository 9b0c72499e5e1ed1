/** Where the page is. `list` and `new` differ on the phone only, where one of them is shown at a time. */
export type Route = { view: 'list' | 'new' | 'schedules' | 'todos' | 'memory' } | { view: 'thread'; id: string }

const addresses = { list: '#/', new: '#/new', schedules: '#/schedules', todos: '#/todos', memory: '#/memory' } as const
const views = ['new', 'schedules', 'todos', 'memory'] as const

export function routeOf(hash: string): Route {
  const id = /^#\/t\/([\w-]+)$/.exec(hash)?.[1]
  if (id !== undefined) return { view: 'thread', id }
  return { view: views.find((view) => addresses[view] === hash) ?? 'list' }
}

export const hashOf = (route: Route): string => (route.view === 'thread' ? `#/t/${route.id}` : addresses[route.view])
