import { inflateSync } from 'node:zlib'
import type { FileRef, InboundEvent } from '../../agent/domain/event.ts'
import type { Log } from '../../agent/ports/log.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import { short } from './blocks.ts'
import type { Tokens } from './installations.ts'
import { limits } from './limits.ts'

/** Kinds whose bytes are text, whatever their sender calls them. */
const textTypes = /^(?:text\/|application\/(?:json|csv|xml|x-yaml|yaml|javascript|x-ndjson|toml)\b)/
const textNames = /\.(?:txt|md|markdown|csv|tsv|json|ndjson|ya?ml|xml|html?|log|ts|js|py|sql|ini|toml)$/i

/** Reads what people attach. Slack's own addresses only: the token must reach nobody else. */
export function createFiles(deps: { tokens: Tokens; apiUrl: string; fetch: typeof fetch; log: Log }) {
  /** Null when it could not be fetched. */
  async function download(workspace: string, url: string, signal: AbortSignal): Promise<Uint8Array | null> {
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

  async function read(workspace: string, file: FileRef, words: Texts, signal: AbortSignal): Promise<string> {
    const { files } = words.slack
    const { name, mimetype, size, url } = file
    const isText = textTypes.test(mimetype) || textNames.test(name)
    if (!isText && mimetype !== 'application/pdf') return files.unreadable(name, mimetype)
    if (size > limits.fileBytes) return files.tooLarge(name, limits.fileBytes / 1024 / 1024)
    const content = await download(workspace, url, signal).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'a file could not be fetched')
      return null
    })
    if (content === null) return files.failed(name)
    const text = isText ? new TextDecoder().decode(content) : pdfText(content)
    if (text.trim() === '') return files.unreadable(name, mimetype)
    const kept = short(text, limits.fileCharacters)
    const fence = '`'.repeat(Math.max(3, ...(kept.match(/`+/g) ?? []).map(({ length }) => length + 1)))
    const cut = kept.length < text.length ? `\n${files.cut}` : ''
    return `${files.heading(name)}\n${fence}\n${kept}\n${fence}${cut}`
  }

  return async ({ workspace, content }: InboundEvent, locale: string, signal: AbortSignal): Promise<string> => {
    if (content.kind !== 'message') return ''
    const words = texts(locale)
    const given = (content.files ?? []).slice(0, limits.filesOfMessage)
    return (await Promise.all(given.map((file) => read(workspace, file, words, signal)))).join('\n\n')
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

/**
 * The words of a PDF whose fonts use plain characters; those of others, and of scans, are not to be had without a
 * renderer, and then there is none.
 */
export function pdfText(content: Uint8Array): string {
  const raw = Buffer.from(content).toString('latin1')
  const words: string[] = []
  for (const [, stream = ''] of raw.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)) {
    const page = inflated(stream)
    for (const [, line = ''] of page.matchAll(/BT\b([\s\S]*?)\bET\b/g)) {
      for (const [, text = '', , list = ''] of line.matchAll(
        /(\((?:\\[\s\S]|[^\\()])*\))\s*(Tj|'|")|\[((?:[^\]\\]|\\.)*)\]\s*TJ/g,
      )) {
        words.push(
          Array.from((text + list).matchAll(/\(((?:\\[\s\S]|[^\\()])*)\)/g), ([, part = '']) => plain(part)).join(''),
        )
      }
      words.push('\n')
    }
  }
  const text = words
    .join(' ')
    .replace(/[ \t]+/g, ' ')
    .trim()
  // Letters of fonts with numbers of their own come out as noise: better nothing than that.
  const readable = text.match(/[\p{L}\p{N}\s.,;:!?()'"%€$+-]/gu)?.length ?? 0
  return readable >= text.length * 0.9 ? text : ''
}

function inflated(stream: string): string {
  try {
    return inflateSync(Buffer.from(stream, 'latin1'), { maxOutputLength: 20 * 1024 * 1024 }).toString('latin1')
  } catch {
    return stream
  }
}

const plain = (part: string): string =>
  part
    .replace(/\\(\d{1,3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
    .replace(/\\([nrtbf()\\])/g, (_, letter: string) =>
      letter === 'n' || letter === 'r' ? '\n' : letter.replace(/[tbf]/, ' '),
    )
