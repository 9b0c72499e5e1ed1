import type { Connection } from './connection.ts'
import { workspacesKey } from './keys.ts'

/** Which workspaces there are, for the sweeps. */
export interface Workspaces {
  all(): Promise<string[]>
  /** Names one before its first row is written, so that no sweep can overlook it: one connection keeps their order. */
  add(workspace: string): Promise<void>
}

/** What is known is not written again, unless a look of the sweep shows that it was lost. */
export function createWorkspaces(redis: Connection): Workspaces {
  const known = new Set<string>()
  return {
    async all() {
      const found = new Set(await redis.smembers(workspacesKey))
      const lost = [...known].filter((name) => !found.has(name))
      if (lost.length > 0) await redis.sadd(workspacesKey, ...lost)
      for (const name of found) known.add(name)
      return [...known]
    },
    async add(workspace) {
      if (known.has(workspace)) return
      await redis.sadd(workspacesKey, workspace)
      known.add(workspace)
    },
  }
}
