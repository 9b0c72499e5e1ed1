import type { FailureKind } from '../domain/model-failure.ts'
import type { Provider } from './providers.ts'

/** The settings that say who is asked, and how. */
export interface SettingNames {
  key: string
  url: string
  model: string
}

/** What is set for a model of a list; null: at the OpenAI-compatible endpoint. */
export function listedSettings(provider: Provider | null, api: 'chat' | 'responses' = 'chat'): SettingNames {
  const model = 'AGENT_MODELS'
  if (provider === 'anthropic') return { key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL', model }
  if (provider === 'google') return { key: 'GOOGLE_API_KEY', url: 'GOOGLE_BASE_URL', model }
  if (provider === 'bedrock') return { key: 'AWS_BEARER_TOKEN_BEDROCK', url: 'AWS_REGION', model }
  return { ...(api === 'chat' ? alone : byResponses), model }
}

const alone: SettingNames = { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL', model: 'OPENAI_MODEL' }
/** Not every endpoint has the Responses API; one that has not knows no such place. */
export const byResponses: SettingNames = { ...alone, url: 'OPENAI_BASE_URL, OPENAI_API' }

/** What a failure means for the people who run Clew: what the endpoint does, and what to change. Log, `/healthz` and doctor say the same (C91, C133). */
export function adviceFor(
  kind: FailureKind,
  { key, url, model }: SettingNames = alone,
): { does: string; mend: string } {
  const other = model === alone.model ? `set another ${model}` : `add another one to ${model}`
  const advice: Record<FailureKind, { does: string; mend: string }> = {
    key_refused: { does: 'refuses the API key', mend: `Check ${key}, ${url} and the access to the model.` },
    no_credit: {
      does: 'has no credit left on this account',
      mend: `Top the account up or raise its limit there, or set ${key} to that of another account.`,
    },
    unknown_model: {
      does: 'does not know the model',
      mend: `Check ${model}, AGENT_DECISION_MODEL and ${url}.`,
    },
    rate_limited: {
      does: 'takes no more requests for now',
      mend: 'Clew waits and goes on by itself. If it happens often, raise the limit there or lower AGENT_RUNS_AT_ONCE.',
    },
    overloaded: {
      does: 'is overloaded or out of order',
      mend: `Clew waits and goes on by itself. If it lasts, look at its status page or log, or ${other}.`,
    },
    unreachable: {
      does: 'cannot be reached',
      mend: `Clew goes on by itself once it is back. Check ${url}, the network and whether the server runs.`,
    },
    timed_out: {
      does: 'does not answer in time',
      mend: 'Clew tries again by itself. A slow model needs more OPENAI_TIMEOUT_SECONDS and AGENT_DECISION_TIMEOUT_SECONDS.',
    },
    context_too_long: {
      does: 'finds a request too long for the model',
      mend: `Take a model with a larger context window (${model}), or give the local server a larger one.`,
    },
    filtered: {
      does: 'refused a request by its content filter',
      mend: 'Other words may pass; the filter is set at the provider.',
    },
    reply_unusable: {
      does: 'gave an answer that cannot be used',
      mend: `\`npm run doctor\` tries what the model can do; another ${model} may follow instructions better.`,
    },
  }
  return advice[kind]
}
