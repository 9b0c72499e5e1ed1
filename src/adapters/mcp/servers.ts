import type { Tool } from '../../agent/ports/tool.ts'
import { createReaper } from '../reaper.ts'
import { type PersonalDeps, startPersonal } from './personal.ts'
import { type McpServer, startServer } from './server.ts'
import type { ServerSpec } from './servers-file.ts'

export type McpServers = ReturnType<typeof createMcpServers>

/** Manages all MCP servers that the team has connected. */
export function createMcpServers(
  deps: Omit<PersonalDeps, 'reaper' | 'signIns' | 'admins'> &
    Partial<Pick<PersonalDeps, 'signIns' | 'admins'>>,
) {
  const reaper = createReaper()
  const whole = { signIns: null, admins: [], ...deps, reaper }
  const running = new Map<string, { spec: string; server: McpServer }>()
  const inOrder = () =>
    [...running].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { server }]) => server)
  return {
    /**
     * Returns the tools in the order of the servers' names. The result is the same while nothing
     * changes.
     */
    tools: (): readonly Tool[] => inOrder().flatMap((server) => server.tools()),
    health: () => inOrder().map((server) => server.health()),
    /** Starts new servers, stops those that are gone or changed, and keeps the rest running. */
    async use(specs: readonly ServerSpec[]): Promise<void> {
      const wanted = new Map(specs.map((spec) => [spec.name, spec]))
      const gone = [...running].filter(
        ([name, { spec }]) => JSON.stringify(wanted.get(name)) !== spec,
      )
      for (const [name] of gone) running.delete(name)
      await Promise.all(gone.map(([, { server }]) => server.stop()))
      for (const spec of specs)
        if (!running.has(spec.name))
          running.set(spec.name, {
            spec: JSON.stringify(spec),
            server:
              spec.kind === 'http' && spec.auth !== undefined
                ? startPersonal(spec, whole)
                : startServer(spec, whole),
          })
    },
    /** Resolves when every server has listed its tools or failed once. */
    async tried(): Promise<void> {
      await Promise.all(inOrder().map((server) => server.tried))
    },
    async stop(): Promise<void> {
      await Promise.all(inOrder().map((server) => server.stop()))
      running.clear()
      reaper.stop()
    },
  }
}
