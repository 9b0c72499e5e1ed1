import { debounced } from '../../src/adapters/web/page/timers.ts'
import { listenTo } from '../adapters/web/event-stream.ts'
import { allOf, type Shown } from './answer-race-shared.ts'
import { waitedFor } from './processor-time.ts'

/*
 * The page of the race as it is open somewhere, with all of the queue shown, in a process of its own. It does what the page does:
 * takes off what it hears is gone, and fetches the queue anew soon after whatever it hears (C265). The first message makes it note
 * what is there; each is answered with when a conversation's entry was shown no more.
 */

const { url } = JSON.parse(process.env.CLEW_BENCH ?? '{}') as { url: string }
const tab = await listenTo(url)
// A browser would connect again; here that would hide a fault.
void tab.ended.then(() => process.exit(3))
const unshown: Record<string, number> = {}
const kept: [number, number][] = []
let shown: string[] = []

async function look(): Promise<void> {
  const now = new Set((await allOf(url)).map(({ conversationId }) => conversationId))
  for (const id of shown) if (!now.has(id)) unshown[id] ??= Date.now()
}

const refresh = debounced(look)

async function watch(): Promise<void> {
  for (;;) {
    const { event, data } = await tab.next(() => true)
    const isGone = event === 'news' && (data.gone as string[]).some((name) => name.startsWith('q|'))
    // What is published on a server is heard in all of its databases, those of other tests, too.
    const id = String(data.conversationId)
    if (isGone && shown.includes(id)) unshown[id] ??= Date.now()
    refresh()
  }
}

process.on('message', async () => {
  if (shown.length === 0) {
    shown = (await allOf(url)).map(({ conversationId }) => conversationId ?? '')
    const waited = waitedFor()
    setInterval(() => kept.push([Date.now(), waited()]), 10).unref()
    void watch().catch(() => process.exit(0))
  }
  process.send?.({ unshown, kept } satisfies Shown)
})
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
process.send?.(null)
