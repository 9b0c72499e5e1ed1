import { type Session, tell } from './fetches.ts'
import { vocabularies } from './language.ts'
import { problemOf } from './problem.ts'

import type { Removal } from './state.ts'

/**
 * Deletions that can be undone: nothing is sent before the sentence about it is gone from the
 * screen, or the page is left.
 */
export function removals(session: Session) {
  const { store, api } = session
  const sent = new Set<string>()
  const leaving = () => store.get().leaving
  const keep = (path: string): void =>
    store.set({ leaving: leaving().filter((one) => one.path !== path) })
  async function send(path: string): Promise<void> {
    const removal = leaving().find((one) => one.path === path)
    if (removal === undefined || sent.has(path)) return
    if (removal.undo !== undefined) return keep(path)
    sent.add(path)
    if (removal.send !== undefined) await removal.send()
    else {
      const answer = await api.ask('DELETE', path)
      const problem = problemOf(answer, vocabularies[store.get().language])
      if (problem !== null) tell(session, problem)
    }
    await removal.done()
    sent.delete(path)
    keep(path)
  }
  addEventListener('pagehide', () => {
    for (const { path } of leaving()) void send(path)
  })
  return {
    remove(removal: Removal): void {
      const others = leaving().filter(({ path }) => path !== removal.path)
      store.set({ leaving: [...others, removal] })
    },
    undo(path: string): void {
      const removal = leaving().find((one) => one.path === path)
      keep(path)
      void removal?.undo?.()
    },
    send: (path: string) => void send(path),
  }
}
