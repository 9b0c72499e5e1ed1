import { type Texts, texts } from '../../locales/texts.ts'
import { type FailureKind, passesByItself } from '../domain/model-failure.ts'
import { type Provider, providerSettings } from './providers.ts'

/** The settings that say who is asked, and how. */
export interface SettingNames {
  key: string
  url: string
  model: string
}

/** Returns the settings of a listed model; provider null: the OpenAI-compatible endpoint. */
export function listedSettings(
  provider: Provider | null,
  api: 'chat' | 'responses' = 'chat',
): SettingNames {
  const model = 'AGENT_MODELS'
  if (provider === 'bedrock') return { key: 'AWS_BEARER_TOKEN_BEDROCK', url: 'AWS_REGION', model }
  if (provider !== null) {
    const { key, url } = providerSettings[provider]
    return { key, url, model }
  }
  return { ...(api === 'chat' ? alone : byResponses), model }
}

const alone: SettingNames = { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL', model: 'OPENAI_MODEL' }
/** Not every endpoint has the Responses API; one that has not knows no such place. */
export const byResponses: SettingNames = { ...alone, url: 'OPENAI_BASE_URL, OPENAI_API' }

/**
 * Returns what the endpoint does in a failure and what an operator can change, as the log and
 * `/healthz` say it, and as a trial does, after which nothing goes on by itself (C91, C133).
 */
export function adviceFor(
  kind: FailureKind,
  { key, url, model }: SettingNames = alone,
  words: Texts['doctor'] = texts('en').doctor,
): { does: string; mend: string; afterTrial: string } {
  const other = words.otherModel(model, model !== alone.model)
  const { does, mend } = words.advice({ key, url, model, other })[kind]
  if (!passesByItself(kind)) return { does, mend, afterTrial: mend }
  return { does, mend: words.goesOn(mend), afterTrial: words.tryAgain(mend) }
}
