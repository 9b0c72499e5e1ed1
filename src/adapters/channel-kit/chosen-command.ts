import { quote, quoteIfNeeded } from '../../agent/commands/command-line.ts'
import { commandTables } from '../../agent/commands/own-commands.ts'

/** What a person chose and filled in: the command, its part if it has parts, and the options by name. */
export interface Chosen {
  name: string
  sub: string | null
  values: Readonly<Record<string, string | number | boolean>>
}

/**
 * A native command as the line that says the same: people and models use one grammar. Arguments come in the order of the
 * command table; what was typed into an option stays one value, whatever is in it.
 */
export function lineOf({ name, sub, values }: Chosen): string {
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
    // Free text that could be taken for options or a quote is quoted as a whole.
    return value === undefined || isOption
      ? []
      : [quoteIfNeeded(String(value).replace(/\s+/g, ' ').trim())]
  })
  return [`/${name}`, ...(sub === null ? [] : [sub]), ...words, ...options].join(' ')
}

/** C185: the two fields of the form for a new schedule, named as the command names them. */
export const scheduleFields = ['when', 'what'] as const
export type ScheduleFields = Readonly<Record<(typeof scheduleFields)[number], string>>

/** What was filled into it, as the command that makes the schedule. */
export const scheduleLine = (values: ScheduleFields): string =>
  lineOf({ name: 'schedule', sub: 'add', values })
