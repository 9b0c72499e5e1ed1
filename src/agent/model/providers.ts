/**
 * Providers with a package of their own, by the prefix of a model's name:
 * `anthropic:claude-sonnet-4-5`.
 */
export const providers = [
  'anthropic',
  'google',
  'bedrock',
  'mistral',
  'deepseek',
  'xai',
  'groq',
  'openai-compatible',
] as const
export type Provider = (typeof providers)[number]

/** Names that a model of one's own endpoint may have, too, with a tag behind the colon. */
export const maybeTags = [
  'mistral',
  'deepseek',
  'xai',
  'groq',
] as const satisfies readonly Provider[]

const keyed = <N extends string>(name: N) =>
  ({ key: `${name}_API_KEY`, url: `${name}_BASE_URL`, needs: [`${name}_API_KEY`] }) as const

/** Settings of each provider: its key, its address, and those that must be set. */
export const providerSettings = {
  anthropic: keyed('ANTHROPIC'),
  google: keyed('GOOGLE'),
  bedrock: {
    key: 'AWS_BEARER_TOKEN_BEDROCK',
    url: 'BEDROCK_BASE_URL',
    needs: ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_REGION'],
  },
  mistral: keyed('MISTRAL'),
  deepseek: keyed('DEEPSEEK'),
  xai: keyed('XAI'),
  groq: keyed('GROQ'),
  'openai-compatible': {
    key: 'OPENAI_COMPATIBLE_API_KEY',
    url: 'OPENAI_COMPATIBLE_BASE_URL',
    needs: ['OPENAI_COMPATIBLE_BASE_URL'],
  },
} as const satisfies Record<Provider, object>
