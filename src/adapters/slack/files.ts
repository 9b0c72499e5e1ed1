import type { Documents } from '../../agent/ports/documents.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Model } from '../../agent/ports/model.ts'
import { createAttachments } from '../attachments.ts'
import { createDownload } from '../channel-kit/download.ts'
import type { Tokens } from './api.ts'
import { limits } from './limits.ts'

/** Reads what people attach. */
export function createFiles({
  tokens,
  apiUrl,
  ...deps
}: {
  tokens: Tokens
  apiUrl: string
  log: Log
  see: Model['see']
  documents: Documents
}) {
  const own = URL.parse(apiUrl)?.origin
  const isOurs = ({ origin, protocol, hostname }: URL): boolean =>
    origin === own || (protocol === 'https:' && /(?:^|\.)slack(?:-edge|-files)?\.com$/.test(hostname))
  const download = createDownload({ isOurs, bytes: limits.fileBytes, ms: limits.callMs, log: deps.log })
  return createAttachments({
    ...deps,
    platform: 'Slack',
    limits: { files: limits.filesOfMessage, bytes: limits.fileBytes },
    async download({ workspace }, { url }, signal) {
      const token = await tokens.of(workspace).catch(() => null)
      return token === null ? null : await download(url, signal, { authorization: `Bearer ${token}` })
    },
  })
}
