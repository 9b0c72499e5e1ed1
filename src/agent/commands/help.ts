import { texts } from '../../locales/texts.ts'
import type { Command } from './command.ts'
import { nearest } from './nearest.ts'
import { inlineCode, narrow } from './words.ts'

/** `/help` and `/help <command>`. @param commands asked at run time, because `/help` is one of them. */
export function createHelpCommand(commands: () => readonly Command[]): Command {
  const named = (args: string) => find(commands(), args.trim().replace(/^[/!]/, ''))
  return {
    name: 'help',
    aliases: ['帮助'],
    summary: (locale) => texts(locale).help.summary,
    usage: (locale) => [...texts(locale).help.usage],
    recognises: (args) => args.trim() === '' || named(args) !== null,
    async run(args, { locale }) {
      if (args.trim() === '') return { ok: true, text: overview(commands(), locale) }
      const command = named(args)
      if (command === null) return { ok: false, text: unknownCommand(args.trim(), '', commands(), locale) }
      return { ok: true, text: details(command, locale) }
    },
  }
}

/** By its name or another one that it has. */
export function find(commands: readonly Command[], typed: string): Command | null {
  const name = narrow(typed)
  return commands.find((command) => command.name === name || command.aliases.includes(name)) ?? null
}

function overview(commands: readonly Command[], locale: string): string {
  const words = texts(locale).help
  const lines = commands.map((command) => `- \`/${command.name}\` · ${command.summary(locale)}`)
  return [`**${words.title}**`, words.intro, ...lines, words.footer, words.otherwise].join('\n')
}

function details(command: Command, locale: string): string {
  const words = texts(locale)
  const notes =
    command.name === 'todo' || command.name === 'view'
      ? [words.todo.usageNotes]
      : command.name === 'schedule'
        ? [words.schedule.usageNotes]
        : []
  const lines = command.usage(locale).map((line) => `- ${inlineCode(line)}`)
  return [`**/${command.name}** · ${command.summary(locale)}`, ...lines, ...notes].join('\n')
}

/** A command that there is not: the one that was most likely meant, with the words that followed, and all there are. */
export function unknownCommand(typed: string, args: string, commands: readonly Command[], locale: string): string {
  const words = texts(locale).help
  const names = commands.flatMap((command) => [command.name, ...command.aliases])
  const meant = nearest(narrow(typed), names)
  const command = meant === null ? null : find(commands, meant)
  const line = `/${command?.name} ${args}`.replace(/\s+/g, ' ').trim()
  const shown = inlineCode(`/${Array.from(typed.replace(/\s+/g, ' ')).slice(0, 40).join('')}`)
  const all = commands.map((one) => `\`/${one.name}\``).join(', ')
  return [
    words.unknown(shown),
    ...(command === null ? [] : [`${words.tryThis}${inlineCode(Array.from(line).slice(0, 200).join(''))}`]),
    words.known(all),
  ].join('\n')
}
