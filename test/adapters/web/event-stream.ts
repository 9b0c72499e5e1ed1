/** A tab that listens: the raw stream over a real socket, taken apart. */
export interface Heard {
  id: string | null
  event: string
  data: Record<string, unknown>
}

export interface Tab {
  /** Everything so far. */
  heard: readonly Heard[]
  /** The next one that fits, from where the last `next` stopped. */
  next(fits: (heard: Heard) => boolean): Promise<Heard>
  /** The server ended it, or it was closed. */
  ended: Promise<void>
  close(): void
}

/** Opens `/api/events` and resolves when it has answered. */
export async function listenTo(
  url: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<Tab> {
  const abort = new AbortController()
  const response = await fetch(`${url}/api/events${query}`, { headers, signal: abort.signal })
  if (!response.ok || response.body === null)
    throw new Error(`the stream answers ${response.status}`)
  const heard: Heard[] = []
  let wake = (): void => undefined
  let cursor = 0
  const ended = read(response.body, (one) => {
    heard.push(one)
    wake()
  })
  return {
    heard,
    ended,
    async next(fits) {
      for (;;) {
        while (cursor < heard.length) {
          const one = heard[cursor++]
          if (one !== undefined && fits(one)) return one
        }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    close: () => abort.abort(),
  }
}

async function read(
  body: ReadableStream<Uint8Array>,
  found: (heard: Heard) => void,
): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const bytes of body) {
      rest += decoder.decode(bytes, { stream: true })
      const frames = rest.split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) found(parse(frame))
    }
  } catch {
    // The stream was closed, by us or by the server.
  }
}

function parse(frame: string): Heard {
  const fields = new Map(
    frame.split('\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  return {
    id: fields.get('id') ?? null,
    event: fields.get('event') ?? 'beat',
    data: JSON.parse(fields.get('data') ?? '{}'),
  }
}
