import type { CallToolResult } from '@modelcontextprotocol/client'
import { assertNever } from '../../agent/domain/assert.ts'
import type { MadeFile } from '../../agent/domain/made-file.ts'
import type { ToolResult } from '../../agent/ports/tool.ts'

/** More of one result than this a task does not keep anyway; the rest never gets into memory twice. In characters. */
const textMost = 20_000

/** A server's answer as text for the model; what is no text is named by its kind and size. */
export function resultOf(result: CallToolResult): ToolResult {
  const parts = result.content.map(partOf).filter((part) => part !== '')
  const structured =
    result.structuredContent === undefined ? '' : JSON.stringify(result.structuredContent)
  const text = parts.length === 0 ? structured : parts.join('\n')
  const whole = text === '' ? '(no output)' : text
  const shown =
    whole.length <= textMost
      ? whole
      : `${whole.slice(0, textMost)}… [${whole.length - textMost} more characters]`
  const files = result.content.flatMap(fileOf)
  return { ok: result.isError !== true, text: shown, ...(files.length === 0 ? {} : { files }) }
}

function partOf(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
    case 'audio':
      return `[${part.type}, ${part.mimeType}, ${bytesOf(part.data)} bytes]`
    case 'resource_link':
      return `[resource ${part.name}: ${part.uri}]`
    case 'resource':
      return 'text' in part.resource
        ? part.resource.text
        : `[resource ${part.resource.uri}, ${bytesOf(part.resource.blob)} bytes]`
    default:
      return assertNever(part)
  }
}

const bytesOf = (base64: string) => Math.floor((base64.length * 3) / 4)

/** Pictures, sounds and other bytes are for people; a model gets their kind and size. */
function fileOf(part: CallToolResult['content'][number], index: number): MadeFile[] {
  if (part.type === 'image' || part.type === 'audio')
    return [
      {
        name: `${part.type}-${index + 1}.${endingOf(part.mimeType)}`,
        type: part.mimeType,
        base64: part.data,
      },
    ]
  if (part.type !== 'resource' || !('blob' in part.resource)) return []
  const { uri, blob, mimeType: type = 'application/octet-stream' } = part.resource
  const name =
    uri.split(/[/\\?#]/).findLast((one) => one !== '') ?? `file-${index + 1}.${endingOf(type)}`
  return [{ name, type, base64: blob }]
}

const endingOf = (type: string): string => /\/(?:x-)?([a-z0-9]+)/.exec(type)?.[1] ?? 'bin'
