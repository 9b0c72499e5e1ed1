import type { TabNotice } from './broadcaster.ts'

/**
 * Queue of one tab. Several news of one conversation are merged into one (C265).
 *
 * @param most entries in the queue; beyond that they are dropped, and the tab has to fetch
 * everything again.
 */
export function createTabQueue(most: number) {
  let waiting: TabNotice[] = []
  let isOver = false
  const news = new Map<string, { gone: readonly string[] }>()
  let wake = () => {}

  function add(told: TabNotice) {
    if (told.kind !== 'news') {
      waiting.push(told)
      return
    }
    const about = `${told.workspace} ${told.conversationId}`
    const known = news.get(about)
    if (known !== undefined) {
      known.gone = [...known.gone, ...told.gone]
      return
    }
    const own = { ...told }
    news.set(about, own)
    waiting.push(own)
  }

  return {
    /** Adds a notice; null ends the queue at once and drops what waits. */
    push(told: TabNotice | null): void {
      if (told === null) isOver = true
      else add(told)
      if (waiting.length > most) {
        waiting = [{ kind: 'reset', id: newestOf(waiting) }]
        news.clear()
      }
      wake()
    },
    /**
     * Resolves with all entries as soon as there are any: one by one, each would take a turn of the
     * event loop. Null at the end.
     */
    async next(): Promise<readonly TabNotice[] | null> {
      while (waiting.length === 0 && !isOver)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      news.clear()
      return isOver ? null : waiting.splice(0)
    },
  }
}

/** Id that a tab would have reached with these entries. */
function newestOf(waiting: readonly TabNotice[]): string {
  const newest = waiting.findLast((told) => told.kind === 'event')
  return newest?.kind === 'event' ? newest.event.id : ''
}
