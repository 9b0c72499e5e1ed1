import { texts } from '../../locales/texts.ts'
import { strategyNames } from '../domain/task.ts'
import { argument, type CommandTable, subcommand } from './grammar.ts'
import { choice } from './value-kinds.ts'

const choices = [...strategyNames, 'auto', 'default'] as const

/** By its name, or by one of the words that a request says it with. */
const otherWords = Object.fromEntries(
  strategyNames.map((name) => [
    name,
    ['en', 'zh'].flatMap((locale) => texts(locale).core.strategyWords[name]),
  ]),
)
const kind = { ...choice(choices, otherWords, 'bad_strategy', 'batch'), rest: true as const }
const which = argument('strategy', 'name', kind, 'strategyOf')

/**
 * `/strategy quick`: how tasks of this thread are worked on from now on; a request that says how
 * still goes first.
 */
export const strategyTable: CommandTable<unknown> = {
  name: 'strategy',
  aliases: ['work', '方式'],
  about: 'strategyOf',
  words: ({ strategy }) => strategy,
  subcommands: [
    subcommand('', 'strategyOf', [], {
      takes: [which],
      request: (line) => ({ chosen: line.need(which) }),
      async answer({ chosen }, { locale, conversationId }) {
        const words = texts(locale).strategy
        if (conversationId === '') return { ok: false, text: words.noThread }
        const strategy = chosen === 'default' ? null : chosen
        return {
          ok: true,
          text: words.settled[chosen],
          data: { strategy },
          conversation: { strategy },
        }
      },
    }),
  ],
}
