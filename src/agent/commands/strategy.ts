import { texts } from '../../locales/texts.ts'
import { strategyNames } from '../domain/task.ts'
import type { Command } from './command.ts'
import { argument, type CommandTable } from './table.ts'
import { commandFrom } from './table-command.ts'
import { choice } from './values.ts'

const choices = [...strategyNames, 'auto', 'default'] as const
type Choice = (typeof choices)[number]

/** By its name, or by one of the words that a request says it with. */
const otherWords = Object.fromEntries(
  strategyNames.map((name) => [name, ['en', 'zh'].flatMap((locale) => texts(locale).core.strategyWords[name])]),
)
const kind = { ...choice<Choice>(choices, otherWords, 'bad_strategy', 'batch'), rest: true as const }
const which = argument('strategy', 'name', kind, 'strategyOf')

export const strategyTable: CommandTable<{ choice: Choice }> = {
  name: 'strategy',
  aliases: ['work', '方式'],
  about: 'strategyOf',
  errors: (words) => words.strategy.errors,
  subcommands: [
    {
      name: '',
      aliases: [],
      about: 'strategyOf',
      takes: [which],
      example: () => 'batch',
      request: (line) => ({ choice: line.need(which) }),
    },
  ],
}

/** `/strategy quick`: how tasks of this thread are worked on from now on; a request that says how still goes first. */
export function createStrategyCommand(): Command {
  const command = commandFrom(strategyTable, {
    summary: ({ strategy }) => strategy.summary,
    async answer({ choice: chosen }, { locale, conversationId }) {
      const words = texts(locale).strategy
      if (conversationId === '') return { ok: false, text: words.noThread }
      const strategy = chosen === 'default' ? null : chosen
      return { ok: true, text: words.settled[chosen], data: { strategy }, conversation: { strategy } }
    },
  })
  return {
    ...command,
    recognises: (args) => kind.read(args.trim(), { now: 0, timeZone: 'UTC', locale: 'en' }) !== undefined,
  }
}
