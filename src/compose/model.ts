import type { FailureKind } from '../agent/domain/model-failure.ts'
import { adviceFor } from '../agent/model/advice.ts'
import { createFirstModel } from '../agent/model/first-model.ts'
import type { FirstModel } from '../agent/model/openai.ts'
import { createUnconfiguredModel } from '../agent/model/unconfigured.ts'
import type { Listener } from '../agent/ports/listener.ts'
import type { Model } from '../agent/ports/model.ts'
import { type Config, usesRehearsal } from '../config.ts'
import { findLocalModel, type LocalModel, type LocalServer, settingsFor } from './local-models.ts'
import {
  type ModelDeps,
  openAiUrl,
  openProvider,
  optionsOf,
  rememberedIn,
} from './model-options.ts'

/** Default model at OpenAI's own endpoint, if only a key is set. */
const defaultModel = 'gpt-5-mini'

/** Opens what listens to audio; undefined if no model is set for it (C886). */
export async function openListener(
  config: Config,
  { clock, log }: Pick<ModelDeps, 'clock' | 'log'>,
): Promise<Listener | undefined> {
  const { AGENT_TRANSCRIBE_MODEL: model } = config
  if (model === undefined) return undefined
  const { createListener } = await import('../agent/model/listener.ts')
  return createListener({ ...optionsOf(config, model), clock, log })
}

interface Opened {
  model: Model
  /** Line for the start: which model answers. */
  line: string
  /** A model on this machine, if none is set. */
  offer?: LocalModel | null
  /** Look at the endpoint, where there is one to ask. */
  reach?: () => Promise<FailureKind | null>
}

/**
 * Opens the model that the settings name, with a line for the start that says which answers. Only
 * the one in use is loaded: its client takes 0.2 s.
 */
export async function openModel(
  config: Config,
  { clock, log, notes, servers = [] }: ModelDeps & { servers?: readonly LocalServer[] },
): Promise<Opened> {
  if (usesRehearsal(config)) {
    const { createRehearsalModel } = await import('../agent/model/rehearsal.ts')
    const offer = config.OPENAI_MODEL === undefined ? await findLocalModel(servers) : null
    const how =
      offer === null
        ? 'Set OPENAI_API_KEY and OPENAI_MODEL for real answers.'
        : `${offer.server} runs on this machine: set ${settingsFor(offer)} and start again for real answers.`
    const model = createRehearsalModel({ clock, paceMs: config.REHEARSAL_PACE_MS })
    return { model, line: `Model: rehearsal, a stand-in to try the machinery. ${how}`, offer }
  }
  if (config.OPENAI_API === 'responses')
    await openProvider('OPENAI_API', { provider: 'openai', apiKey: 'none', baseURL: openAiUrl })
  if (config.AGENT_MODELS.length > 0)
    return await (await import('./model-list.ts')).openModelList(config, { clock, log, notes })
  if (config.OPENAI_API_KEY === undefined && config.OPENAI_BASE_URL === undefined)
    return none('Set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL for another endpoint')
  const { createOpenAiModel, firstModelOf, namesAt } = await import('../agent/model/openai.ts')
  const remembered = notes === undefined ? {} : { remembered: rememberedIn(notes) }
  const create = (name: string) =>
    createOpenAiModel({ ...optionsOf(config, name), log, clock, ...remembered })
  const { OPENAI_BASE_URL: url, OPENAI_API_KEY: key = null, OPENAI_MODEL: name } = config
  async function deciding(model: Model) {
    if (config.AGENT_DECISION_MODEL === undefined) return model
    const { createModelList } = await import('../agent/model/fallback.ts')
    const works = { working: [model], seeing: [model], summing_up: [model] } as const
    return createModelList(
      { ...works, deciding: [create(config.AGENT_DECISION_MODEL)] },
      { clock, log },
    )
  }
  async function reach() {
    const names = await namesAt(url ?? openAiUrl, key, 3_000)
    return 'failure' in names ? names.failure : null
  }
  if (url === undefined) return withLine(await deciding(create(name ?? defaultModel)), reach)
  const first = await firstModelOf(url, key)
  const named = name ?? ('name' in first ? first.name : null)
  const { host } = new URL(url)
  const find = () => firstModelOf(url, key)
  const model = await deciding(
    named === null
      ? createFirstModel({ name: `the first at ${host}`, find, create })
      : create(named),
  )
  // An endpoint that does not list its models may still have the named one.
  if (!('failure' in first) || (named !== null && first.failure !== 'unreachable'))
    return withLine(model, reach)
  return {
    model,
    reach,
    line: `Model: at OPENAI_BASE_URL (${host}), ${first.problem}. ${adviceFor(first.failure).mend}`,
  }
}

const withLine = (model: Model, reach: NonNullable<Opened['reach']>): Opened => ({
  model,
  reach,
  line: `Model: ${model.name}.`,
})

/**
 * Name of the model that answers: the set one, else the first that a local server offers, usually
 * its only one.
 */
export async function modelOf({
  OPENAI_MODEL: name,
  OPENAI_BASE_URL: url,
  OPENAI_API_KEY: key,
}: Config): Promise<FirstModel> {
  if (name !== undefined || url === undefined) return { name: name ?? defaultModel }
  const { firstModelOf } = await import('../agent/model/openai.ts')
  return await firstModelOf(url, key ?? null)
}

const none = (advice: string) => ({
  model: createUnconfiguredModel(),
  line: `Model: none, so only commands work. ${advice}.`,
})
