import { providerSettings } from '../agent/model/providers.ts'
import type { LocalModel } from '../compose/local-models.ts'
import type { Environment } from '../compose/team.ts'
import type { Texts } from '../locales/texts.ts'
import type { EnvLines } from './env-file.ts'

/** Model that `clew setup` can propose, and the settings that connect it. */
export interface Offer {
  readonly label: string
  readonly settings: EnvLines
}

/** Choice of a person: settings to try, or a provider whose model has to be named first. */
export type Choice =
  | { readonly kind: 'settings'; readonly settings: EnvLines }
  | { readonly kind: 'provider'; readonly provider: Keyed; readonly key: string }

/** Providers that need only a key, with the model to propose. */
const usualModels = {
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-pro',
  mistral: 'mistral-large-latest',
  deepseek: 'deepseek-chat',
  xai: 'grok-4',
  groq: 'openai/gpt-oss-120b',
} as const
type Keyed = keyof typeof usualModels

const keyed = Object.keys(usualModels) as Keyed[]
const labels = {
  anthropic: 'Anthropic',
  google: 'Google',
  mistral: 'Mistral',
  deepseek: 'DeepSeek',
  xai: 'xAI',
  groq: 'Groq',
} as const satisfies Record<Keyed, string>

export const labelOf = (provider: Keyed): string => labels[provider]
export const usualModelOf = (provider: Keyed): string => usualModels[provider]

export const settingsOf = (provider: Keyed, key: string, model: string): EnvLines => ({
  [providerSettings[provider].key]: key,
  AGENT_MODELS: `${provider}:${model}`,
})

/** Models that run on this machine, and providers whose key is set already. */
export function offersFor(
  locals: readonly LocalModel[],
  env: Environment,
  words: Texts['setupGuide'],
): Offer[] {
  const local = locals.map(({ server, url, model }) => ({
    label: words.local(model, server),
    settings: { OPENAI_BASE_URL: url, OPENAI_MODEL: model },
  }))
  const withKey = keyed.flatMap((provider) => {
    const { key } = providerSettings[provider]
    if (!env[key]) return []
    const settings = { AGENT_MODELS: `${provider}:${usualModels[provider]}` }
    return [{ label: words.keyThere(labels[provider], key), settings }]
  })
  return [...local, ...withKey]
}

const beginnings = [
  ['sk-ant-', 'anthropic'],
  ['AIza', 'google'],
  ['gsk_', 'groq'],
  ['xai-', 'xai'],
] as const

/**
 * Reads a number of the list, a key, a provider's name and its key, or an address and maybe its
 * key.
 *
 * @returns null if it is none of them.
 */
export function choiceOf(typed: string, offers: readonly Offer[]): Choice | null {
  const [first = '', second, ...more] = typed.trim().split(/\s+/)
  if (more.length > 0) return null
  if (second === undefined && /^\d{1,2}$/.test(first)) {
    const settings = offers[Number(first) - 1]?.settings
    return settings === undefined ? null : { kind: 'settings', settings }
  }
  const named = keyed.find((provider) => provider === first.toLowerCase())
  if (named !== undefined)
    return second === undefined ? null : { kind: 'provider', provider: named, key: second }
  if (/^https?:\/\//.test(first) && URL.canParse(first))
    return { kind: 'settings', settings: endpoint(first, second) }
  return second === undefined ? ofKey(first) : null
}

function endpoint(url: string, key: string | undefined): EnvLines {
  const address = { OPENAI_BASE_URL: url.replace(/\/$/, '') }
  return key === undefined ? address : { ...address, OPENAI_API_KEY: key }
}

function ofKey(key: string): Choice | null {
  const known = beginnings.find(([beginning]) => key.startsWith(beginning))
  if (known !== undefined) return { kind: 'provider', provider: known[1], key }
  return key.startsWith('sk-') ? { kind: 'settings', settings: { OPENAI_API_KEY: key } } : null
}
