import type { FileRef, InboundEvent } from '../../agent/domain/event.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Model } from '../../agent/ports/model.ts'
import { texts } from '../../locales/texts.ts'
import { fileInWords, isReadable, textInWords } from '../attachments.ts'
import type { Tokens } from './installations.ts'
import { limits } from './limits.ts'

type See = Model['see']

/** Kinds of images that models take. */
const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Reads what people attach. Slack's own addresses only: the token must reach nobody else. */
export function createFiles(deps: { tokens: Tokens; apiUrl: string; fetch: typeof fetch; log: Log; see: See }) {
  /** Null when it could not be fetched. */
  async function download(workspace: string, url: string, signal: AbortSignal): Promise<Buffer | null> {
    if (!isSlacks(url, deps.apiUrl)) return null
    const token = await deps.tokens.of(workspace)
    const response = await deps.fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      // A token that is not allowed is sent on to a page for signing in.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.callMs)]),
    })
    if (!response.ok || response.body === null) return null
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body) {
      size += chunk.byteLength
      if (size > limits.fileBytes) return null
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }

  async function read(workspace: string, file: FileRef, locale: string, signal: AbortSignal): Promise<string> {
    const words = texts(locale).slack.files
    const { name, mimetype: type, size, url } = file
    const see = images.includes(type) ? deps.see : undefined
    if (see === undefined && !isReadable(name, type)) return words.unreadable(name, type)
    if (size > limits.fileBytes) return words.tooLarge(name, limits.fileBytes / 1024 / 1024)
    const bytes = await download(workspace, url, signal).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'a file could not be fetched')
      return null
    })
    if (bytes === null) return words.failed(name)
    if (see === undefined) return fileInWords({ name, type, bytes }, words)
    const seen = await see({ type, bytes }, signal)
    return seen === null ? words.unreadable(name, type) : textInWords(seen, words.image(name), words)
  }

  return async ({ workspace, content }: InboundEvent, locale: string, signal: AbortSignal): Promise<string> => {
    if (content.kind !== 'message') return ''
    const given = (content.files ?? []).slice(0, limits.filesOfMessage)
    return (await Promise.all(given.map((file) => read(workspace, file, locale, signal)))).join('\n\n')
  }
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
