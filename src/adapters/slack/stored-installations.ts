import { LRUCache } from 'lru-cache'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { type Home, Installation, type Installations, teamOf } from './installations.ts'
import { createVault } from './vault.ts'

/** Installations belong to no workspace of ours yet; they lie beside them. */
const drawer = 'slack:installations'
/** How long one is believed without looking: another process may have seen it go. */
const believedMs = 30_000
/** Slack tells times to the second. */
const secondMs = 1_000

export interface StoredInstallations extends Installations {
  keep(installation: Installation): Promise<void>
}

/** Any number of workspaces and organisations, encrypted in the store. */
export function createStoredInstallations(deps: {
  notes: Notes
  encryptionKey: string
  clock: Clock
  log: Log
}): StoredInstallations {
  const { notes, clock, log } = deps
  const vault = createVault(deps.encryptionKey)
  const memory = new LRUCache<string, { installation: Installation | null; until: number }>({ max: 5_000 })
  let trouble: string | null = null

  async function read(name: string): Promise<Installation | null> {
    const known = memory.get(name)
    if (known !== undefined && known.until > clock.now()) return known.installation
    const locked = await notes.get(drawer, name)
    let installation: Installation | null = null
    try {
      installation = locked === null ? null : Installation.parse(JSON.parse(vault.open(name, locked)))
    } catch {
      trouble = 'ENCRYPTION_KEY: an installation in the store was written with another key'
      log.error({ name }, trouble)
    }
    memory.set(name, { installation, until: clock.now() + believedMs })
    return installation
  }

  /** Which organisation a workspace's installation is in; learnt from its events. */
  async function enterpriseOf(team: string): Promise<string | null> {
    return await notes.get(drawer, `org-of:${team}`)
  }

  async function learn({ team, enterprise, isOrg }: Home): Promise<void> {
    if (!isOrg || enterprise === null || memory.has(`learnt:${team}`)) return
    await notes.put(drawer, `org-of:${team}`, enterprise, null)
    memory.set(`learnt:${team}`, { installation: null, until: Infinity })
  }

  const nameOf = ({ team, enterprise, isOrg }: Home): string =>
    isOrg && enterprise !== null ? `enterprise:${enterprise}` : `team:${team}`

  return {
    async find(home) {
      await learn(home)
      const own = await read(nameOf(home))
      if (own !== null || home.enterprise === null) return own
      return await read(`enterprise:${home.enterprise}`)
    },
    async of(workspace) {
      const team = teamOf(workspace)
      const own = await read(`team:${team}`)
      if (own !== null) return own.botToken
      const enterprise = await enterpriseOf(team)
      return enterprise === null ? null : ((await read(`enterprise:${enterprise}`))?.botToken ?? null)
    },
    async forget(home, at) {
      const name = nameOf(home)
      memory.delete(name)
      const { installedAt = 0 } = (await read(name)) ?? {}
      if (installedAt > at + secondMs) return log.info({ name }, 'Clew was taken out and installed again since')
      await notes.drop(drawer, name)
      memory.delete(name)
      log.warn({ name }, 'Clew was taken out of a workspace; what waits for it stays until it is installed again')
    },
    async keep(installation) {
      const { team, enterprise } = installation
      const name = team === null ? `enterprise:${enterprise}` : `team:${team}`
      await notes.put(
        drawer,
        name,
        vault.lock(name, JSON.stringify({ ...installation, installedAt: clock.now() })),
        null,
      )
      memory.delete(name)
      log.info({ name }, 'Clew was installed')
    },
    trouble: () => trouble,
    start: async () => undefined,
    stop: () => undefined,
  }
}
