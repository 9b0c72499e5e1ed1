import { LRUCache } from 'lru-cache'
import { seal, unseal } from '../sealed.ts'
import type { SlackAccess, SlackDeps } from './deps.ts'
import {
  type Home,
  Installation,
  type Installations,
  teamOf,
  workspaceOf,
} from './installations.ts'
import { isEnding, renewalMs, renewed } from './token-rotation.ts'

/** Namespace of installations in the store, beside the workspaces. */
export const drawer = 'slack:installations'
/** Cache time of an installation, in milliseconds. Another process may have removed it. */
const believedMs = 30_000
const max = 5_000
/** Precision of Slack's times. */
const secondMs = 1_000

type Deps = Pick<SlackDeps, 'alarms' | 'notes' | 'clock' | 'log' | 'apiUrl'>
type OAuth = Extract<SlackAccess, { kind: 'oauth' }>

interface StoredInstallations extends Installations {
  keep(installation: Installation): Promise<void>
}

/**
 * Stores any number of workspaces and organisations, encrypted. Renews their tokens before they
 * expire.
 */
export function createStoredInstallations(deps: Deps, access: OAuth): StoredInstallations {
  const { alarms, notes, clock, log } = deps
  const records = createRecords(deps, access)
  const learnt = new LRUCache<string, true>({ max })
  const readOrg = async (enterprise: string | null) =>
    enterprise === null ? null : await records.read(orgName(enterprise))

  /** Stores the organisation of a workspace. */
  async function learn({ team, enterprise, isOrg }: Home): Promise<void> {
    if (!isOrg || enterprise === null || learnt.has(team)) return
    await notes.put(drawer, `org-of:${team}`, enterprise, null)
    learnt.set(team, true)
  }

  async function inWorkspace(workspace: string): Promise<Installation | null> {
    const team = teamOf(workspace)
    const own = await records.read(`team:${team}`)
    return own ?? (await readOrg(await notes.get(drawer, `org-of:${team}`)))
  }

  return {
    async find(home) {
      await learn(home)
      return (await records.read(nameOf(home))) ?? (await readOrg(home.enterprise))
    },
    async of(workspace) {
      const found = await inWorkspace(workspace)
      if (found === null) return null
      return { botToken: found.botToken, callsFor: found.team === null ? teamOf(workspace) : null }
    },
    botOf: async (workspace) => (await inWorkspace(workspace))?.botUserId ?? null,
    workspaces: async () =>
      (await alarms.workspaces()).filter((name) => name.startsWith(workspaceOf(''))),
    async forget(home, at) {
      const name = nameOf(home)
      const { installedAt = 0 } = (await records.load(name)) ?? {}
      if (installedAt > at + secondMs)
        return log.info({ name }, 'stale uninstall ignored: Clew was installed again since')
      await records.write(name, null)
      log.warn(
        { name },
        'Clew uninstalled from a workspace; its deliveries wait until it is installed again',
      )
    },
    async keep(installation) {
      const { team, enterprise } = installation
      const name = team === null ? orgName(enterprise) : `team:${team}`
      await records.write(name, { ...installation, installedAt: clock.now() })
      log.info({ name }, 'Clew was installed')
    },
    trouble: records.trouble,
    start: async () => undefined,
    stop: () => undefined,
  }
}

/** Caches installations by name for a while. */
function createRecords(deps: Deps, access: OAuth) {
  const { notes, clock, log } = deps
  const secret = Buffer.from(access.encryptionKey, 'base64')
  let trouble: string | null = null
  const unrenewed = new Set<string>()
  const memory = new LRUCache<string, { installation: Installation | null }>({
    max,
    ttl: believedMs,
    ttlResolution: 0,
    perf: clock,
    ignoreFetchAbort: true,
    fetchMethod: async (name) => ({ installation: await current(name) }),
  })

  /** Loads an installation, and renews a token that is about to expire. */
  async function current(name: string): Promise<Installation | null> {
    const found = await load(name)
    if (found === null || !isEnding(found, clock.now())) return found
    // A refresh token works once, so only one process uses it.
    if (!(await notes.claim(drawer, `renewal:${name}`, renewalMs))) return found
    try {
      const next = await renewed(found, deps, access)
      await keep(name, next)
      unrenewed.delete(name)
      return next
    } catch (error) {
      unrenewed.add(name)
      const reason = error instanceof Error ? error.message : 'unknown'
      log.error({ name, reason }, 'Slack token not renewed')
      return found
    }
  }

  const keep = (name: string, installation: Installation): Promise<void> =>
    notes.put(drawer, name, seal(secret, name, JSON.stringify(installation)), null)

  async function load(name: string): Promise<Installation | null> {
    const sealed = await notes.get(drawer, name)
    try {
      return sealed === null ? null : Installation.parse(JSON.parse(unseal(secret, name, sealed)))
    } catch {
      trouble = 'ENCRYPTION_KEY: an installation in the store was written with another key'
      log.error({ name }, trouble)
      return null
    }
  }

  return {
    /** Loads the current record, bypassing the cache. */
    load,
    read: async (name: string): Promise<Installation | null> =>
      (await memory.fetch(name))?.installation ?? null,
    async write(name: string, installation: Installation | null): Promise<void> {
      if (installation === null) await notes.drop(drawer, name)
      else await keep(name, installation)
      memory.delete(name)
    },
    trouble(): string | null {
      const [name] = unrenewed
      if (trouble !== null || name === undefined) return trouble
      return `Slack does not renew the token of ${name}: install Clew there again`
    },
  }
}

const orgName = (enterprise: string | null): string => `enterprise:${enterprise}`
const nameOf = ({ team, enterprise, isOrg }: Home): string =>
  isOrg && enterprise !== null ? orgName(enterprise) : `team:${team}`
