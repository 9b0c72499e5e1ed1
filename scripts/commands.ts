import { commandTables } from '../src/agent/commands/own-commands.ts'
import { usageOf } from '../src/agent/commands/usage.ts'
import { texts } from '../src/locales/texts.ts'

const { about } = texts('en').commands
const madeFrom = 'Made from the command table by `npm run --silent commands > docs/commands.md`.'

/** The whole of docs/commands.md: every command with its usage lines and what its options mean. */
export function commandManual(): string {
  return `${['# Commands', madeFrom, ...commandTables.map(chapter)].join('\n\n')}\n`
}

function chapter(table: (typeof commandTables)[number]): string {
  const lines = usageOf(table, 'en').map((line) => `    ${line}`)
  const options = new Map(
    table.subcommands.flatMap((one) => one.options ?? []).map((option) => [option.name, option]),
  )
  const rows = [...options.values()].map(
    (option) => `- \`--${option.name}\`: ${about[option.about]}`,
  )
  return [`## /${table.name}`, `${about[table.about]}.`, lines.join('\n'), rows.join('\n')]
    .filter(Boolean)
    .join('\n\n')
}

if (import.meta.main) process.stdout.write(commandManual())
