import type { Told } from './broadcaster.ts'

export interface TabQueue {
  /** Null: nothing follows, and nothing that waits matters any more. */
  push(told: Told | null): void
  /** All that waits, as soon as there is anything: what is told one by one takes a turn of the loop each. Null: the end. */
  next(): Promise<readonly Told[] | null>
}

/**
 * What waits for one tab. News of one conversation are one, whatever has happened in it meanwhile (C265).
 *
 * @param most a tab for which more waits loses it all and is told to fetch everything anew.
 */
export function createTabQueue(most: number): TabQueue {
  let waiting: Told[] = []
  let isOver = false
  const news = new Map<string, { gone: readonly string[] }>()
  let wake = (): void => {}

  function joins(told: Told): boolean {
    if (told.kind !== 'news') return false
    const known = news.get(`${told.workspace} ${told.conversationId}`)
    if (known === undefined) return false
    known.gone = [...known.gone, ...told.gone]
    return true
  }

  function add(told: Told): void {
    const own = { ...told }
    if (own.kind === 'news') news.set(`${own.workspace} ${own.conversationId}`, own)
    waiting.push(own)
  }

  return {
    push(told) {
      if (told === null) isOver = true
      else if (!joins(told)) add(told)
      if (waiting.length > most) {
        waiting = [{ kind: 'reset', id: newestOf(waiting) }]
        news.clear()
      }
      wake()
    },
    async next() {
      while (waiting.length === 0 && !isOver)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      news.clear()
      return isOver ? null : waiting.splice(0)
    },
  }
}

/** The id up to which a list of waiting items would have brought a tab. */
function newestOf(waiting: readonly Told[]): string {
  const newest = waiting.findLast((told) => told.kind === 'event')
  return newest?.kind === 'event' ? newest.event.id : ''
}
