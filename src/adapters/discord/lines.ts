import { z } from 'zod'
import { commandTables } from '../../agent/commands/tables.ts'
import { quoted, quoteIfNeeded } from '../../agent/commands/words.ts'

/** What a person chose and filled in: the command, its part if it has parts, and the options by name. */
export interface Chosen {
  name: string
  sub: string | null
  values: Readonly<Record<string, string | number | boolean>>
}

const Value = z.object({
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  focused: z.boolean().optional(),
})
const Option = Value.extend({ options: z.array(Value).optional() })
const Data = z.object({ name: z.string(), options: z.array(Option).default([]) })

/** What was chosen and filled in, and which option is being typed. */
export function readChosen(data: unknown): (Chosen & { focused: string | null }) | null {
  const parsed = Data.safeParse(data).data
  if (parsed === undefined) return null
  const { name, options } = parsed
  const [first] = options
  const sub = first !== undefined && first.value === undefined ? first.name : null
  const given = sub === null ? options : (first?.options ?? [])
  const values = Object.fromEntries(given.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
  return { name, sub, values, focused: given.find(({ focused }) => focused)?.name ?? null }
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
    return [`--${own} ${/[\s"'“”‘’「」『』]/.test(String(value)) ? quoted(String(value)) : value}`]
  })
  const names = form?.takes?.map((argument) => argument.name) ?? ['line']
  const words = names.flatMap((own) => {
    const isOption = form?.options?.some((one) => one.name === own)
    const value = values[own]
    // Free text that could be taken for options or a quote is quoted as a whole.
    return value === undefined || isOption ? [] : [quoteIfNeeded(String(value).replace(/\s+/g, ' ').trim())]
  })
  return [`/${name}`, ...(sub === null ? [] : [sub]), ...words, ...options].join(' ')
}
