import type { TraceEvent } from '../domain/trace.ts'
import type { Change } from '../ports/store.ts'

/** A part of what one commit will hold. The commit itself adds its name and its instant. */
export type ChangePart = Partial<Fields>

type Fields = Required<Omit<Change, 'id' | 'at'>>
type Field = keyof Fields

/** Builds the trace of a run or conversation as part of the change that it describes. */
export const traced = (
  of: string,
  at: number,
  ...events: readonly TraceEvent[]
): { trace: Fields['trace'] } => ({
  trace: events.map((what) => ({ of, entry: { at, what } })),
})

/** Two parts of one commit say different things; a fault of the code that made them. */
export class ConflictingChange extends Error {
  readonly code = 'conflicting_change'
  constructor(field: string) {
    super(`the parts of one change disagree about ${field}`)
  }
}

/**
 * Puts the parts of one commit together, in whatever order they were made: lists are joined,
 * entries that are taken off the mailbox add up, what is said about the conversation becomes one
 * patch. All parts speak of one conversation.
 *
 * @throws ConflictingChange when two parts give one field different values.
 */
export function mergeChanges(...parts: readonly ChangePart[]): ChangePart {
  const whole: ChangePart = {}
  const said = new Set<string>()
  for (const part of parts) for (const field in part) said.add(field)
  for (const field of fields) if (said.has(field)) mergeField(whole, field, parts)
  return whole
}

function mergeField<F extends Field>(whole: ChangePart, field: F, parts: readonly ChangePart[]) {
  const values: Fields[F][] = []
  for (const part of parts) {
    const value: Fields[F] | undefined = part[field]
    if (value !== undefined) values.push(value)
  }
  const [first] = values
  if (first !== undefined)
    whole[field] = values.length === 1 ? first : mergers[field](values, field)
}

type Mergers = { [F in Field]: (values: readonly Fields[F][], field: F) => Fields[F] }

const joined = <T>(lists: readonly (readonly T[])[]): readonly T[] => lists.flat()

/** A field that only one part may decide, unless all say the same. */
function only<T>(values: readonly T[], field: string): T {
  return values.reduce((one, other) => {
    if (!isSame(one, other)) throw new ConflictingChange(field)
    return one
  })
}

/** A field that has one cause in a commit. */
function single(_: readonly unknown[], field: string): never {
  throw new ConflictingChange(field)
}

const isSame = (one: unknown, other: unknown) =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))

const mergers: Mergers = {
  consume: (counts) => counts.reduce((sum, count) => sum + count),
  drop: joined,
  silence: joined,
  aside: joined,
  expect: joined,
  conversation: (changes) => changes.reduce(conversationOf),
  conversationId: only,
  messages: joined,
  outcomes: (lists) => agreeing(lists.flat(), ({ messageId }) => `outcome of ${messageId}`),
  unsaid: joined,
  rewritten: joined,
  overheard: joined,
  ask: single,
  answered: single,
  dropQuestions: joined,
  create: (lists) => agreeing(lists.flat(), ({ id }) => `new run ${id}`),
  begins: single,
  hold: single,
  runs: runsOf,
  inputs: joined,
  task: single,
  deliveries: joined,
  progress: only,
  trace: joined,
  audit: joined,
  usage: single,
  ended: joined,
  warned: single,
  rang: joined,
  approvals: joined,
  approvalUses: joined,
}

const fields = Object.keys(mergers) as Field[]

/** Rows of one name have to be the same. */
function agreeing<T>(rows: readonly T[], nameOf: (row: T) => string): readonly T[] {
  for (const [name, same] of Map.groupBy(rows, nameOf)) only(same, name)
  return rows
}

/**
 * A part that opens the conversation and one that patches it are one opening: what it leaves empty,
 * the patch may fill.
 */
function conversationOf(
  one: Fields['conversation'],
  other: Fields['conversation'],
): Fields['conversation'] {
  if ('open' in one && 'open' in other) return only([one, other], 'conversation')
  if ('open' in other) return conversationOf(other, one)
  const { id, patch } = other
  only(['open' in one ? one.open.id : one.id, id], 'conversation.id')
  if ('patch' in one) return { id, patch: patchOf(one.patch, patch, 'conversation') }
  const filled = Object.fromEntries(Object.entries(one.open).filter(([, value]) => value !== null))
  patchOf(filled, patch, 'conversation')
  return { open: { ...one.open, ...patch } }
}

/** Patches of a run stay apart, in order, and may not contradict one another. */
function runsOf(lists: readonly Fields['runs'][]): Fields['runs'] {
  const runs = lists.flat()
  const known = new Map<string, object>()
  for (const { id, patch, ...more } of runs)
    known.set(id, patchOf(known.get(id) ?? {}, { ...patch, ...more }, `run ${id}`))
  return runs
}

function patchOf<T extends object>(one: T, other: T, name: string): T {
  for (const [key, value] of Object.entries(other)) {
    if (key in one) only([one[key as keyof T], value], `${name}.${key}`)
  }
  return { ...one, ...other }
}
