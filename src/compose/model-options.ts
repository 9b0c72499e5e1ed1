import type { RememberedForms } from '../agent/model/abilities.ts'
import { byResponses } from '../agent/model/advice.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Notes } from '../agent/ports/notes.ts'
import type { Config } from '../config.ts'

export const openAiUrl = 'https://api.openai.com/v1'

export interface ModelDeps {
  clock: Clock
  log: Log
  notes?: Notes | undefined
}

/** How the endpoint is asked, by the settings. */
export const optionsOf = (config: Config, model: string) => ({
  apiKey: config.OPENAI_API_KEY ?? null,
  baseURL: config.OPENAI_BASE_URL ?? openAiUrl,
  model,
  windows: config.MODEL_WINDOWS,
  prices: config.MODEL_PRICES,
  prompts: config.AGENT_PROMPT_LAYOUT,
  api: config.OPENAI_API,
  ...(config.OPENAI_API === 'responses' && { settings: byResponses }),
  effort: config.OPENAI_REASONING_EFFORT ?? null,
  decisionModel: config.AGENT_DECISION_MODEL ?? null,
  timeoutMs: config.OPENAI_TIMEOUT_SECONDS * 1000,
  decisionTimeoutMs: config.AGENT_DECISION_TIMEOUT_SECONDS * 1000,
})

/** What models can do is the same for every workspace. */
export const rememberedIn = (notes: Notes): RememberedForms => ({
  get: (key) => notes.get('model', key),
  put: (key, value, keepMs) => notes.put('model', key, value, keepMs),
})
