import { isRecord } from '../../agent/contracts/forgiving.ts'
import { cut, keptMost } from '../../agent/domain/cut.ts'
import { fileKindOf } from '../../agent/domain/document.ts'
import type { MadeFile } from '../../agent/domain/made-file.ts'
import type { ReadDocument, ToolResult } from '../../agent/ports/tool.ts'

interface ReadPart {
  text: string
  file?: MadeFile
  document?: ReadDocument
}

/** Length of a resource's text from which on it is kept like a page, in characters. */
const inlineMost = 20_000

/**
 * Converts a server's result into text for the model. Binary parts are named by kind and size. Each
 * part is parsed by itself, and an unknown part is shown as JSON (C365). Long texts and documents
 * in it are read like pages (C920).
 *
 * @param server name of the server, for the names of its documents.
 */
export function resultOf(result: Readonly<Record<string, unknown>>, server: string): ToolResult {
  const { content, structuredContent, isError, _meta, ...rest } = result
  const parts = (Array.isArray(content) ? content : [content]).map((part, index) =>
    partOf(part, index, server),
  )
  const texts = parts.map(({ text }) => text).filter((text) => text !== '')
  const text = texts.join('\n') || shownJson(structuredContent) || shownJson(rest)
  const files = parts.flatMap(({ file }) => file ?? [])
  const documents = parts.flatMap(({ document }) => document ?? [])
  const ok = ![true, 'true', 1].includes(isError as boolean)
  return {
    ok,
    text: text === '' ? '(no output)' : cut(text, keptMost),
    files: files.length > 0 ? files : undefined,
    documents: documents.length > 0 ? documents : undefined,
  }
}

function partOf(part: unknown, index: number, server: string): ReadPart {
  if (!isRecord(part)) return { text: shownJson(part) }
  const { type, annotations: _, _meta, ...rest } = part
  const { text = null, resource, uri } = rest
  if (text !== null) return { text: shownJson(text) }
  const media = mediaIn(part)
  if (media !== null) return mediaPart(type === 'audio' ? type : 'image', media, index)
  if (isRecord(resource)) return resourcePart(resource, index, server)
  if (typeof uri === 'string') {
    const name = [part.name, part.title, uri].find((one) => typeof one === 'string')
    return { text: `[resource ${name}: ${uri}]` }
  }
  return { text: shownJson(rest) }
}

const unknownType = 'application/octet-stream'
const textOr = (value: unknown, other: string) =>
  typeof value === 'string' && value !== '' ? value : other

interface Media {
  data: string
  mimeType: string
}

/** Bytes of an image or sound, as MCP and as models have them, or in an address that holds them. */
function mediaIn(part: Record<string, unknown>): Media | null {
  const { type, data, mimeType, source, image_url: image } = part
  if (!['image', 'audio', 'image_url'].includes(String(type))) return null
  const held = isRecord(source) ? source : { data, media_type: mimeType }
  const url = isRecord(image) ? image.url : image
  const given = [held.data, url].find((one) => typeof one === 'string')
  if (given === undefined) return null
  const [, kind = '', base64] =
    /^data:([^;,]{0,100})(?:;[^;,]{1,100}){0,5},(.*)$/s.exec(given) ?? []
  if (base64 === undefined && given === url) return null
  const told = textOr(held.media_type, kind)
  return { data: base64 ?? given, mimeType: textOr(told, unknownType) }
}

/**
 * Names an image, sound or other binary part by its kind and size; the bytes are not for the model.
 */
const mediaPart = (
  kind: 'image' | 'audio',
  { data, mimeType }: Media,
  index: number,
): ReadPart => ({
  text: `[${kind}, ${mimeType}, ${bytesOf(data)} bytes]`,
  file: { name: `${kind}-${index + 1}.${endingOf(mimeType)}`, type: mimeType, base64: data },
})

function resourcePart(resource: Record<string, unknown>, index: number, server: string): ReadPart {
  const { text, blob } = resource
  const uri = textOr(resource.uri, '')
  const name = `mcp://${server}/${uri}`
  if (typeof text === 'string') {
    const type = textOr(resource.mimeType, 'text/plain')
    const isTable = fileKindOf({ name: uri, type }, Buffer.from(text.slice(0, 1_024))) === 'csv'
    if (text.length <= inlineMost && !isTable) return { text }
    return { text: '', document: { name, type, content: text } }
  }
  if (typeof blob !== 'string') return { text: shownJson(resource) }
  const type = textOr(resource.mimeType, unknownType)
  const file = {
    name: fileNameOf(uri) ?? `file-${index + 1}.${endingOf(type)}`,
    type,
    base64: blob,
  }
  const content = Buffer.from(blob, 'base64')
  const isReadable = fileKindOf(file, content) !== null
  return {
    text: `[resource ${uri || file.name}, ${bytesOf(blob)} bytes]`,
    file,
    document: isReadable ? { name, type, content } : undefined,
  }
}

const fileNameOf = (uri: string) => uri.split(/[/\\?#]/).findLast((one) => one !== '')

/** Returns a text as it is and any other value as JSON; empty for nothing. */
function shownJson(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (!isRecord(value)) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
  return fields.length === 0 ? '' : JSON.stringify(Object.fromEntries(fields))
}

const bytesOf = (base64: string) => Math.floor((base64.length * 3) / 4)

const endingOf = (type: string) => /\/(?:x-)?([a-z0-9]+)/.exec(type)?.[1] ?? 'bin'
