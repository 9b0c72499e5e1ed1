import type { Connection } from './connection.ts'
import { workspacesKey } from './keys.ts'

export type Workspaces = ReturnType<typeof createWorkspaces>

/**
 * All workspaces, for the sweeps. A known one is not written again, unless a sweep shows that it
 * was lost.
 */
export function createWorkspaces(redis: Connection) {
  const known = new Set<string>()
  return {
    async all(): Promise<string[]> {
      const found = new Set(await redis.smembers(workspacesKey))
      const lost = [...known].filter((name) => !found.has(name))
      if (lost.length > 0) await redis.sadd(workspacesKey, ...lost)
      for (const name of found) known.add(name)
      return [...known]
    },
    /**
     * Adds a workspace before its first row is written, so that no sweep can miss it: one
     * connection keeps the order.
     */
    async add(workspace: string) {
      if (known.has(workspace)) return
      await redis.sadd(workspacesKey, workspace)
      known.add(workspace)
    },
  }
}
