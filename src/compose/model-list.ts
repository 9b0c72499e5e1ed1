import type { RememberedForms } from '../agent/model/abilities.ts'
import { listedSettings } from '../agent/model/advice.ts'
import type { ModelLists, Purpose } from '../agent/model/fallback.ts'
import type { OpenAiOptions } from '../agent/model/openai.ts'
import { type Provider, providerSettings } from '../agent/model/providers.ts'
import type { Model } from '../agent/ports/model.ts'
import { type Config, keyOfTag, placeOf } from '../config.ts'
import { type ModelDeps, openProvider, optionsOf, rememberedIn } from './model-options.ts'

/**
 * Opens the models of the lists (C102). Each is made once, and its package is loaded only if it is
 * named (C101).
 *
 * @throws ConfigError if a package is not installed.
 */
export async function openModelList(
  config: Config,
  deps: ModelDeps,
): Promise<{ model: Model; line: string }> {
  const { createModelList } = await import('../agent/model/fallback.ts')
  const entries = entriesOf(config)
  const made = new Map<string, Model>()
  for (const entry of Object.values(entries).flat())
    if (!made.has(entry))
      made.set(entry, await openEntry(entry, config, deps, entries.deciding.length))
  const listOf = (purpose: Purpose) =>
    entries[purpose].flatMap((entry) => made.get(entry) ?? []) as [Model, ...Model[]]
  const lists: ModelLists = {
    deciding: listOf('deciding'),
    working: listOf('working'),
    seeing: listOf('seeing'),
    summing_up: listOf('summing_up'),
  }
  return {
    model: createModelList(lists, { ...deps, named: made }),
    line: `Models: ${config.AGENT_MODELS.map((one) => nameIn(one, config)).join(', then ')}.`,
  }
}

/** Name of a model, with its endpoint if the name could be read in two ways. */
function nameIn(entry: string, config: Config): string {
  const key = keyOfTag(entry, config)
  return key === null ? entry : `${entry} (at OPENAI_BASE_URL, as ${key} is not set)`
}

export function entriesOf(config: Config): Record<Purpose, readonly string[]> {
  const { AGENT_MODELS: working, AGENT_DECISION_MODEL: decision } = config
  const or = (list: readonly string[]) => (list.length > 0 ? list : working)
  const deciding = config.AGENT_MODELS_DECIDING
  return {
    working,
    deciding:
      deciding.length === 0 && decision !== undefined
        ? [...new Set([decision, ...working])]
        : or(deciding),
    seeing: or(config.AGENT_MODELS_SEEING),
    summing_up: or(config.AGENT_MODELS_SUMMING_UP),
  }
}

async function openEntry(
  entry: string,
  config: Config,
  deps: ModelDeps,
  among: number,
): Promise<Model> {
  const { createOpenAiModel } = await import('../agent/model/openai.ts')
  return createOpenAiModel(await entryOptions(entry, config, deps, among))
}

/**
 * Options for one model of a list.
 *
 * @param among number of models that share the time of a Decision.
 * @throws ConfigError if its package is not installed.
 */
export async function entryOptions(
  entry: string,
  config: Config,
  { clock, log, notes }: ModelDeps,
  among = 1,
): Promise<OpenAiOptions> {
  const { provider, name } = placeOf(entry, config)
  const { decisionTimeoutMs, ...options } = optionsOf(config, name, entry)
  const remembered: { remembered?: RememberedForms } =
    notes === undefined ? {} : { remembered: rememberedIn(notes) }
  return {
    ...options,
    settings: listedSettings(provider, config.OPENAI_API),
    // A hanging model leaves the next one time to answer.
    decisionTimeoutMs: Math.ceil(decisionTimeoutMs / among),
    ...(provider === null ? {} : await providerOptions(provider, config)),
    log,
    clock,
    ...remembered,
  }
}

async function providerOptions(provider: Provider, config: Config) {
  const { key: keyName, url } = providerSettings[provider]
  const key = config[keyName] ?? ''
  const baseURL = config[url] ?? null
  const region = config.AWS_REGION ?? null
  const complete = await openProvider('AGENT_MODELS', { provider, apiKey: key, baseURL, region })
  return { complete, api: 'chat' as const, apiKey: key, baseURL: baseURL ?? provider }
}
