import { addressesIn, addressesKnown, foundBy } from '../domain/address.ts'
import type { Task } from '../domain/task.ts'
import { askingOf } from './run-asking.ts'
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
  const looks = named.length === 0 ? [] : looksOf(session, task)
  if (looks.length === 0) return {}
  const found = foundBy(looks, await writtenIn(session))
  const links = [...new Set(named)].filter((one) => found.has(one))
  return links.length === 0 ? {} : { links }
}

/**
 * S54: what is remembered of one person alone leaves in no address. Beside it a task reads only addresses that people wrote, and those
 * that a search or a page brought up by itself.
 */
export async function mayBeRead(session: Session, task: Task, address: string): Promise<boolean> {
  const facts = await session.facts()
  if (!facts.some(({ name }) => name.startsWith('me-'))) return true
  return foundBy(looksOf(session, task), await writtenIn(session)).has(address)
}

async function writtenIn({ deps, run }: Session): Promise<string[]> {
  const { conversationId: id, workspace } = run
  const state =
    id === null ? null : await deps.store.conversations.state(workspace, id, messagesRead)
  return addressesKnown(state?.messages ?? [])
}

const looksOf = (session: Session, task: Task) =>
  task.observations.filter(({ ok, tool }) => ok && finds(session, tool))

const finds = ({ deps, run }: Session, tool: string): boolean =>
  deps.toolbox.get(tool, askingOf(run))?.finds === true
