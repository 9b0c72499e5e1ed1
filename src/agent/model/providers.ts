/** Who is asked through a package of its own, by the name before the model's: `anthropic:claude-sonnet-4-5`. */
export const providers = ['anthropic', 'google', 'bedrock'] as const
export type Provider = (typeof providers)[number]
