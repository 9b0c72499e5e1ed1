/** An open page, as most runs have one: it reads every event, and tells when so many reports have been shown. */
export interface Page {
  /** Resolves when `count` more reports have been shown from now on; fails after two minutes. */
  reports(count: number): Promise<void>
  close(): void
}

const patienceMs = 120_000

export async function openPage(url: string): Promise<Page> {
  const closing = new AbortController()
  const response = await fetch(`${url}/api/events`, { signal: closing.signal })
  let seen = 0
  let look = () => {}
  void (async () => {
    let rest = ''
    for await (const text of (response.body ?? new ReadableStream()).pipeThrough(
      new TextDecoderStream(),
    )) {
      const frames = (rest + text).split('\n\n')
      rest = frames.pop() ?? ''
      seen += frames.filter((frame) => frame.includes('"kind":"final"')).length
      look()
    }
  })().catch(() => {})
  return {
    reports(count) {
      const wanted = seen + count
      return new Promise((resolve, reject) => {
        const late = setTimeout(
          () => reject(new Error(`${wanted - seen} of ${count} reports are missing`)),
          patienceMs,
        )
        look = () => {
          if (seen < wanted) return
          clearTimeout(late)
          resolve()
        }
        look()
      })
    },
    close: () => closing.abort(),
  }
}
