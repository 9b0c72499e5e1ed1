import { mapTexts } from '../agent/domain/clean-text.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/**
 * Fills in environment variables in every text of a value: `${NAME}`, `${env:NAME}` and
 * `${NAME:-default}`.
 *
 * @returns the value, the names without a value, and the values that came from the environment.
 */
export function fillIn(
  value: unknown,
  env: Variables,
): { filled: unknown; missing: string[]; secrets: string[] } {
  const missing = new Set<string>()
  const secrets = new Set<string>()
  const lookUp = (variable: string, otherwise?: string) => {
    const found = env[variable] ?? otherwise
    if (found === undefined) missing.add(variable)
    else if (env[variable] !== undefined) secrets.add(found)
    return found ?? ''
  }
  const filled = mapTexts(value, (text) =>
    text.replace(/\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^{}]*))?\}/g, (_, name: string, or?: string) =>
      lookUp(name, or),
    ),
  )
  return { filled, missing: [...missing], secrets: [...secrets] }
}
