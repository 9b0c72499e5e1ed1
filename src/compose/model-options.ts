import { memoized } from '../agent/domain/memoized.ts'
import type { RememberedForms } from '../agent/model/abilities.ts'
import { byResponses } from '../agent/model/advice.ts'
import type { ProviderOptions } from '../agent/model/ai-sdk.ts'
import type { Complete } from '../agent/model/stream.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Notes } from '../agent/ports/notes.ts'
import { type Config, ConfigError } from '../config.ts'

export const openAiUrl = 'https://api.openai.com/v1'

export interface ModelDeps {
  clock: Clock
  log: Log
  notes?: Notes | undefined
}

/**
 * Options of the OpenAI-compatible endpoint, from the settings.
 *
 * @param entry how the settings name the model.
 */
export const optionsOf = (config: Config, model: string, entry = model) => ({
  apiKey: config.OPENAI_API_KEY ?? null,
  baseURL: config.OPENAI_BASE_URL ?? openAiUrl,
  model,
  window: config.MODEL_WINDOWS[entry] ?? config.MODEL_WINDOWS[model],
  price: config.MODEL_PRICES[entry] ?? config.MODEL_PRICES[model],
  prompts: config.AGENT_PROMPT_LAYOUT,
  api: config.OPENAI_API,
  ...(config.OPENAI_API === 'responses' && {
    settings: byResponses,
    complete: completeByResponses(config),
  }),
  effort: config.OPENAI_REASONING_EFFORT ?? null,
  timeoutMs: config.OPENAI_TIMEOUT_SECONDS * 1000,
  decisionTimeoutMs: config.AGENT_DECISION_TIMEOUT_SECONDS * 1000,
})

/**
 * OpenAI's Responses API (C135, docs/decisions/8) by its package, which is loaded with the first
 * request.
 */
function completeByResponses({ OPENAI_API_KEY: key, OPENAI_BASE_URL: url }: Config): Complete {
  const how = { provider: 'openai', apiKey: key ?? 'none', baseURL: url ?? openAiUrl } as const
  const opened = memoized(() => openProvider('OPENAI_API', how))
  return async (body, request) => (await opened('openai'))(body, request)
}

/**
 * Connects to a provider through its package, which is loaded here.
 *
 * @param setting name of the setting that names the provider.
 * @throws ConfigError if the package is not installed.
 */
export async function openProvider(setting: string, options: ProviderOptions): Promise<Complete> {
  const { createAiSdk } = await import('../agent/model/ai-sdk.ts')
  try {
    return await createAiSdk(options)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'))
      throw error
    const { provider } = options
    const own = provider === 'bedrock' ? 'amazon-bedrock' : provider
    throw new ConfigError([
      `${setting}: ${provider} needs a package that is not installed: npm install @ai-sdk/${own}`,
    ])
  }
}

/** Memory of each model's abilities, which are the same for every workspace. */
export const rememberedIn = (notes: Notes): RememberedForms => ({
  get: (key) => notes.get('model', key),
  put: (key, value, keepMs) => notes.put('model', key, value, keepMs),
})
