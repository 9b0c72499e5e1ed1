import { z } from 'zod'

/** Something that is kept of what one person said, or that they made (C117). */
export const Kept = z.object({
  kind: z.enum([
    'message',
    'overheard',
    'answer',
    'task',
    'file',
    'fact',
    'todo',
    'schedule',
    'usage',
    'quiet',
    'approval',
    'sign_in',
  ]),
  /** When it was said or made, in milliseconds since the epoch; null: the row does not say. */
  at: z.number().nullable(),
  conversationId: z.string().nullable(),
  text: z.string(),
  /** Input of a task, with its result below; for a day of use, its figures. */
  input: z.record(z.string(), z.unknown()).optional(),
  result: z.string().nullable().optional(),
  /**
   * `work`: work goes on with it, and it is erased when that has ended. `name`: it is the team's,
   * and loses only its author.
   */
  stays: z.enum(['work', 'name']).optional(),
})
export type Kept = z.infer<typeof Kept>

/** Numbers of what went from one person to another; `own`: rows of their own lists, which stay. */
export interface Owned {
  task: number
  schedule: number
  /** Open approvals, and questions to them. */
  approval: number
  todo: number
  own: number
}

/** All that is kept of one person in one workspace, oldest first. */
export const PrivacyExport = z.object({
  version: z.literal(1),
  workspace: z.string(),
  person: z.string(),
  at: z.number(),
  kept: z.array(Kept),
})
export type PrivacyExport = z.infer<typeof PrivacyExport>

/** Number of kept items of each kind. */
export const countsOf = (kept: readonly Kept[]): Partial<Record<Kept['kind'], number>> =>
  Object.fromEntries(
    [...Map.groupBy(kept, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]),
  )

/** Stands where the name of an erased person stood. */
const nobody = { id: '', name: '?' }
/** Fields of a record that hold its author's own words. */
const said: readonly string[] = ['text', 'answer', 'edited']

/** The same value without a person's name and without what they said in it (C118). */
export function withoutPerson(value: unknown, person: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutPerson(one, person))
  if (!isRecord(value)) return value
  if (value.id === person && typeof value.name === 'string') return nobody
  const isTheirs = isRecord(value.author) && value.author.id === person
  const isAsked = isRecord(value.owner) && value.owner.id === person
  const without = ([name, part]: [string, unknown]): [string, unknown] => {
    if (isTheirs && said.includes(name) && typeof part === 'string') return [name, '']
    if (name === 'approvers' && Array.isArray(part))
      return [name, part.filter((one) => one !== person)]
    return [name, isAsked && name === 'askedOf' ? null : withoutPerson(part, person)]
  }
  return Object.fromEntries(Object.entries(value).map(without))
}

/** Images that people attached, by id; only those of one person where their name is given. */
export function imagesIn(value: unknown, person: string | null): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => imagesIn(one, person))
  if (!isRecord(value)) return []
  if (typeof value.id === 'string' && String(value.type).startsWith('image/'))
    return person === null ? [value.id] : []
  const isTheirs = person === null || (isRecord(value.author) && value.author.id === person)
  return Object.values(value).flatMap((one) => imagesIn(one, isTheirs ? null : person))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
