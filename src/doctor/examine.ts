import { bad, cited, type Finding, good, note } from '../adapters/channel-kit/findings.ts'
import type { LocalServer } from '../compose/local-models.ts'
import { ownChannels } from '../compose/own-channels.ts'
import type { Environment } from '../compose/team.ts'
import { type Config, ConfigError, type Named, readConfig } from '../config.ts'
import { examineModel } from './model.ts'
import { examineSearch } from './search.ts'
import { examineStore } from './store.ts'
import { examineTeam, type TeamOptions } from './team.ts'

type OwnChannel = (typeof ownChannels)[number]
export type Look = (stop: AbortSignal) => Promise<Finding[]> | Finding[]

interface Examined {
  /** `settings`, `store`, `model`, `search`, `team`, or the platform of a channel. */
  part: string
  /** What people call a channel; absent: it is none. */
  label?: string
  findings: readonly Finding[]
}

interface Options extends TeamOptions {
  /** What the settings may name beside Clew's own parts. */
  outside?: Named
  /** Where a model may run on this machine. */
  servers?: readonly LocalServer[]
  /** How long a part may take; it ends as one that gave no answer. */
  limitMs: number
}

/**
 * Looks at the settings and everything they name. Nothing is changed and nothing is posted; a model
 * is asked for a word in each form, a search for one. Never throws.
 *
 * @param inFile names that stand in the file; there every unknown one is a mistake.
 */
export async function examine(
  env: Environment,
  inFile: readonly string[],
  options: Options,
): Promise<Examined[]> {
  try {
    return await examineConfig(readConfig(env, inFile, options.outside), env, options)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [
      {
        part: 'settings',
        findings: error.problems.map((line) => cited(line, (words) => words.inEnv)),
      },
    ]
  }
}

export async function examineConfig(
  config: Config,
  env: Environment,
  options: Options,
): Promise<Examined[]> {
  const ofChannel = (channel: OwnChannel) => ({
    part: channel.platform,
    label: channel.label,
    look: async () => [...(await channel.examine(config)), ...signInWith(channel, config)],
  })
  // Each is looked at by itself, and stands in this order.
  const looks: (Omit<Examined, 'findings'> & { look: Look })[] = [
    { part: 'settings', look: () => [good((words) => words.understood)] },
    { part: 'store', look: () => examineStore(config) },
    { part: 'model', look: (stop) => examineModel(config, { ...options, stop }) },
    { part: 'search', look: (stop) => examineSearch(config, stop) },
    ...ownChannels.map(ofChannel),
    { part: 'team', look: () => examineTeam(config, env, options) },
  ]
  return await Promise.all(
    looks.map(async ({ look, ...part }) => ({
      ...part,
      findings: await withinLimit(look, options),
    })),
  )
}

/**
 * What one part comes to: a look that fails or takes too long is itself a finding, and the others
 * are there all the same.
 */
export async function withinLimit(
  look: Look,
  { clock, limitMs }: Pick<Options, 'clock' | 'limitMs'>,
): Promise<Finding[]> {
  const [answered, tooLong] = [new AbortController(), new AbortController()]
  const late = clock.sleep(limitMs, answered.signal).then(() => {
    tooLong.abort()
    return [bad((words) => [words.late(limitMs / 1000), words.lateMend])]
  })
  try {
    return await Promise.race([look(tooLong.signal), late])
  } catch {
    return [bad((words) => [words.broken, words.brokenMend])]
  } finally {
    answered.abort()
  }
}

/**
 * What the platform's app has to know for people to sign in on the page with it, which cannot be
 * asked of it (C261).
 */
function signInWith(channel: OwnChannel, config: Config): Finding[] {
  const { platform, label, signIn: needs } = channel
  if (config.WEB_URL === undefined || !channel.isConnected(config)) return []
  const redirect = new URL(`/sign-in/${platform}/back`, config.WEB_URL).href
  const env = needs.settings.filter((name) => config[name] === undefined).map((name) => `${name}=`)
  return [
    note(
      (words) => {
        const [{ signIn }, where] = [words, needs.redirects(words)]
        if (env.length === 0) return [signIn.on(label, redirect), where]
        return [signIn.off(label), signIn.offMend(needs.settings.join(', '), redirect, where)]
      },
      { env, manual: `${platform}/signing-in-on-the-page` },
    ),
  ]
}

/**
 * Settings that stand otherwise now than when Clew started, by name: they count from its next
 * start.
 */
export function changesIn(
  before: Environment,
  now: Environment,
  names: readonly string[],
): Finding[] {
  const changed = names.filter((name) => (before[name] ?? '') !== (now[name] ?? ''))
  if (changed.length === 0) return []
  return [note((words) => [words.changed(changed.join(', ')), words.restart])]
}
