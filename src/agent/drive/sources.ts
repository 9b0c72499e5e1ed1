import { addressesIn, addressesKnown, foundBy } from '../domain/address.ts'
import type { Task } from '../domain/task.ts'
import { askingOf } from './run-asking.ts'
import type { Session } from './session.ts'

/** Returns the results of a task's own searches and fetches. */
export const looksOf = ({ deps, run }: Session, task: Task) =>
  task.observations.filter(
    ({ ok, tool }) => ok && deps.toolbox.get(tool, askingOf(run))?.finds === true,
  )

/** S21: the addresses of a text that may be links. */
export function sourcesIn(
  { links: known }: { links: ReadonlySet<string> },
  text: string,
): { links?: string[] } {
  const links = [...new Set(addressesIn(text))].filter((one) => known.has(one))
  return links.length === 0 ? {} : { links }
}

/**
 * S54: true if the task may read the address. With facts about one person in its prompt, only
 * addresses from people, searches and pages are allowed, so that no fact leaks in an address.
 */
export async function mayBeRead(session: Session, task: Task, address: string): Promise<boolean> {
  const facts = await session.facts()
  if (!facts.some(({ name }) => name.startsWith('me-'))) return true
  return (await linksFor(session, task)).has(address)
}

/** Returns the addresses from people, searches and pages (S21). */
export const linksFor = async (session: Session, task: Task): Promise<ReadonlySet<string>> =>
  foundBy(looksOf(session, task), addressesKnown(await session.said()))
