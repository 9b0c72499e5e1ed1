import type { Client } from '@modelcontextprotocol/client'
import { isRecord } from '../../agent/contracts/forgiving.ts'
import { cleanText } from '../../agent/domain/clean-text.ts'
import { cut } from '../../agent/domain/cut.ts'
import type { ToolResult } from '../../agent/ports/tool.ts'
import { type ListOptions, readList } from './list-tools.ts'
import type { ListedTool, ListKind } from './listed.ts'
import { resultOf } from './result.ts'

/** Resources of a server, a line each, and sentences about entries that could not be read. */
export interface ServerResources {
  readonly lines: readonly string[]
  readonly odd: readonly string[]
}

/** Resources that a tool's description names, and the length of each line in characters. */
const namedMost = 8
const lineMost = { named: 120, listed: 400 }

const listOf = (method: string, member: string, key: string): ListKind<{ line: string }> => ({
  method,
  member,
  isOptional: true,
  read(entry, index) {
    const uri = isRecord(entry) ? entry[key] : null
    if (!isRecord(entry) || typeof uri !== 'string' || uri === '')
      return `entry ${index + 1} of its ${member} has no ${key}`
    const { name, title, description } = entry
    const told = [title ?? name, description].filter((one) => typeof one === 'string')
    return { line: cleanText([uri, ...new Set(told)].join(' · ').replaceAll(/\s+/g, ' ')) }
  },
})

const lists = [
  listOf('resources/list', 'resources', 'uri'),
  listOf('resources/templates/list', 'resourceTemplates', 'uriTemplate'),
]

/** Lists what a server offers to be read; a list that cannot be had costs itself alone. */
export async function listResources(
  client: Client,
  options: ListOptions,
): Promise<ServerResources | null> {
  if (client.getServerCapabilities()?.resources === undefined) return null
  const read = await Promise.all(
    lists.map((list) =>
      readList(client, list, options).catch(() => ({
        listed: [],
        odd: [`does not answer ${list.method}`],
      })),
    ),
  )
  return {
    lines: read.flatMap(({ listed }) => listed.map(({ line }) => line)),
    odd: read.flatMap(({ odd }) => odd),
  }
}

/** C920: the tool that reads a server's resources, with the first of them in its description. */
export function resourceTool({ lines }: ServerResources): ListedTool {
  const named = lines.slice(0, namedMost).map((line) => `\n- ${cut(line, lineMost.named)}`)
  const more = lines.length > namedMost ? `\n(${lines.length} in all)` : ''
  return {
    name: 'read_resource',
    description: `Reads a resource of this server: one whose URI a result names, one of its list, or one of a template with its {parts} filled in. Without a uri it lists all.${named.join('')}${more}`,
    schema: { type: 'object', properties: { uri: { type: 'string' } } },
    isReadOnly: true,
    isIdempotent: true,
    readsResources: true,
  }
}

/** The list, for a call that names no resource. */
export const resourcesInWords = ({ lines }: ServerResources): ToolResult => ({
  ok: true,
  text: lines.map((line) => cut(line, lineMost.listed)).join('\n') || '(it lists none)',
})

/** Converts what was read; files that are read as documents are not handed to people besides. */
export function contentsOf(
  { contents }: Readonly<Record<string, unknown>>,
  server: string,
): ToolResult {
  const content = [contents ?? []].flat().map((resource) => ({ type: 'resource', resource }))
  const { files, ...result } = resultOf({ content }, server)
  return result.documents === undefined && files !== undefined ? { ...result, files } : result
}
