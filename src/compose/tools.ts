import { lookup } from 'node:dns/promises'
import { memoryTable } from '../agent/commands/memory-table.ts'
import type { RunCommandDeps } from '../agent/commands/run-command.ts'
import { scheduleTable } from '../agent/commands/schedule-table.ts'
import { todoTable } from '../agent/commands/todo-table.ts'
import { present } from '../agent/domain/present.ts'
import type { ProfileIn } from '../agent/domain/profile.ts'
import type { Canvases } from '../agent/ports/canvases.ts'
import type { Documents } from '../agent/ports/documents.ts'
import type { Library } from '../agent/ports/library.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Store } from '../agent/ports/store.ts'
import type { Tables } from '../agent/ports/tables.ts'
import type { Tool } from '../agent/ports/tool.ts'
import { createCanvasTool } from '../agent/tools/canvas.ts'
import { createCommandTool } from '../agent/tools/command-tool.ts'
import { contained } from '../agent/tools/contained.ts'
import type { FetchDeps } from '../agent/tools/fetch/fetch.ts'
import { createFetchTool } from '../agent/tools/fetch-web.ts'
import { createFilesTool } from '../agent/tools/files.ts'
import { keepingDocuments } from '../agent/tools/keep-document.ts'
import { createMessageTool, type MessageDeps } from '../agent/tools/message.ts'
import { createReadingTools, type ReadingDeps } from '../agent/tools/reading.ts'
import { createToolbox, type Toolbox } from '../agent/tools/registry.ts'
import { createRepoReadTool, createRepoSearchTool } from '../agent/tools/repo-search.ts'
import { createBrave } from '../agent/tools/search/brave.ts'
import type { SearchProvider } from '../agent/tools/search/provider.ts'
import { createSearxng } from '../agent/tools/search/searxng.ts'
import { createTavily } from '../agent/tools/search/tavily.ts'
import { createSearchTool } from '../agent/tools/search.ts'
import { createTablesTool } from '../agent/tools/tables.ts'
import { createTeamSearchTool, type TeamSearchDeps } from '../agent/tools/team-search.ts'
import type { Config } from '../config.ts'
import type { RecordDeps } from './commands.ts'

export interface ToolParts {
  store: Store
  work: RecordDeps
  library: Library | null
  documents: Documents & Tables
  log: Log
  profileIn: ProfileIn
  /** Canvases of a workspace's platform; null: it has none, or another process speaks with it. */
  canvasesOf: (workspace: string) => Canvases | null
  /** Returns the reader of a workspace's platform, which reads for people there. */
  readerOf: ReadingDeps['readerOf']
  traitsIn: RunCommandDeps['traitsIn']
  /** What people may be shown of earlier threads. */
  past: Pick<TeamSearchDeps, 'sights' | 'linkTo'>
  /** What people may write to elsewhere. */
  elsewhere: Omit<MessageDeps, 'store'>
  /** Fetches web pages. Defaults to the system's own way. */
  fetch?: FetchDeps | undefined
  /** Tools besides Clew's own and the team's. */
  extra: readonly Tool[]
  /** Returns the team's tools as they are now. */
  ofTeam: () => readonly Tool[]
  wrap: (tool: Tool) => Tool
}

/** Every tool that tasks may use, each under the operator's policy for approvals. */
export function toolboxOf(
  config: Config,
  { ofTeam, log, wrap, profileIn, ...parts }: ToolParts,
): Toolbox {
  const late: { toolbox: Toolbox | null } = { toolbox: null }
  const own = [
    ...ownTools(config, parts),
    createMessageTool({ ...parts.elsewhere, store: parts.store }),
    createCanvasTool(parts.canvasesOf),
    createTeamSearchTool({
      ...parts.store,
      ...parts.past,
      toolFor: (name, context) =>
        late.toolbox?.get(name, { ...context, source: 'interactive' }) ?? null,
    }),
  ]
  const asWired = once((tool) => wrap(approving(tool, config)))
  const asTeamWired = once((tool) => {
    if (own.some(({ name }) => name === tool.name))
      log.warn({ tool: tool.name }, 'name of a team tool is already taken')
    return asWired(keepingDocuments(tool, { ...parts, artifacts: parts.store.artifacts }))
  })
  late.toolbox = createToolbox(own.map(asWired), () => ofTeam().map(asTeamWired), profileIn)
  return late.toolbox
}

function ownTools(
  config: Config,
  {
    store,
    work,
    library,
    documents,
    fetch = { resolve: addressesOf },
    extra,
    readerOf,
    traitsIn,
  }: Omit<ToolParts, 'ofTeam' | 'log' | 'wrap' | 'profileIn' | 'past' | 'elsewhere' | 'canvasesOf'>,
): Tool[] {
  const { todos, schedules, memory } = work
  const shown = { traitsIn, notes: store.notes }
  const provider = searchOf(config)
  return present([
    createCommandTool('todo', todoTable, todos, shown),
    createCommandTool('schedule', scheduleTable, schedules, shown),
    config.MEMORY && createCommandTool('memory', memoryTable, memory),
    createFilesTool(store.artifacts),
    createTablesTool(documents, store.artifacts),
    ...createReadingTools({
      readerOf,
      conversations: store.conversations,
      threadTokens: config.AGENT_THREAD_TOKENS,
    }),
    provider !== null && createSearchTool(provider),
    config.FETCH_WEB && createFetchTool({ ...fetch, documents, artifacts: store.artifacts }),
    library !== null && createRepoSearchTool(library),
    library !== null && createRepoReadTool(library),
    ...extra.map(contained),
  ])
}

/** Memoized per tool. */
function once(wire: (tool: Tool) => Tool): (tool: Tool) => Tool {
  const known = new WeakMap<Tool, Tool>()
  return (tool) => {
    const wired = known.get(tool) ?? wire(tool)
    known.set(tool, wired)
    return wired
  }
}

/** Overrides a tool's own approval with the operator's policy. */
function approving(tool: Tool, { AGENT_TOOL_APPROVAL: policies }: Config): Tool {
  const approval = policies[tool.name]
  return approval === undefined ? tool : { ...tool, approval }
}

/** Resolves all addresses of a name, by the system's resolver. */
async function addressesOf(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}

export function searchOf(config: Config): SearchProvider | null {
  const { SEARXNG_URL, BRAVE_API_KEY, TAVILY_API_KEY } = config
  if (config.SEARCH_PROVIDER === 'searxng' && SEARXNG_URL)
    return createSearxng({ fetch, url: SEARXNG_URL })
  if (config.SEARCH_PROVIDER === 'brave' && BRAVE_API_KEY)
    return createBrave({ fetch, key: BRAVE_API_KEY })
  if (config.SEARCH_PROVIDER === 'tavily' && TAVILY_API_KEY)
    return createTavily({ fetch, key: TAVILY_API_KEY })
  return null
}
