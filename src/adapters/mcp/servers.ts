import type { Prompts } from '../../agent/commands/task-prompts.ts'
import { type ProfileIn, ruleFor } from '../../agent/domain/profile.ts'
import type { Tool } from '../../agent/ports/tool.ts'
import { createReaper } from '../reaper.ts'
import { type PersonalDeps, startPersonal } from './personal.ts'
import { type McpServer, startServer } from './server.ts'
import type { ServerSpec } from './servers-file.ts'

export type McpServers = ReturnType<typeof createMcpServers>

/** Manages all MCP servers that the team has connected. */
export function createMcpServers(
  deps: Omit<PersonalDeps, 'reaper' | 'signIns' | 'admins'> &
    Partial<Pick<PersonalDeps, 'signIns' | 'admins'>> & { profileIn?: ProfileIn },
) {
  const reaper = createReaper()
  const whole = { signIns: null, admins: [], ...deps, reaper }
  const running = new Map<string, { spec: string; server: McpServer }>()
  const inOrder = () =>
    [...running].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { server }]) => server)
  const prompts: Prompts = {
    list: (channel) => {
      const profile = deps.profileIn?.(channel) ?? null
      return [...running].flatMap(([name, { server }]) =>
        server
          .prompts()
          .filter((one) => ruleFor(profile, `${name}__${one.name}`) !== 'hidden')
          .map((one) => ({ ...one, name: `${name}/${typable(one.name)}` })),
      )
    },
    async fill(whole, values, context) {
      const [name = ''] = whole.split('/', 1)
      const server = running.get(name)?.server
      const given = server?.prompts().find((one) => whole === `${name}/${typable(one.name)}`)
      if (server === undefined || given === undefined) return { problem: 'away' }
      return await server.fill(given.name, values, context)
    },
  }
  return {
    prompts,
    /**
     * Returns the tools in the order of the servers' names. The result is the same while nothing
     * changes.
     */
    tools: (): readonly Tool[] => inOrder().flatMap((server) => server.tools()),
    health: () => inOrder().map((server) => server.health()),
    /** Starts new servers, stops those that are gone or changed, and keeps the rest running. */
    async use(specs: readonly ServerSpec[]) {
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

/** Name of a prompt as one word. */
const typable = (name: string) => name.trim().replaceAll(/\s+/g, '-')
