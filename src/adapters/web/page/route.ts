import { present } from '../../../agent/domain/present.ts'
import { signedIn } from './signed-in.ts'

/**
 * Current place in the page. `list` and `new` differ only on phones, which show one of them at a
 * time.
 */
export type Route =
  | { view: 'list' | (typeof views)[number] }
  /** The to-dos; `todo` is the number of the one to show. */
  | { view: 'todos'; todo: number | null }
  /** A page of the manual, or its contents; `part` is a heading there. */
  | { view: 'manual'; name: string | null; part?: string | undefined }
  | ThreadRoute
/** A thread. `workspace` is set if it is not the page's own. */
export interface ThreadRoute {
  view: 'thread'
  id: string
  workspace?: string
  /** Message in the thread (C206). */
  message?: string | undefined
}

const views = [
  'new',
  'needs',
  'schedules',
  'calendar',
  'memory',
  'costs',
  'audit',
  'setup',
] as const

export function routeOf(hash: string): Route {
  const [, workspace, id, message] =
    /^#\/t\/(?:([\w-]+%3A[\w%.-]+)\/)?([\w-]+)(?:\/([\w-]+))?$/.exec(hash) ?? []
  if (id !== undefined)
    return {
      view: 'thread',
      id,
      workspace: workspace === undefined ? undefined : decodeURIComponent(workspace),
      message,
    }
  const [manual, name = null, part] = /^#\/manual(?:\/([a-z-]+)(?:\/([\w-]*))?)?$/.exec(hash) ?? []
  if (manual !== undefined) return { view: 'manual', name, part }
  const [todos, todo] = /^#\/todos(?:\/(\d{1,15}))?$/.exec(hash) ?? []
  if (todos !== undefined) return { view: 'todos', todo: todo === undefined ? null : Number(todo) }
  return { view: views.find((view) => `#/${view}` === hash) ?? 'list' }
}

export function hashOf(route: Route): string {
  if (route.view === 'list') return '#/'
  if (route.view === 'manual')
    return ['#/manual', route.name ?? [], route.part ?? []].flat().join('/')
  if (route.view === 'todos') return ['#/todos', route.todo ?? []].flat().join('/')
  if (route.view !== 'thread') return `#/${route.view}`
  const { workspace, id, message } = route
  const parts = present([
    workspace !== undefined && encodeURIComponent(workspace),
    id,
    message ?? [],
  ]).flat()
  return `#/t/${parts.join('/')}`
}

/** Hash of a route, without its message. */
export const placeName = (route: Route): string =>
  hashOf(route.view === 'thread' ? { ...route, message: undefined } : route)

const own = signedIn.home

/** Route of a thread of any platform, or of one of its messages. */
export const routeTo = (workspace: string, id: string, message?: string): ThreadRoute => ({
  view: 'thread',
  id,
  workspace: workspace === own ? undefined : workspace,
  message,
})

/** Workspace of the open thread, if it is one of another platform. */
export const workspaceOf = (route: Route): string | undefined =>
  route.view === 'thread' ? route.workspace : undefined

/** Path of a request without a body, with the id of who asks. */
export const askedBy = (path: string, { id }: { id: string }): string =>
  `${path}${path.includes('?') ? '&' : '?'}author=${encodeURIComponent(id)}`

/** Query that makes a request be about a thread of another platform. */
export const queryOf = (workspace: string | undefined): string =>
  workspace === undefined || workspace === own ? '' : `?workspace=${encodeURIComponent(workspace)}`
