import { createUnconfiguredModel } from './agent/model/unconfigured.ts'
import type { Clock } from './agent/ports/clock.ts'
import type { Log } from './agent/ports/log.ts'
import type { Model } from './agent/ports/model.ts'
import { type Config, usesRehearsal } from './config.ts'

/** OpenAI's own endpoint, when only a key is set. */
const defaultModel = 'gpt-5-mini'

/** The model that the settings name. Only the one that is used is loaded: the client takes a fifth of a second. */
export async function openModel(config: Config, { clock, log }: { clock: Clock; log: Log }): Promise<Model> {
  if (usesRehearsal(config)) {
    const { createRehearsalModel } = await import('./agent/model/rehearsal.ts')
    return createRehearsalModel({ clock, paceMs: config.REHEARSAL_PACE_MS })
  }
  if (config.OPENAI_API_KEY === undefined && config.OPENAI_BASE_URL === undefined) return createUnconfiguredModel()
  const { createOpenAiModel, firstModelOf } = await import('./agent/model/openai.ts')
  // A local server usually offers the one model that it was started with.
  const name =
    config.OPENAI_MODEL ??
    (config.OPENAI_BASE_URL ? await firstModelOf(config.OPENAI_BASE_URL, config.OPENAI_API_KEY ?? null) : defaultModel)
  if (name === null) return createUnconfiguredModel()
  return createOpenAiModel({
    apiKey: config.OPENAI_API_KEY ?? null,
    baseURL: config.OPENAI_BASE_URL ?? null,
    model: name,
    decisionModel: config.AGENT_DECISION_MODEL ?? null,
    timeoutMs: config.OPENAI_TIMEOUT_SECONDS * 1000,
    decisionTimeoutMs: config.AGENT_DECISION_TIMEOUT_SECONDS * 1000,
    log,
    clock,
  })
}

/** For the start: which model answers. */
export function modelLine(model: Model): string {
  if (model.name === 'none')
    return 'Model: none, so only commands work. Set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL for another endpoint.'
  return model.name === 'rehearsal'
    ? 'Model: rehearsal, a stand-in to try the machinery. Set OPENAI_API_KEY and OPENAI_MODEL for real answers.'
    : `Model: ${model.name}.`
}
