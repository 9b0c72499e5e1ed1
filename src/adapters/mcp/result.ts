import { isRecord } from '../../agent/contracts/forgiving.ts'
import { cut, keptMost } from '../../agent/domain/cut.ts'
import type { MadeFile } from '../../agent/domain/made-file.ts'
import type { ToolResult } from '../../agent/ports/tool.ts'

interface ReadPart {
  text: string
  file?: MadeFile
}

/**
 * Converts a server's result into text for the model. Binary parts are named by kind and size. Each
 * part is parsed by itself, and an unknown part is shown as JSON (C365).
 */
export function resultOf(result: Readonly<Record<string, unknown>>): ToolResult {
  const { content, structuredContent, isError, _meta, ...rest } = result
  const parts = (Array.isArray(content) ? content : [content]).map(partOf)
  const texts = parts.map(({ text }) => text).filter((text) => text !== '')
  const text = texts.join('\n') || shownJson(structuredContent) || shownJson(rest)
  const files = parts.flatMap(({ file }) => file ?? [])
  const ok = isError !== true && isError !== 'true'
  return {
    ok,
    text: text === '' ? '(no output)' : cut(text, keptMost),
    ...(files.length > 0 && { files }),
  }
}

function partOf(part: unknown, index: number): ReadPart {
  if (!isRecord(part)) return { text: shownJson(part) }
  const { type, annotations: _, _meta, ...rest } = part
  const { text = null, data, resource, uri } = rest
  if (text !== null) return { text: shownJson(text) }
  if (typeof data === 'string' && (type === 'image' || type === 'audio'))
    return mediaPart(type, { data, mimeType: textOr(part.mimeType, unknownType) }, index)
  if (isRecord(resource)) return resourcePart(resource, index)
  if (typeof uri === 'string') {
    const name = [part.name, part.title, uri].find((one) => typeof one === 'string')
    return { text: `[resource ${name}: ${uri}]` }
  }
  return { text: shownJson(rest) }
}

const unknownType = 'application/octet-stream'
const textOr = (value: unknown, other: string) =>
  typeof value === 'string' && value !== '' ? value : other

/**
 * Names an image, sound or other binary part by its kind and size; the bytes are not for the model.
 */
const mediaPart = (
  kind: 'image' | 'audio',
  { data, mimeType }: { data: string; mimeType: string },
  index: number,
): ReadPart => ({
  text: `[${kind}, ${mimeType}, ${bytesOf(data)} bytes]`,
  file: { name: `${kind}-${index + 1}.${endingOf(mimeType)}`, type: mimeType, base64: data },
})

function resourcePart(resource: Record<string, unknown>, index: number): ReadPart {
  const { text, blob } = resource
  if (typeof text === 'string') return { text }
  if (typeof blob !== 'string') return { text: shownJson(resource) }
  const type = textOr(resource.mimeType, unknownType)
  const uri = textOr(resource.uri, '')
  const name =
    uri.split(/[/\\?#]/).findLast((one) => one !== '') ?? `file-${index + 1}.${endingOf(type)}`
  return {
    text: `[resource ${uri || name}, ${bytesOf(blob)} bytes]`,
    file: { name, type, base64: blob },
  }
}

/** Returns a text as it is and any other value as JSON; empty for nothing. */
function shownJson(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (!isRecord(value)) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
  return fields.length === 0 ? '' : JSON.stringify(Object.fromEntries(fields))
}

const bytesOf = (base64: string) => Math.floor((base64.length * 3) / 4)

const endingOf = (type: string): string => /\/(?:x-)?([a-z0-9]+)/.exec(type)?.[1] ?? 'bin'
