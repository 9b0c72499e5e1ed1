/** What a command template may name; each is put in as one argument or part of one, never read by a shell. */
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

/** A template that cannot be used; the message says what would be right. */
export class CommandError extends Error {
  readonly code = 'bad_command'
}

/**
 * Reads a command as one types it: words, with '…' or "…" around those that hold blanks. Nothing else of a shell is known: no
 * variables, pipes or wildcards.
 *
 * @throws CommandError when it is empty, a quote is open, or a placeholder is not known.
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

/** Whether the agent gets its task in its command; else it reads it from its input. */
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
