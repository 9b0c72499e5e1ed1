import { texts } from '../../locales/texts.ts'
import type { Command } from './command.ts'
import { readCommand } from './reader.ts'
import { anyFrame, type CommandTable, isFor, named, type Use } from './table.ts'
import { renderUsageError, usageOf } from './usage.ts'

/** A command as its table says. */
export function commandFrom<D>(table: CommandTable<D>, deps: D, use: Use = 'person'): Command {
  const { name, aliases, subcommands } = table
  const words = (locale: string) => table.words(texts(locale))
  return {
    name,
    aliases,
    summary: (locale) => words(locale).summary,
    usage: (locale) => usageOf(table, locale, use),
    notes: (locale) => words(locale).usageNotes,
    recognises: (args) => {
      const [first = ''] = args.trim().split(/\s/, 1)
      const hasParts = subcommands[0]?.name !== ''
      return hasParts ? first === '' || named(subcommands, first) !== null : readCommand(table, args, anyFrame).ok
    },
    looks: (args) => {
      const reading = readCommand(table, args, anyFrame)
      return reading.ok && reading.subcommand.looks === true
    },
    async run(args, context) {
      const reading = readCommand(table, args, table.frame?.(context, deps, use) ?? context)
      if (!reading.ok) return { ok: false, text: renderUsageError(table, reading.problem, context.locale) }
      const { subcommand, request } = reading
      if (!isFor(subcommand, use)) return { ok: false, text: words(context.locale).onlyPeople ?? '' }
      return await subcommand.answer(request, context, deps)
    },
  }
}
