import type { SignInDeps, SignIns } from '../adapters/mcp/sign-ins.ts'
import type { Config } from '../config.ts'

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
