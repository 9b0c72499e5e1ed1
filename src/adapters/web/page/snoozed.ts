import type { NeedView } from '../views.ts'
import { keep, recall } from './browser-storage.ts'
import type { Client } from './client.ts'
import type { State } from './state.ts'

/*
 * Entries of the queue that are put off on this device. What waits is the server's; this only
 * hides it for a while.
 */

type Until = Readonly<Record<string, number>>

const storage = 'snoozed'
/** Key of an entry among those of all workspaces. */
export const keyOf = ({ workspace, name }: NeedView): string => `${workspace} ${name}`

function untils(): Until {
  return JSON.parse(recall(storage) ?? '{}')
}

type Waiting = Pick<State, 'needs' | 'unsent' | 'leaving' | 'pressed'>

/** Entries that wait now and those that are put off; `total` counts what waits now. */
export function waitingNow(state: Waiting) {
  const { needs } = state
  if (needs === null) return { now: [], later: [], total: 0 }
  const until = untils()
  const isLater = (need: NeedView) => (until[keyOf(need)] ?? 0) > Date.now()
  const open = needs.needs.filter((need) => !isDealtWith(need, state))
  const later = open.filter(isLater)
  const now = open.filter((need) => !isLater(need))
  return { now, later, total: needs.total - needs.needs.length + now.length }
}

/** True if this person has dealt with an entry, which can still be taken back, or is on its way. */
function isDealtWith(need: NeedView, { unsent, leaving, pressed }: Waiting): boolean {
  const key = keyOf(need)
  const isAnswered = unsent.some(
    ({ questionId }) => questionId !== null && questionId === need.question?.id,
  )
  return (
    isAnswered || pressed[key] !== undefined || leaving.some(({ hides }) => hides?.includes(key))
  )
}

/** Instant at which an entry that was put off is shown again. */
export const backAt = (need: NeedView): number => untils()[keyOf(need)] ?? 0

/** Puts entries off for a time in ms. */
export function snooze(needs: readonly NeedView[], ms: number, client: Client): void {
  const until = Date.now() + ms
  change((all) => ({ ...all, ...Object.fromEntries(needs.map((need) => [keyOf(need), until])) }))
  client.refreshNeeds()
}

export function wake(needs: readonly NeedView[], client: Client): void {
  change((all) => ({ ...all, ...Object.fromEntries(needs.map((need) => [keyOf(need), 0])) }))
  client.refreshNeeds()
}

/** Writes what is put off, without what is due again. */
function change(by: (until: Until) => Until) {
  const open = Object.entries(by(untils())).filter(([, until]) => until > Date.now())
  keep(storage, open.length === 0 ? '' : JSON.stringify(Object.fromEntries(open)))
}
