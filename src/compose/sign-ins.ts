import type { SignInDeps, SignIns } from '../adapters/mcp/sign-ins.ts'
import type { SharedSignIns } from '../adapters/web/deps.ts'
import { everybody } from '../agent/sign-ins.ts'
import type { Config } from '../config.ts'
import { type Environment, serversFiles } from './team.ts'

/** Parts that sign-ins use, named as soon as they are there: the store, and the page's address. */
export interface LateParts {
  notes: SignInDeps['notes'] | null
  url: string | null
}

/**
 * Opens people's sign-ins at MCP servers; null if no server is named or nothing encrypts them.
 * Processes without the worker need them too: browsers come back to the page.
 */
export async function openSignIns(
  { MCP_CONFIG, AGENT_HOME, ENCRYPTION_KEY: encryptionKey, WEB_URL }: Config,
  { clock, log, late }: Pick<SignInDeps, 'clock' | 'log'> & { late: LateParts },
): Promise<SignIns | null> {
  if ((MCP_CONFIG ?? AGENT_HOME) === undefined || encryptionKey === undefined) return null
  const { createSignIns } = await import('../adapters/mcp/sign-ins.ts')
  const notes = () => {
    if (late.notes === null) throw new Error('the store is not open yet')
    return late.notes
  }
  return createSignIns({
    clock,
    log,
    encryptionKey,
    address: () => WEB_URL ?? late.url,
    notes: {
      get: (...given) => notes().get(...given),
      put: (...given) => notes().put(...given),
      drop: (...given) => notes().drop(...given),
      claim: (...given) => notes().claim(...given),
    },
  })
}

/**
 * Sign-ins for everybody, at the servers that the files name so (C925); null where none can be
 * kept.
 */
export function sharedSignIns(
  signIns: SignIns | null,
  config: Config,
  env: Environment,
): SharedSignIns | null {
  if (signIns === null) return null
  async function services() {
    const { readServersFiles } = await import('../adapters/mcp/files.ts')
    const { specs } = await readServersFiles(serversFiles(config), env)
    return specs.flatMap((spec) =>
      spec.kind === 'http' && spec.auth === 'installation'
        ? [{ server: spec.name, url: spec.url }]
        : [],
    )
  }
  const named = async (server: string) => (await services()).find((one) => one.server === server)
  return {
    async list() {
      const rows = (await services()).map(async (service) => ({
        server: service.server,
        isSignedIn: (await signIns.tokenFor(service, everybody)) !== null,
      }))
      return await Promise.all(rows)
    },
    async begin(server, locale) {
      const service = await named(server)
      return service === undefined
        ? null
        : await signIns.begin(service, everybody, { name: '', locale })
    },
    async end(server) {
      const service = await named(server)
      return service !== undefined && (await signIns.signOut(service, everybody))
    },
  }
}
