import { bad, cited, type Finding, good, note } from '../adapters/channel-kit/findings.ts'
import type { LocalServer } from '../compose/local-models.ts'
import type { Environment } from '../compose/team.ts'
import { type Config, ConfigError, type Named, readConfig } from '../config.ts'
import { examineModel } from './model.ts'
import { examineSearch } from './search.ts'
import { examineStore } from './store.ts'
import { examineTeam, type TeamOptions } from './team.ts'

/** What is looked at, each by itself, in this order. */
const partsLookedAt = ['settings', 'store', 'model', 'search', 'slack', 'discord', 'team'] as const
type PartLookedAt = (typeof partsLookedAt)[number]
interface Examined {
  part: PartLookedAt
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
 * Looks at the settings and everything they name. Nothing is changed and nothing is posted; a model is asked for a word in each
 * form, a search for one. Never throws.
 *
 * @param inFile names that stand in the file; there every unknown one is a mistake.
 */
export async function examine(env: Environment, inFile: readonly string[], options: Options): Promise<Examined[]> {
  try {
    return await examineConfig(readConfig(env, inFile, options.outside), env, options)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [{ part: 'settings', findings: error.problems.map((line) => cited(line, (words) => words.inEnv)) }]
  }
}

export async function examineConfig(config: Config, env: Environment, options: Options): Promise<Examined[]> {
  const looks: Record<PartLookedAt, (stop: AbortSignal) => Promise<Finding[]> | Finding[]> = {
    settings: () => [good((words) => words.understood)],
    store: () => examineStore(config),
    model: (stop) => examineModel(config, { ...options, stop }),
    search: (stop) => examineSearch(config, stop),
    slack: async () => [...(await lookAtSlack(config)), ...signInWith('slack', config)],
    discord: async () => [...(await lookAtDiscord(config)), ...signInWith('discord', config)],
    team: () => examineTeam(config, env, options),
  }
  return await Promise.all(
    partsLookedAt.map(async (part) => ({ part, findings: await withinLimit(looks[part], options) })),
  )
}

/** What one part comes to: a look that fails or takes too long is itself a finding, and the others are there all the same. */
async function withinLimit(
  look: (stop: AbortSignal) => Promise<Finding[]> | Finding[],
  { clock, limitMs }: Options,
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

async function lookAtSlack(config: Config): Promise<Finding[]> {
  const { examineSlack } = await import('../adapters/slack/doctor.ts')
  return await examineSlack({
    apiUrl: config.SLACK_API_URL,
    botToken: config.SLACK_BOT_TOKEN ?? null,
    appToken: config.SLACK_APP_TOKEN ?? null,
    signingSecret: config.SLACK_SIGNING_SECRET ?? null,
    installs: config.SLACK_CLIENT_ID !== undefined,
  })
}

async function lookAtDiscord(config: Config): Promise<Finding[]> {
  const { examineDiscord } = await import('../adapters/discord/doctor.ts')
  return await examineDiscord({
    token: config.DISCORD_TOKEN ?? null,
    apiUrl: config.DISCORD_API_URL ?? null,
    guildIds: config.DISCORD_GUILD_IDS,
  })
}

/** What the platform's app has to know for people to sign in on the page with it, which cannot be asked of it (C261). */
function signInWith(platform: 'slack' | 'discord', config: Config): Finding[] {
  const { WEB_URL } = config
  const { label, connected, prefix } = {
    slack: { label: 'Slack', connected: config.SLACK_BOT_TOKEN ?? config.SLACK_CLIENT_ID, prefix: 'SLACK' as const },
    discord: { label: 'Discord', connected: config.DISCORD_TOKEN, prefix: 'DISCORD' as const },
  }[platform]
  if (WEB_URL === undefined || connected === undefined) return []
  const redirect = new URL(`/sign-in/${platform}/back`, WEB_URL).href
  const names = [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`] as const
  const env = names.filter((name) => config[name] === undefined).map((name) => `${name}=`)
  return [
    note(
      ({ signIn }) => [
        env.length === 0 ? signIn.on(label, redirect) : signIn.off(label),
        env.length === 0
          ? signIn.redirects[platform]
          : signIn.offMend(names.join(', '), redirect, signIn.redirects[platform]),
      ],
      { env, manual: platform },
    ),
  ]
}

/** Settings that stand otherwise now than when Clew started, by name: they count from its next start. */
export function changesIn(before: Environment, now: Environment, names: readonly string[]): Finding[] {
  const changed = names.filter((name) => (before[name] ?? '') !== (now[name] ?? ''))
  if (changed.length === 0) return []
  return [note((words) => [words.changed(changed.join(', ')), words.restart])]
}
