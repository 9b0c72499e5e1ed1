import type { Told } from './broadcaster.ts'

/**
 * What waits for one tab. News of one conversation are one, whatever has happened in it meanwhile (C265).
 *
 * @param most a tab for which more waits loses it all and is told to fetch everything again.
 */
export function createTabQueue(most: number) {
  let waiting: Told[] = []
  let isOver = false
  const news = new Map<string, { gone: readonly string[] }>()
  let wake = (): void => {}

  function add(told: Told): void {
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
    /** Null: nothing follows, and nothing that waits matters any more. */
    push(told: Told | null): void {
      if (told === null) isOver = true
      else add(told)
      if (waiting.length > most) {
        waiting = [{ kind: 'reset', id: newestOf(waiting) }]
        news.clear()
      }
      wake()
    },
    /** All that waits, as soon as there is anything: what is told one by one takes a turn of the loop each. Null: the end. */
    async next(): Promise<readonly Told[] | null> {
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
