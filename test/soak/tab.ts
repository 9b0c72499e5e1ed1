import { setTimeout as wait } from 'node:timers/promises'
import type { Host } from './host.ts'

/** One event as a browser got it. */
export interface Shown {
  id: string
  kind: string
  data: {
    conversationId?: string
    delivery?: { id: string; body: { kind: string } & Record<string, unknown> }
  }
}

/** An open page: it follows the events and, after every cut, goes on from the last one it has seen. */
export interface Tab {
  readonly shown: readonly Shown[]
  /** The id of the last event that it has seen. */
  last(): string
  /** Resolves at the next event, at the latest after `ms`. */
  next(ms: number): Promise<void>
  close(): Promise<void>
}

/** @param keeps which events stay in `shown`; the texts of thousands fill the memory. Default: all. */
export function openTab(
  host: Pick<Host, 'url'>,
  keeps: (event: Shown) => boolean = () => true,
): Tab {
  const shown: Shown[] = []
  const closing = new AbortController()
  let waiting: (() => void)[] = []
  let last = '0-0'

  function take(frame: string) {
    const fields = new Map(
      frame
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    )
    const id = fields.get('id')
    if (id !== undefined) last = id
    const kind = fields.get('event')
    if (kind === undefined || id === undefined) return
    const event = { id, kind, data: JSON.parse(fields.get('data') ?? '{}') }
    if (keeps(event)) shown.push(event)
    for (const wake of waiting.splice(0)) wake()
  }

  async function follow(url: string) {
    const response = await fetch(`${url}/api/events`, {
      headers: { 'last-event-id': last },
      signal: closing.signal,
    })
    if (response.body === null) return
    let text = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) take(frame)
    }
  }

  const following = (async () => {
    while (!closing.signal.aborted) {
      const url = host.url()
      if (url !== null) await follow(url).catch(() => undefined)
      await wait(10)
    }
  })()

  return {
    shown,
    last: () => last,
    async next(ms) {
      await Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), wait(ms)])
    },
    async close() {
      closing.abort()
      for (const wake of waiting.splice(0)) wake()
      waiting = []
      await following
    },
  }
}
