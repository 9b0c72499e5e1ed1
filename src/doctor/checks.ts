import type { Checked, Checks } from '../adapters/web/deps.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { LocalServer } from '../compose/local-models.ts'
import type { TeamHealth } from '../compose/team.ts'
import { type Config, type Named, settingNames } from '../config.ts'
import type { ReadEnvironment } from '../environment.ts'
import { hidingSecrets } from './secrets.ts'

const everyMs = 5_000
/** A slow model on this machine takes its time for the first word. */
const limitMs = 30_000

interface ChecksDeps {
  config: Config
  clock: Clock
  env: Readonly<Record<string, string | undefined>>
  /** Absent where the settings came from elsewhere; then they are those of the start. */
  readEnvironment?: ReadEnvironment | undefined
  servers: readonly LocalServer[]
  outside: Named
  team(): TeamHealth | null
}

/**
 * The checks of a running Clew: one look at a time, and none within 5 s of the last, whose findings
 * are kept with their time (C232).
 */
export function createChecks(deps: ChecksDeps): Checks {
  let last: Checked | null = null
  let looking: Promise<Checked> | null = null
  const begin = async () => {
    const found = await look(deps)
    last = { at: deps.clock.now(), ...found }
    return last
  }
  return {
    last: () => last,
    isLooking: () => looking !== null,
    async look() {
      if (looking === null && last !== null && deps.clock.now() - last.at < everyMs) return last
      looking ??= begin().finally(() => {
        looking = null
      })
      return await looking
    },
  }
}

/** With `.env` as it is now: what somebody has just put there is tried before Clew starts again. */
async function look(deps: ChecksDeps): Promise<Omit<Checked, 'at'>> {
  const { config, clock, servers, outside, env: before } = deps
  // The platforms' packages are loaded with it.
  const { changesIn, examine, examineConfig } = await import('./examine.ts')
  const options = { clock, servers, outside, limitMs, team: deps.team() }
  const now = deps.readEnvironment?.()
  if (now === undefined)
    return {
      parts: await examineConfig(config, before, options),
      hide: hidingSecrets(config, before),
    }
  const [settings, ...parts] = await examine(now.env, now.inFile, options)
  const findings = settings?.findings ?? []
  // With what cannot be understood it does not start.
  const changes = parts.length === 0 ? [] : changesIn(before, now.env, settingNames)
  return {
    parts: [{ part: 'settings', findings: [...findings, ...changes] }, ...parts],
    hide: hidingSecrets(before, now.env),
  }
}
