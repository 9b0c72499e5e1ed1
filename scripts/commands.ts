import { commandTables } from '../src/agent/commands/tables.ts'
import { usageOf } from '../src/agent/commands/usage.ts'
import { texts } from '../src/locales/texts.ts'

/* Prints docs/commands.md from the command table: `npm run --silent commands > docs/commands.md`. */
const { about } = texts('en').commands
const parts = commandTables.map((table) => {
  const lines = usageOf(table, 'en').map((line) => `    ${line}`)
  const options = new Map(table.subcommands.flatMap((one) => one.options ?? []).map((option) => [option.name, option]))
  const rows = [...options.values()].map((option) => `- \`--${option.name}\`: ${about[option.about]}`)
  return [
    `## /${table.name}`,
    `${about[table.about]}.`,
    lines.join('\n'),
    ...(rows.length === 0 ? [] : [rows.join('\n')]),
  ].join('\n\n')
})
process.stdout.write(
  `${['# Commands', 'Made from the command table by `npm run --silent commands > docs/commands.md`.', ...parts].join('\n\n')}\n`,
)
