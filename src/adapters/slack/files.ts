import type { Documents } from '../../agent/ports/documents.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Model } from '../../agent/ports/model.ts'
import { bytesOf, createAttachments } from '../attachments.ts'
import type { Tokens } from './api.ts'
import { limits } from './limits.ts'

/** Reads what people attach. Slack's own addresses only: the token must reach nobody else. */
export function createFiles(deps: {
  tokens: Tokens
  apiUrl: string
  fetch: typeof fetch
  log: Log
  see: Model['see']
  documents: Documents
}) {
  async function download(workspace: string, url: string, signal: AbortSignal): Promise<Buffer | null> {
    if (!isSlacks(url, deps.apiUrl)) return null
    const token = await deps.tokens.of(workspace)
    const response = await deps.fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      // A token that is not allowed is sent on to a page for signing in.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.callMs)]),
    })
    return response.ok ? await bytesOf(response, limits.fileBytes) : null
  }

  return createAttachments({
    see: deps.see,
    documents: deps.documents,
    platform: 'Slack',
    limits: { files: limits.filesOfMessage, bytes: limits.fileBytes },
    async download({ workspace }, { url }, signal) {
      try {
        return await download(workspace, url, signal)
      } catch (error) {
        deps.log.warn({ err: error }, 'a file could not be fetched')
        return null
      }
    },
  })
}

function isSlacks(address: string, apiUrl: string): boolean {
  const url = URL.parse(address)
  const own = URL.parse(apiUrl)
  if (url === null || own === null) return false
  return (
    url.origin === own.origin ||
    (url.protocol === 'https:' && /(?:^|\.)slack(?:-edge|-files)?\.com$/.test(url.hostname))
  )
}
