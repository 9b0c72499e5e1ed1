import type { Finding } from '../adapters/channel-kit/findings.ts'
import type { Clock } from '../agent/ports/clock.ts'
import { modelOf } from '../compose/model.ts'
import type { ownChannels } from '../compose/own-channels.ts'
import type { Environment } from '../compose/team.ts'
import { readConfig } from '../config.ts'
import { withinLimit } from '../doctor/examine.ts'
import { examineModel } from '../doctor/model.ts'
import type { EnvLines } from './env-file.ts'

/** Settings that were tried against the real service, and what was found. */
export interface Trial {
  readonly findings: readonly Finding[]
  /** True if they may be written. What else is amiss there can be mended later. */
  readonly works: boolean
  readonly settings: EnvLines
}

export interface TrialDeps {
  env: Environment
  /** Names in the `.env` file; there every unknown one is a mistake. */
  inFile: readonly string[]
  clock: Clock
}

/** Longest trial, in ms. A local model may have to be loaded first. */
const limitMs = 60_000

/**
 * Asks the model that these settings name, beside those that are there, for a word.
 *
 * @throws ConfigError if the settings cannot be read.
 */
export async function tryModel(given: EnvLines, deps: TrialDeps): Promise<Trial> {
  const { env, inFile, clock } = deps
  const settings = insteadOfBefore(given, env)
  const config = readConfig({ ...env, ...settings }, inFile)
  const look = (stop: AbortSignal) => examineModel(config, { clock, stop })
  const findings = await withinLimit(look, { clock, limitMs })
  const works = !findings.some(isBad)
  if (!works || !settings.OPENAI_BASE_URL || settings.OPENAI_MODEL)
    return { findings, works, settings }
  // Named, so that a later list of the endpoint's models changes nothing.
  const first = await modelOf(config)
  if (!('name' in first)) return { findings, works, settings }
  return { findings, works, settings: { ...settings, OPENAI_MODEL: first.name } }
}

const ofEndpoints = ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_MODEL', 'AGENT_MODELS']

/** Empties what named the model before, so that no key goes to another's address. */
function insteadOfBefore(given: EnvLines, env: Environment): EnvLines {
  const isEndpoint = ['OPENAI_BASE_URL', 'OPENAI_API_KEY'].some((name) => name in given)
  const before = ofEndpoints.filter((name) => isEndpoint && env[name] && !(name in given))
  return { ...given, ...Object.fromEntries(before.map((name) => [name, ''])) }
}

/**
 * Looks at a channel with these settings.
 *
 * @throws ConfigError if the settings cannot be read.
 */
export async function tryChannel(
  channel: (typeof ownChannels)[number],
  settings: EnvLines,
  { env, inFile, clock }: TrialDeps,
): Promise<Trial> {
  const config = readConfig({ ...env, ...settings }, inFile)
  const findings = await withinLimit(() => channel.examine(config), { clock, limitMs })
  const isRefused = (finding: Finding) =>
    isBad(finding) && finding.env?.some((line) => line.slice(0, -1) in settings)
  const works = findings.some(({ verdict }) => verdict === 'good') && !findings.some(isRefused)
  return { findings, works, settings }
}

export const isBad = ({ verdict }: Finding) => verdict === 'bad'
