import { type Client, ProtocolError } from '@modelcontextprotocol/client'
import { z } from 'zod'
import type { Tool } from '../../agent/ports/tool.ts'
import { functionNames, type ListedTool, readPage } from './listed.ts'

const toolsMost = 200
/** Most pages of a tool list; a faulty server may announce another page forever. */
const pagesMost = 50

/** Schema that accepts any result, whose parts are checked one by one. */
export const AnyResult = z.looseObject({})

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
 * @throws Error if the server does not answer the first page.
 */
export async function listTools(
  client: Client,
  options: { server: string; timeout: number; signal: AbortSignal },
  toolFor: (listed: ListedTool, name: string, key: string) => Tool,
): Promise<ServerTools> {
  const { listed, odd } = await readList(client, options)
  const byName = new Map<string, ListedTool>()
  for (const tool of listed)
    if (!byName.has(tool.name)) byName.set(tool.name, tool)
    else odd.push(`${tool.name}: is listed twice`)
  if (byName.size > toolsMost) odd.push(`lists more than ${toolsMost} tools; the rest is left out`)
  // Sorted by name, so that the list in a prompt does not depend on the server's order.
  const inOrder = [...byName.values()]
    .slice(0, toolsMost)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const names = functionNames(
    options.server,
    inOrder.map(({ name }) => name),
  )
  const tools = inOrder.map((tool) => {
    const name = names.get(tool.name) ?? tool.name
    const key = JSON.stringify([name, tool])
    return [key, toolFor(tool, name, key)] as const
  })
  return { tools: new Map(tools), odd }
}

async function readList(
  client: Client,
  { timeout, signal }: { timeout: number; signal: AbortSignal },
) {
  const listed: ListedTool[] = []
  const odd: string[] = []
  const cursors = new Set<string | null>()
  let next: string | null = null
  do {
    cursors.add(next)
    const request = { method: 'tools/list', params: next === null ? {} : { cursor: next } }
    const page = await client
      .request(request, AnyResult, { timeout, signal })
      .catch((error: unknown) => {
        if (next === null && !(error instanceof ProtocolError)) throw error
        const why = error instanceof Error ? error.message : String(error)
        odd.push(`page ${cursors.size} of its list: ${why.slice(0, 300)}`)
        return { tools: [] }
      })
    const read = readPage(page)
    listed.push(...read.tools)
    odd.push(...read.odd)
    next = read.next
  } while (!cursors.has(next) && cursors.size < pagesMost && listed.length <= toolsMost)
  return { listed, odd }
}
