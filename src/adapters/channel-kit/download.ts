import type { Log } from '../../agent/ports/log.ts'

/**
 * Fetches what people attached, from the platform's own addresses only: a token must reach nobody else. Null for what cannot
 * be had in time or is larger than `bytes`. Never throws.
 *
 * @param ms how long fetching may take, in milliseconds.
 */
export function createDownload(deps: {
  isOurs(url: URL): boolean
  bytes: number
  ms: number
  log: Log
}) {
  return async (
    address: string | null,
    signal: AbortSignal,
    headers = {},
  ): Promise<Buffer | null> => {
    const url = URL.parse(address ?? '')
    if (url === null || !deps.isOurs(url)) return null
    try {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(deps.ms)])
      // A token that is not allowed is sent on to a page for signing in.
      const response = await fetch(url, { headers, redirect: 'error', signal: ends })
      return response.ok ? await bytesOf(response, deps.bytes) : null
    } catch (error) {
      deps.log.warn({ err: error }, 'a file could not be fetched')
      return null
    }
  }
}

/** The body of an answer; null as soon as it is larger than `most` bytes. */
async function bytesOf({ body }: Response, most: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > most) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
