import { texts } from '../../locales/texts.ts'
import { present } from '../domain/present.ts'
import type { Command } from './command.ts'
import { commandFrom } from './command-from-table.ts'
import { inlineCode, narrow } from './command-line.ts'
import { argument, type CommandTable, longestName, named, subcommand } from './grammar.ts'
import { nearest } from './nearest.ts'
import { details } from './usage.ts'
import { text } from './value-kinds.ts'

type Deps = () => readonly Command[]

const namedIn = (commands: Deps, args: string) =>
  named(commands(), args.trim().replace(/^[/!]/, ''))
const topic = argument('topic', 'topic', text(100), 'topic', false)

/** `/help` and `/help <command>`. */
export const helpTable: CommandTable<Deps> = {
  name: 'help',
  aliases: ['帮助'],
  about: 'help',
  words: ({ help }) => help,
  subcommands: [
    subcommand('', 'help', [], {
      takes: [topic],
      looks: true,
      request: (line) => ({ topic: line.get(topic) ?? '' }),
      async answer({ topic: asked }, { locale, commands: way }, commands) {
        if (asked === '')
          return {
            ok: true,
            text: overview(commands(), texts(locale).help.intro[way ?? 'plain'], locale),
          }
        const command = namedIn(commands, asked)
        if (command === null)
          return { ok: false, text: unknownCommand(asked, '', commands(), locale) }
        return { ok: true, text: details(command, locale) }
      },
    }),
  ],
}

/** @param commands asked at run time, because `/help` is one of them. */
export const createHelpCommand = (commands: Deps): Command => ({
  ...commandFrom(helpTable, commands),
  recognises: (args) => args.trim() === '' || namedIn(commands, args) !== null,
})

function overview(commands: readonly Command[], intro: string, locale: string): string {
  const words = texts(locale).help
  const lines = commands.map((command) => `- \`/${command.name}\` · ${command.summary(locale)}`)
  return [
    `**${words.title}**`,
    intro,
    ...lines,
    '',
    words.footer,
    words.otherwise,
    words.addressing,
  ].join('\n')
}

/**
 * A command that there is not: the one that was most likely meant, with the words that followed,
 * and all there are.
 */
export function unknownCommand(
  typed: string,
  args: string,
  commands: readonly Command[],
  locale: string,
): string {
  const words = texts(locale).help
  const names = commands.flatMap((command) => [command.name, ...command.aliases])
  const meant = nearest(narrow(typed.slice(0, longestName)), names)
  const command = meant === null ? null : named(commands, meant)
  const line = `/${command?.name} ${args}`.replace(/\s+/g, ' ').trim()
  const shown = inlineCode(`/${Array.from(typed.replace(/\s+/g, ' ')).slice(0, 40).join('')}`)
  const all = commands.map((one) => `\`/${one.name}\``).join(', ')
  return present([
    words.unknown(shown),
    command !== null && `${words.tryThis}${inlineCode(Array.from(line).slice(0, 200).join(''))}`,
    words.known(all),
  ]).join('\n')
}
