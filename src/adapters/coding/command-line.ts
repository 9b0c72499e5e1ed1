/**
 * Placeholders that a command template may contain. Each is filled in as an argument or part of
 * one; no shell reads it.
 */
export const placeholders = [
  'prompt',
  'prompt_file',
  'session_id',
  'task_id',
  'report_file',
  'workdir',
] as const
export type Placeholder = (typeof placeholders)[number]

export type CommandTemplate = readonly string[]

/** Command template that cannot be used. The message says how to correct it. */
export class CommandError extends Error {
  readonly code = 'bad_command'
}

/**
 * Splits a command into words. Quotes '…' or "…" group words with blanks. Variables, pipes and
 * wildcards are not supported.
 *
 * @throws CommandError if the text is empty, a quote is not closed, or a placeholder is unknown.
 */
export function readCommand(text: string): CommandTemplate {
  const words = wordsIn(text)
  if (words.length === 0) throw new CommandError('the command is empty')
  for (const word of words) {
    const unknown = [...word.matchAll(/\{([a-z_]+)\}/g)].find(
      ([, name]) => !placeholders.some((one) => one === name),
    )
    if (unknown !== undefined)
      throw new CommandError(
        `the command names ${unknown[0]}; it may name ${placeholders.map((one) => `{${one}}`).join(', ')}`,
      )
  }
  return words
}

function wordsIn(text: string): string[] {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let index = 0; index < text.length; index++) {
    const here = text.charAt(index)
    const next = text.charAt(index + 1)
    if (here === quote) quote = ''
    else if (quote === '' && (here === "'" || here === '"')) {
      quote = here
      word ??= ''
    } else if (quote === '' && here.trim() === '') {
      if (word !== null) words.push(word)
      word = null
    } else if (quote === '"' && here === '\\' && (next === '"' || next === '\\')) {
      word = (word ?? '') + next
      index += 1
    } else word = (word ?? '') + here
  }
  if (quote !== '') throw new CommandError('a quote of the command is not closed')
  return word === null ? words : [...words, word]
}

/**
 * True if the command contains the prompt; otherwise the agent reads it from its standard input.
 */
export const namesPrompt = (template: CommandTemplate): boolean =>
  template.some((word) => word.includes('{prompt}') || word.includes('{prompt_file}'))

export const fillIn = (
  template: CommandTemplate,
  values: Readonly<Record<Placeholder, string>>,
): string[] =>
  template.map((word) =>
    word.replace(/\{([a-z_]+)\}/g, (whole, name: string) =>
      name in values ? values[name as Placeholder] : whole,
    ),
  )
