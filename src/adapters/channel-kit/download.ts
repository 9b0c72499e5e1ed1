import type { FileRef } from '../../agent/domain/file-ref.ts'
import type { Log } from '../../agent/ports/log.ts'

const page = /^text\/html\b/i

/**
 * Downloads attachments from the platform's own addresses only, so that the token reaches no other
 * host. Returns `null` for a file that cannot be fetched in time or exceeds `bytes`. Never throws.
 *
 * @param ms longest time for one download, in milliseconds.
 */
export function createDownload(deps: {
  isOurs(url: URL): boolean
  bytes: number
  ms: number
  log: Log
}) {
  return async (
    { url: address, mimetype }: Pick<FileRef, 'mimetype'> & { url: string | null },
    signal: AbortSignal,
    headers = {},
  ): Promise<Buffer | null> => {
    const url = URL.parse(address ?? '')
    if (url === null || !deps.isOurs(url)) return null
    try {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(deps.ms)])
      // A token without permission is redirected to a sign-in page, or gets it at once.
      const response = await fetch(url, { headers, redirect: 'error', signal: ends })
      const type = response.headers.get('content-type') ?? ''
      const isPage = page.test(type) && !page.test(mimetype)
      if (isPage) deps.log.warn({ host: url.host }, 'file not fetched: a page came in its place')
      return response.ok && !isPage ? await bytesOf(response, deps.bytes) : null
    } catch (error) {
      deps.log.warn({ err: error }, 'file not fetched')
      return null
    }
  }
}

/** Returns the body of a response, or `null` as soon as it exceeds `most` bytes. */
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
