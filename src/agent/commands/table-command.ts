import { type Texts, texts } from '../../locales/texts.ts'
import type { Command, CommandContext, CommandResult } from './command.ts'
import { type Reading, readCommand } from './reader.ts'
import { type CommandTable, type Frame, isFor, named, type Use } from './table.ts'
import { renderUsageError, usageOf } from './usage.ts'

/** A command as its table says, over its use cases. */
export function commandFrom<R extends object>(
  table: CommandTable<R>,
  does: {
    summary: (words: Texts) => string
    notes?: (words: Texts) => string
    /** Why something is only for others. */
    refusal?: (words: Texts) => string
    frame?: (context: CommandContext) => Frame
    answer: (request: R, context: CommandContext) => Promise<CommandResult>
  },
  use: Use = 'person',
): Command {
  const { notes, refusal, frame = (context) => context } = does
  const read = (args: string, at: Frame): Reading<R> => readCommand(table, args, at)
  return {
    name: table.name,
    aliases: table.aliases,
    summary: (locale) => does.summary(texts(locale)),
    usage: (locale) => usageOf(table, locale, use),
    ...(notes === undefined ? {} : { notes: (locale: string) => notes(texts(locale)) }),
    recognises: (args) => {
      const [first = ''] = args.trim().split(/\s/, 1)
      return first === '' || named(table.subcommands, first) !== null
    },
    looks: (args) => {
      const reading = read(args, { now: 0, timeZone: 'UTC', locale: 'en' })
      return reading.ok && reading.subcommand.looks === true
    },
    async run(args, context) {
      const reading = read(args, frame(context))
      const words = texts(context.locale)
      if (!reading.ok) return { ok: false, text: renderUsageError(table, reading.problem, context.locale) }
      if (!isFor(reading.subcommand, use)) return { ok: false, text: refusal?.(words) ?? '' }
      return await does.answer(reading.request, context)
    },
  }
}
