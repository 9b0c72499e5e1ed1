import { createAttachments } from '../attachments.ts'
import { createDownload } from '../channel-kit/download.ts'
import type { Slack } from './context.ts'
import { limits } from './limits.ts'

/** Reads what people attach. */
export function createFiles({ deps, installations }: Slack) {
  const own = URL.parse(deps.apiUrl)?.origin
  const isOurs = ({ origin, protocol, hostname }: URL): boolean =>
    origin === own || (protocol === 'https:' && /(?:^|\.)slack(?:-edge|-files)?\.com$/.test(hostname))
  const download = createDownload({ isOurs, bytes: limits.fileBytes, ms: limits.callMs, log: deps.log })
  return createAttachments({
    documents: deps.documents,
    platform: 'Slack',
    limits: { files: limits.filesOfMessage, bytes: limits.fileBytes },
    async download({ workspace }, { url }, signal) {
      const token = await installations.of(workspace).catch(() => null)
      return token === null ? null : await download(url, signal, { authorization: `Bearer ${token}` })
    },
  })
}
