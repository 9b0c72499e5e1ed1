import { texts } from '../../locales/texts.ts'
import type { Command } from './command.ts'
import { nearest } from './nearest.ts'
import { longestName, named } from './table.ts'
import { inlineCode, narrow } from './words.ts'

/** `/help` and `/help <command>`. @param commands asked at run time, because `/help` is one of them. */
export function createHelpCommand(commands: () => readonly Command[]): Command {
  const namedIn = (args: string) => named(commands(), args.trim().replace(/^[/!]/, ''))
  return {
    name: 'help',
    aliases: ['帮助'],
    summary: (locale) => texts(locale).help.summary,
    usage: (locale) => ['/help', `/help <${texts(locale).commands.labels.topic}>`],
    recognises: (args) => args.trim() === '' || namedIn(args) !== null,
    async run(args, { locale }) {
      if (args.trim() === '') return { ok: true, text: overview(commands(), locale) }
      const command = namedIn(args)
      if (command === null) return { ok: false, text: unknownCommand(args.trim(), '', commands(), locale) }
      return { ok: true, text: details(command, locale) }
    },
  }
}

function overview(commands: readonly Command[], locale: string): string {
  const words = texts(locale).help
  const lines = commands.map((command) => `- \`/${command.name}\` · ${command.summary(locale)}`)
  return [`**${words.title}**`, words.intro, ...lines, words.footer, words.otherwise].join('\n')
}

function details(command: Command, locale: string): string {
  const lines = command.usage(locale).map((line) => `- ${inlineCode(line)}`)
  const notes = command.notes === undefined ? [] : [command.notes(locale)]
  return [`**/${command.name}** · ${command.summary(locale)}`, ...lines, ...notes].join('\n')
}

/** A command that there is not: the one that was most likely meant, with the words that followed, and all there are. */
export function unknownCommand(typed: string, args: string, commands: readonly Command[], locale: string): string {
  const words = texts(locale).help
  const names = commands.flatMap((command) => [command.name, ...command.aliases])
  const meant = nearest(narrow(typed.slice(0, longestName)), names)
  const command = meant === null ? null : named(commands, meant)
  const line = `/${command?.name} ${args}`.replace(/\s+/g, ' ').trim()
  const shown = inlineCode(`/${Array.from(typed.replace(/\s+/g, ' ')).slice(0, 40).join('')}`)
  const all = commands.map((one) => `\`/${one.name}\``).join(', ')
  return [
    words.unknown(shown),
    ...(command === null ? [] : [`${words.tryThis}${inlineCode(Array.from(line).slice(0, 200).join(''))}`]),
    words.known(all),
  ].join('\n')
}
