import type { Context } from 'hono'
import type { Connector } from '../../agent/connectors.ts'
import type { Member } from '../../agent/ports/members.ts'
import { refuse } from './problems.ts'

/** Person who looks at the page; `session` is the one they are signed in with. */
export type Viewer =
  | { kind: 'operator'; session: string | null }
  | { kind: 'member'; session: string; member: Member }
export type Caller = Viewer | { kind: 'admin' } | { kind: 'connector'; connector: Connector }

declare module 'hono' {
  interface ContextVariableMap {
    caller: Caller
  }
}

export function viewerOf(c: Context): Viewer {
  const caller = c.get('caller')
  return caller?.kind === 'operator' || caller?.kind === 'member' ? caller : refuse('not_allowed')
}
export const memberOf = (viewer: Viewer): Member | null =>
  viewer.kind === 'member' ? viewer.member : null
