import { type Client, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import { z } from 'zod'
import type { Tool } from '../../agent/ports/tool.ts'
import { functionNames, type ListedTool, type ListKind, readPage, toolList } from './listed.ts'

/** Most entries of a list that are taken. */
const entriesMost = 200
/** Most pages of a list; a faulty server may announce another page forever. */
const pagesMost = 50

/** Schema that accepts any result, whose parts are checked one by one. */
export const AnyResult = z.looseObject({})

export interface ListOptions {
  timeout: number
  signal: AbortSignal
}

/**
 * Tools of a server, with a sentence about each entry or page of its list that could not be read
 * (C365).
 */
export interface ServerTools {
  /** Tools by definition and function name. A tool that is listed again unchanged keeps its key. */
  readonly tools: ReadonlyMap<string, Tool>
  readonly odd: readonly string[]
}

/**
 * Lists the tools of a server, page by page.
 *
 * @param own Clew's own tool of this server; where the server has one of its name, an underscore
 *   follows.
 * @throws Error if the server does not answer the first page.
 */
export async function listTools(
  client: Client,
  { server, own, ...options }: ListOptions & { server: string; own: ListedTool | null },
  toolFor: (listed: ListedTool, name: string, key: string) => Tool,
): Promise<ServerTools> {
  const { listed, odd } = await readList(client, toolList, options)
  const byName = new Map<string, ListedTool>()
  for (const tool of listed)
    if (!byName.has(tool.name)) byName.set(tool.name, tool)
    else odd.push(`${tool.name}: is listed twice`)
  if (byName.size > entriesMost)
    odd.push(`lists more than ${entriesMost} tools; the rest is left out`)
  const all = [...byName.values()].slice(0, entriesMost)
  if (own !== null) all.push(byName.has(own.name) ? { ...own, name: `${own.name}_` } : own)
  // Sorted by name, so that the list in a prompt does not depend on the server's order.
  const inOrder = all.sort((a, b) => (a.name < b.name ? -1 : 1))
  const names = functionNames(
    server,
    inOrder.map(({ name }) => name),
  )
  const tools = inOrder.map((tool) => {
    const name = names.get(tool.name) ?? tool.name
    const key = JSON.stringify([name, tool])
    return [key, toolFor(tool, name, key)] as const
  })
  return { tools: new Map(tools), odd }
}

/** True if a server has no such list. */
const isMissing = (error: unknown) =>
  error instanceof ProtocolError && error.code === ProtocolErrorCode.MethodNotFound

/**
 * Reads a list of a server, page by page; `odd` says what could not be read.
 *
 * @throws Error if the server does not answer the first page.
 */
export async function readList<T extends object>(
  client: Client,
  list: ListKind<T>,
  { timeout, signal }: ListOptions,
) {
  const listed: T[] = []
  const odd: string[] = []
  const cursors = new Set<string | null>()
  let next: string | null = null
  do {
    cursors.add(next)
    const request = { method: list.method, params: next === null ? {} : { cursor: next } }
    const page: Record<string, unknown> = await client
      .request(request, AnyResult, { timeout, signal })
      .catch((error: unknown) => {
        if (next === null && !(error instanceof ProtocolError)) throw error
        if (list.isOptional && isMissing(error)) return {}
        const why = error instanceof Error ? error.message : String(error)
        odd.push(`page ${cursors.size} of its list: ${why.slice(0, 300)}`)
        return {}
      })
    const read = readPage(list, page)
    listed.push(...read.entries)
    odd.push(...read.odd)
    next = read.next
  } while (!cursors.has(next) && cursors.size < pagesMost && listed.length <= entriesMost)
  return { listed, odd }
}
