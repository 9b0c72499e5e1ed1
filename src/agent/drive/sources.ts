import { addressesIn, addressesKnown, foundBy } from '../domain/address.ts'
import type { Task } from '../domain/task.ts'
import { askingOf } from './calls.ts'
import type { Session } from './session.ts'

/** Of a thread whose people may have written an address themselves. */
const messagesRead = 200

/** S21: the addresses of a text that the task's own searches and fetches brought up; the thread is read only for a text that has any. */
export async function sourcesIn(
  session: Session,
  task: Task,
  text: string,
): Promise<{ links?: string[] }> {
  const named = addressesIn(text)
  const { deps, run } = session
  const looks =
    named.length === 0 ? [] : task.observations.filter(({ ok, tool }) => ok && finds(session, tool))
  if (looks.length === 0) return {}
  const { conversationId: id, workspace } = run
  const state =
    id === null ? null : await deps.store.conversations.state(workspace, id, messagesRead)
  const found = foundBy(looks, addressesKnown(state?.messages ?? []))
  const links = [...new Set(named)].filter((one) => found.has(one))
  return links.length === 0 ? {} : { links }
}

const finds = ({ deps, run }: Session, tool: string): boolean =>
  deps.toolbox.get(tool, askingOf(run))?.finds === true
