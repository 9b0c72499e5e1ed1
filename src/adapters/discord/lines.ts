import { quoteIfNeeded } from '../../agent/commands/words.ts'

/** What a person chose and filled in: the command, its part if it has parts, and the options by name. */
export interface Chosen {
  name: string
  sub: string | null
  values: Readonly<Record<string, string | number | boolean>>
}

/**
 * A native command as the line that says the same: people and models use one grammar. What was typed into an option stays
 * one value, whatever is in it.
 */
export function lineOf({ name, sub, values }: Chosen): string {
  const { text, words, id, line, topic, when, what, name: view, period, date, state, ...options } = values
  const before = sub === 'list' || sub === 'search' || sub === null ? [] : [id]
  const plain = [...before, when, period, view, date, state, topic, line].filter((one) => one !== undefined).map(String)
  const free = [text, words, what].filter((one) => one !== undefined).map((one) => freely(String(one)))
  const given = Object.entries(options).flatMap(([option, value]) => {
    if (typeof value === 'boolean') return [value ? `--${option}` : `--no-${option}`]
    return [`--${option} ${quoted(String(value))}`]
  })
  return [`/${name}`, ...(sub === null ? [] : [sub]), ...plain, ...free, ...given].join(' ')
}

/** Free text that could be taken for options or a quote is quoted as a whole. */
const freely = (text: string): string => quoteIfNeeded(text.replace(/\s+/g, ' ').trim())
const quoted = (text: string): string =>
  /[\s"'“”‘’「」『』]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text
