import { texts, worded } from '../../locales/texts.ts'
import type { Command } from './command.ts'
import { inlineCode, oneLine } from './command-line.ts'
import { type CommandTable, isFor, type Subcommand, type Use, type ValueKind } from './grammar.ts'
import type { UsageError } from './reader.ts'

/**
 * Names the error and, on a line of its own, the nearest right form, ready to copy. Where nothing
 * is near, every form with its purpose (C701).
 */
export function renderUsageError(table: CommandTable, problem: UsageError, locale: string): string {
  const { kind, typed, example } = problem
  const words = texts(locale)
  const said = table.words(words).errors?.[kind] ?? words.commands.errors[kind]
  const subject = kind.startsWith('too_') ? typed : inlineCode(typed)
  const sentence = worded<[string, string]>(said, subject, table.name)
  return example === ''
    ? [sentence, ...purposesOf(table, locale)].join('\n')
    : `${sentence}\n${words.help.tryThis}${inlineCode(example)}`
}

function purposesOf(table: CommandTable, locale: string): string[] {
  const { commands, page } = texts(locale)
  return table.subcommands
    .filter(({ by }) => by !== 'model')
    .map((one) => {
      const form = oneLine(`/${table.name} ${one.name} ${formOf(one, locale)}`)
      return `- ${inlineCode(form)}${page.colon}${commands.about[one.about]}`
    })
}

/**
 * Every form of a command, one a line, for those who may use it. Subcommands that take the same
 * share a line.
 */
export function usageOf(table: CommandTable, locale: string, use: Use = 'person'): string[] {
  const forms = new Map<string, string[]>()
  const seen = new Map<Subcommand['options'], string>()
  for (const one of table.subcommands) {
    if (use === 'person' ? one.by === 'model' : !isFor(one, use)) continue
    const form = formOf(one, locale, seen, use)
    forms.set(form, [...(forms.get(form) ?? []), one.name])
  }
  return [...forms].map(([form, names]) => oneLine(`/${table.name} ${names.join('|')} ${form}`))
}

/** Returns a command's purpose and all its forms. */
export function details(command: Command, locale: string): string {
  const lines = command.usage(locale).map((line) => `- ${inlineCode(line)}`)
  return [
    `**/${command.name}** · ${command.summary(locale)}`,
    ...lines,
    command.notes?.(locale) ?? [],
  ]
    .flat()
    .join('\n')
}

/**
 * The arguments and options of a subcommand; options that another one has too are not said twice.
 */
export function formOf(
  { name, takes = [], options }: Subcommand,
  locale: string,
  seen = new Map<Subcommand['options'], string>(),
  use: Use = 'person',
): string {
  const { labels, sameOptions } = texts(locale).commands
  const shown = (kind: ValueKind<unknown>, label = kind.label) =>
    kind.form.kind === 'choice' ? kind.form.choices.join('|') : labels[label]
  const words = takes.map(({ label, kind, required }) => {
    const said = shown(kind, label)
    return required ? (kind.form.kind === 'choice' ? said : `<${said}>`) : `[${said}]`
  })
  const same = seen.get(options)
  if (same !== undefined && (options?.length ?? 0) > 2)
    return [...words, sameOptions(same)].join(' ')
  seen.set(options, name)
  const given = (options ?? []).flatMap(({ name: own, kind, by }) => {
    if (use !== 'person' && by === 'people') return []
    return [kind.form.kind === 'flag' ? `[--${own}]` : `[--${own} ${shown(kind)}]`]
  })
  return [...words, ...given].join(' ')
}
