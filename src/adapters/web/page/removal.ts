import { type Session, tell } from './fetches.ts'
import { vocabularies } from './language.ts'
import { problemOf } from './problem.ts'
import { askedBy } from './route.ts'
import type { Removal } from './state.ts'
import { heldMs } from './timers.ts'

/**
 * Acts that can be taken back: nothing is sent before the sentence about it is gone from the
 * screen, or the page is left.
 */
export function removals(session: Session) {
  const { store, api } = session
  const sent = new Set<string>()
  const leaving = () => store.get().leaving
  const keep = (path: string) =>
    store.set({ leaving: leaving().filter((one) => one.path !== path) })
  async function send(path: string, isLeft = false) {
    const removal = leaving().find((one) => one.path === path)
    if (removal === undefined || sent.has(path)) return
    if (removal.undo !== undefined && removal.send === undefined) return keep(path)
    sent.add(path)
    let isDone = true
    if (removal.send !== undefined) await removal.send(isLeft)
    else {
      const answer = await api.ask('DELETE', askedBy(path, store.get().person))
      const problem = problemOf(answer, vocabularies[store.get().language])
      isDone = problem === null
      if (problem !== null) tell(session, problem)
    }
    await removal.done?.(isDone)
    sent.delete(path)
    keep(path)
  }
  /** Sends what waits as the page goes: all of it, or what is not to be late. */
  const leave = (isSoon: (removal: Removal) => boolean) => {
    for (const removal of leaving()) if (isSoon(removal)) void send(removal.path, true)
  }
  addEventListener('pagehide', () => leave(() => true))
  // A phone may end a hidden page without a word (C692).
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') leave(({ ms }) => ms === heldMs)
  })
  return {
    remove(removal: Removal): void {
      const others = leaving().filter(({ path }) => path !== removal.path)
      store.set({ leaving: [...others, removal] })
    },
    undo(path: string): void {
      const removal = leaving().find((one) => one.path === path)
      // What is on its way cannot be taken back any more.
      if (sent.has(path)) return
      keep(path)
      void removal?.undo?.()
      store.set({ undos: store.get().undos + 1 })
    },
    send: (path: string) => void send(path),
  }
}
