import { optionsOf } from '../src/agent/commands/grammar.ts'
import { commandTables } from '../src/agent/commands/own-commands.ts'
import { usageOf } from '../src/agent/commands/usage.ts'
import { type Language, texts } from '../src/locales/texts.ts'

const beginnings = {
  en: '# Commands\n\n<!-- Made by `npm run --silent commands > docs/commands.md`. -->',
  zh: '# 命令\n\n<!-- Made by `npm run --silent commands -- zh > docs/zh/commands.md`. -->',
}

/** The whole of docs/commands.md: every command with its usage lines and what its options mean. */
export function commandManual(language: Language): string {
  const chapters = commandTables.map((table) => chapter(table, language))
  return `${[beginnings[language], ...chapters].join('\n\n')}\n`
}

function chapter(table: (typeof commandTables)[number], language: Language): string {
  const { about } = texts(language).commands
  const lines = usageOf(table, language).map((line) => `    ${line}`)
  const colon = language === 'zh' ? '：' : ': '
  const rows = optionsOf(table).map(
    (option) => `- \`--${option.name}\`${colon}${about[option.about]}`,
  )
  const purpose = `${about[table.about]}${language === 'zh' ? '。' : '.'}`
  return [`## /${table.name}`, purpose, lines.join('\n'), rows.join('\n')]
    .filter(Boolean)
    .join('\n\n')
}

if (import.meta.main) process.stdout.write(commandManual(process.argv[2] === 'zh' ? 'zh' : 'en'))
