import type { CommandView } from '../views.ts'

/** Completions of the word before the caret. */
export interface Completion {
  kind: 'commands' | 'people'
  /** Start of the text that a choice replaces, up to the caret. */
  from: number
  /**
   * True if nothing is typed yet, or a whole name: then Enter sends, and takes only a choice made
   * by arrows.
   */
  isOpen: boolean
  suggestions: readonly { name: string; about: string; text: string }[]
}

/**
 * C245: completes a command at the beginning of the text, its subcommand, or a person behind an
 * `@`. Null if there is nothing to complete.
 *
 * @param caret in UTF-16 units, as the browser counts.
 */
export function completionOf(
  text: string,
  caret: number,
  { commands, people }: { commands: readonly CommandView[]; people: readonly string[] },
): Completion | null {
  const before = text.slice(0, caret)
  if (/^\S/.test(text.slice(caret))) return null
  const [line, first = '', gap, second = ''] = /^\s*[/／](\S*)(?:(\s+)(\S*))?$/u.exec(before) ?? []
  if (line !== undefined) {
    const isFirst = gap === undefined
    const parts = isFirst ? commands : (commands.find((one) => isCalled(one, first))?.parts ?? [])
    return chosenFrom(parts, isFirst ? first : second, caret, isFirst ? '/' : '')
  }
  const [, typed] = /(?<![\w.-])[@＠]([^\s@＠]*)$/u.exec(before) ?? []
  if (typed === undefined) return null
  const suggestions = people.filter((name) => name.split(/\s+/).some((word) => begins(word, typed)))
  return shown({
    kind: 'people',
    from: caret - typed.length - 1,
    isOpen: typed === '' || suggestions.some((name) => isSame(name, typed)),
    suggestions: suggestions.map((name) => ({ name: `@${name}`, about: '', text: `@${name} ` })),
  })
}

type Called = Pick<CommandView, 'name' | 'aliases' | 'summary'>

function chosenFrom(
  all: readonly Called[],
  typed: string,
  caret: number,
  sign: string,
): Completion | null {
  const suggestions = all.filter(({ name, aliases }) =>
    [name, ...aliases].some((one) => begins(one, typed)),
  )
  return shown({
    kind: 'commands',
    from: caret - typed.length,
    isOpen: typed === '' || suggestions.some((one) => isCalled(one, typed)),
    suggestions: suggestions.map(({ name, summary }) => ({
      name: sign + name,
      about: summary.replaceAll('`', ''),
      text: `${name} `,
    })),
  })
}

const shown = (found: Completion): Completion | null =>
  found.suggestions.length === 0 ? null : found

const isSame = (one: string, typed: string) => one.toLowerCase() === typed.toLowerCase()
const begins = (one: string, typed: string) => one.toLowerCase().startsWith(typed.toLowerCase())
const isCalled = ({ name, aliases }: Called, typed: string) =>
  [name, ...aliases].some((one) => isSame(one, typed))
