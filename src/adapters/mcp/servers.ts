import type { Tool } from '../../agent/ports/tool.ts'
import { createReaper } from './reaper.ts'
import { type McpServer, type ServerDeps, type ServerHealth, startServer } from './server.ts'
import type { ServerSpec } from './servers-file.ts'

/** All servers that the team has connected. */
export interface McpServers {
  /** In the order of the servers' names; the same list as long as nothing changes. */
  tools(): readonly Tool[]
  health(): ServerHealth[]
  /** Starts those that are new, stops those that are gone or described otherwise, and leaves the others alone. */
  use(specs: readonly ServerSpec[]): Promise<void>
  /** Resolves when each of them was listed or has failed once. */
  tried(): Promise<void>
  stop(): Promise<void>
}

export function createMcpServers(deps: Omit<ServerDeps, 'reaper'>): McpServers {
  const reaper = createReaper()
  const running = new Map<string, { spec: string; server: McpServer }>()
  const inOrder = () => [...running].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { server }]) => server)
  return {
    tools: () => inOrder().flatMap((server) => server.tools()),
    health: () => inOrder().map((server) => server.health()),
    async use(specs) {
      const wanted = new Map(specs.map((spec) => [spec.name, spec]))
      const gone = [...running].filter(([name, { spec }]) => JSON.stringify(wanted.get(name)) !== spec)
      for (const [name] of gone) running.delete(name)
      await Promise.all(gone.map(([, { server }]) => server.stop()))
      for (const spec of specs)
        if (!running.has(spec.name))
          running.set(spec.name, { spec: JSON.stringify(spec), server: startServer(spec, { ...deps, reaper }) })
    },
    async tried() {
      await Promise.all(inOrder().map((server) => server.tried))
    },
    async stop() {
      await Promise.all(inOrder().map((server) => server.stop()))
      running.clear()
      reaper.stop()
    },
  }
}
