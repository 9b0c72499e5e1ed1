import type { Clock } from './agent/ports/clock.ts'
import type { Log } from './agent/ports/log.ts'
import type { Tool } from './agent/ports/tool.ts'
import type { Config } from './config.ts'

/** What the team has connected: tools that come and go while Clew runs. */
export interface Team {
  tools(): readonly Tool[]
  health(): TeamHealth
  /** For the start: one line each. */
  lines(): string[]
  stop(): Promise<void>
}

export interface TeamHealth {
  servers: readonly { name: string; ok: boolean; tools: number; detail: string }[]
  /** Files that cannot be used, one sentence each. */
  problems: readonly string[]
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Servers that take longer to start are waited for no further; their tools come when they come. */
const startMs = 5_000

/** The MCP client is loaded only where a server may be named: it takes a fifth of a second. */
export async function openTeam(
  config: Config,
  { clock, log, env, waitMs = startMs }: { clock: Clock; log: Log; env: Environment; waitMs?: number },
): Promise<Team | null> {
  const files = config.MCP_CONFIG === undefined ? [] : [{ path: config.MCP_CONFIG, required: true }]
  if (files.length === 0 || !config.ROLES.includes('worker')) return null
  const { createMcpServers } = await import('./adapters/mcp/servers.ts')
  const { watchServersFiles } = await import('./adapters/mcp/files.ts')
  const servers = createMcpServers({ clock, log })
  const watched = await watchServersFiles(servers, { files, env, clock, log })
  const waited = new AbortController()
  await Promise.race([servers.tried(), clock.sleep(waitMs, waited.signal)])
  waited.abort()
  return {
    tools: () => servers.tools(),
    health: () => ({ servers: servers.health(), problems: watched.problems() }),
    lines: () => [
      ...servers
        .health()
        .map(({ name, ok, tools, detail }) => `MCP: ${name}, ${ok ? `${tools} tools` : `away (${detail})`}.`),
      ...watched.problems(),
    ],
    async stop() {
      watched.stop()
      await servers.stop()
    },
  }
}
