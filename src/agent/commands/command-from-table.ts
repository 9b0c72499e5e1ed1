import { texts } from '../../locales/texts.ts'
import type { Command } from './command.ts'
import { anyFrame, type CommandTable, isFor, named, type Use } from './grammar.ts'
import { readCommand } from './reader.ts'
import { details, renderUsageError, usageOf } from './usage.ts'

/** A command as its table says. */
export function commandFrom<D>(table: CommandTable<D>, deps: D, use: Use = 'person'): Command {
  const { name, aliases, subcommands } = table
  const words = (locale: string) => table.words(texts(locale))
  const command: Command = {
    name,
    aliases,
    summary: (locale) => words(locale).summary,
    parts: (locale) =>
      subcommands
        .filter((one) => one.name !== '' && one.by !== 'model')
        .map((one) => ({
          name: one.name,
          aliases: one.aliases,
          summary: texts(locale).commands.about[one.about],
        })),
    usage: (locale) => usageOf(table, locale, use),
    notes: (locale) => words(locale).usageNotes,
    recognises: (args) => {
      const [first = ''] = args.trim().split(/\s/, 1)
      if (asksHelp(args)) return true
      const hasParts = subcommands[0]?.name !== ''
      return hasParts
        ? first === '' || named(subcommands, first) !== null
        : readCommand(table, args, anyFrame).ok
    },
    looks: (args) => {
      const reading = readCommand(table, args, anyFrame)
      return reading.ok && reading.subcommand.looks === true
    },
    async run(args, context) {
      // C168: whatever a command takes, it explains itself.
      if (asksHelp(args)) return { ok: true, text: details(command, context.locale) }
      const reading = readCommand(table, args, table.frame?.(context, deps, use) ?? context)
      if (!reading.ok)
        return { ok: false, text: renderUsageError(table, reading.problem, context.locale) }
      const { subcommand, request } = reading
      if (!isFor(subcommand, use))
        return { ok: false, text: words(context.locale).onlyPeople ?? '' }
      return await subcommand.answer(request, context, deps)
    },
  }
  return command
}

/** True for arguments that ask for help alone. */
export const asksHelp = (args: string) => ['help', '帮助'].includes(args.trim().toLowerCase())
