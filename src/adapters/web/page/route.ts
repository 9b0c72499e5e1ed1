/** Where the page is. `list` and `new` differ on the phone only, where one of them is shown at a time. */
export type Route =
  | { view: 'list' }
  | { view: 'new' }
  | { view: 'schedules' }
  | { view: 'todos' }
  | { view: 'memory' }
  | { view: 'thread'; id: string }

export function routeOf(hash: string): Route {
  const id = /^#\/t\/([\w-]+)$/.exec(hash)?.[1]
  if (id !== undefined) return { view: 'thread', id }
  if (hash === '#/schedules') return { view: 'schedules' }
  if (hash === '#/todos') return { view: 'todos' }
  if (hash === '#/memory') return { view: 'memory' }
  return hash === '#/new' ? { view: 'new' } : { view: 'list' }
}

export function hashOf(route: Route): string {
  switch (route.view) {
    case 'thread':
      return `#/t/${route.id}`
    case 'schedules':
      return '#/schedules'
    case 'todos':
      return '#/todos'
    case 'memory':
      return '#/memory'
    case 'new':
      return '#/new'
    case 'list':
      return '#/'
  }
}
