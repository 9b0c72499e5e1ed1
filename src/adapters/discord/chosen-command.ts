import { z } from 'zod'
import type { CommandChoice } from '../channel-kit/chosen-command.ts'

const Value = z.object({
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  focused: z.boolean().optional(),
})
const Option = Value.extend({ options: z.array(Value).optional() })
const Data = z.object({ name: z.string(), options: z.array(Option).default([]) })

/** Parses a slash command with its options, and the name of the option that is being typed. */
export function readChosen(data: unknown): (CommandChoice & { focused: string | null }) | null {
  const parsed = Data.safeParse(data).data
  if (parsed === undefined) return null
  const { name, options } = parsed
  const [first] = options
  const sub = first !== undefined && first.value === undefined ? first.name : null
  const given = sub === null ? options : (first?.options ?? [])
  const values = Object.fromEntries(
    given.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  )
  return { name, sub, values, focused: given.find(({ focused }) => focused)?.name ?? null }
}
