import { quote, quoteIfNeeded } from '../../agent/commands/command-line.ts'
import { commandTables } from '../../agent/commands/own-commands.ts'
import { present } from '../../agent/domain/present.ts'

/**
 * Native command as a person filled it in: its name, its subcommand if it has any, and its options
 * by name.
 */
export interface CommandChoice {
  name: string
  sub: string | null
  values: Readonly<Record<string, string | number | boolean>>
}

/**
 * Converts a native command into the equivalent command line, so that people and models use one
 * grammar. Arguments keep the order of the command table. An option's value stays one value,
 * whatever characters it holds.
 */
export function lineOf({ name, sub, values }: CommandChoice): string {
  const table = commandTables.find((one) => one.name === name)
  const form = table?.subcommands.find((one) => one.name === (sub ?? ''))
  const options = (form?.options ?? []).flatMap(({ name: own, kind, negated }) => {
    const value = values[own]
    if (value === undefined || (value === false && negated === undefined)) return []
    if (kind.form.kind === 'flag') return [value === false ? `--no-${own}` : `--${own}`]
    return [`--${own} ${/[\s"'“”‘’「」『』]/.test(String(value)) ? quote(String(value)) : value}`]
  })
  const names = form?.takes?.map((argument) => argument.name) ?? ['line']
  const words = names.flatMap((own) => {
    const isOption = form?.options?.some((one) => one.name === own)
    const value = values[own]
    // Free text that could be read as options or as a quote is quoted as a whole.
    return value === undefined || isOption
      ? []
      : [quoteIfNeeded(String(value).replace(/\s+/g, ' ').trim())]
  })
  return present([`/${name}`, sub, ...words, ...options]).join(' ')
}

/** C185: names of the two fields in the form for a new schedule, as the command names them. */
export const scheduleFields = ['when', 'what'] as const
export type ScheduleFields = Readonly<Record<(typeof scheduleFields)[number], string>>

/** Returns the `/schedule add` command for a filled-in form. */
export const scheduleLine = (values: ScheduleFields) =>
  lineOf({ name: 'schedule', sub: 'add', values })
