import type { ChannelAddress } from './domain/conversation.ts'
import { cut } from './domain/cut.ts'
import { deriveId } from './domain/id.ts'
import type { Condition, Schedule } from './domain/schedule.ts'
import type { Clock } from './ports/clock.ts'
import type { EventRule, Store } from './ports/store.ts'
import { arrived, eventNote } from './schedules/arrivals.ts'
import { meets } from './schedules/meets.ts'

/** A service outside whose events may start work, by rules that people make (C640). */
export interface EventSource {
  name: string
  /** Places in which rules may use it: its data is shown there and nowhere else (S67). */
  channels: readonly ChannelAddress[]
  /** Events in a minute that one rule takes. */
  perMinute: number
}

/** Delivery of an event whose sender is known. */
export interface EventDelivery {
  /** The sender's own name of it; null: the same body within an hour is the same event. */
  id: string | null
  /** Kind of event where a header says it; conditions read it as `event`. */
  kind: string | null
  body: string
  data: unknown
}

/** Number of tasks that it starts and of rules that it did not match; null: too many came. */
export type Arrival = { tasks: number; passed: number } | null

export interface HookDeps {
  store: { events: Store['events']; notes: Store['notes']; rates: Store['rates'] }
  /** Its writes wake the worker of the alarms. */
  schedules: Pick<Store['schedules'], 'update'>
  clock: Pick<Clock, 'now'>
}

/** Time for which the same body without a name is the same event, in ms. */
const sameMs = 60 * 60_000
/** Lifetime of an event's data until its run begins, in ms: no worker may be there meanwhile. */
const keptMs = 3 * 24 * 60 * 60_000

/** Deepest value that is read, longest text in it that a task sees, and longest data, in characters. */
const deepest = 32
const textMost = 2_000
const dataMost = 12_000

export type Hooks = ReturnType<typeof createHooks>

/**
 * The way in for events (C640). Resolves once every rule that an event matches has it stored, each
 * once, however often it is delivered; before that, the sender has to send it again.
 */
export function createHooks(deps: HookDeps) {
  return {
    async arrive(source: EventSource, delivery: EventDelivery): Promise<Arrival> {
      const id = delivery.id ?? (await bodyName(deps, source, delivery.body))
      const plain = pruned(delivery.data, Number.POSITIVE_INFINITY)
      const seen = withKind(plain, delivery.kind)
      const data = cut(JSON.stringify(withKind(pruned(plain, textMost), delivery.kind)), dataMost)
      let tasks = 0
      let passed = 0
      for (const rule of await rulesOf(deps, source)) {
        if (!meets(rule.match, seen)) {
          await deps.store.events.pass(rule.workspace, rule.scope, rule.schedule.id)
          passed += 1
        } else if (await store(deps, source, rule, { id, data })) tasks += 1
        else return null
      }
      return { tasks, passed }
    },
  }
}

type Rule = EventRule & { workspace: string; match: readonly Condition[] }

/** Rules of this source, in the places that may use it. */
async function rulesOf({ store }: HookDeps, { name, channels }: EventSource): Promise<Rule[]> {
  const workspaces = [...new Set(channels.map(({ workspace }) => workspace))]
  const lists = workspaces.map(async (workspace) =>
    (await store.events.list(workspace)).flatMap((rule): Rule[] => {
      const { when, place } = rule.schedule
      const isTheirs = when.kind === 'event' && when.source === name
      const mayBe = isAmong(channels, { workspace, channel: place.channel })
      return isTheirs && mayBe ? [{ ...rule, workspace, match: when.match }] : []
    }),
  )
  return (await Promise.all(lists)).flat()
}

export const isAmong = (
  places: readonly ChannelAddress[],
  { workspace, channel }: ChannelAddress,
): boolean => places.some((one) => one.workspace === workspace && one.channel === channel)

/** False: too many wait or came in this minute, and this one is not stored. */
async function store(
  { store: { notes, rates }, schedules, clock }: HookDeps,
  { name, perMinute }: EventSource,
  { workspace, scope, schedule: { id } }: Rule,
  event: { id: string; data: string },
): Promise<boolean> {
  const now = clock.now()
  const key = deriveId('n', 'event', workspace, scope, String(id), name, event.id)
  const who = `rule ${scope} ${id}`
  if (!(await rates.take({ workspace, who, key, at: now, perMinute }))) return false
  await notes.put(workspace, eventNote(key), event.data, keptMs)
  let isFull = false
  const take = (one: Schedule): Schedule | null => {
    const next = arrived(one, key, now)
    isFull = next === null
    return next
  }
  // The store knows the key for a month: a delivery that comes again changes nothing (C641).
  await schedules.update(workspace, scope, key, id, take)
  return !isFull
}

const bodyName = (deps: HookDeps, { name, channels }: EventSource, body: string) =>
  firstOf(deps, channels[0]?.workspace ?? '', deriveId('n', name, body))

/**
 * Names a body by itself and by when it first came within the hour. The store's clock may be another
 * one, so a claim that is older by this one's is followed by a claim of its own.
 */
async function firstOf(deps: HookDeps, workspace: string, name: string): Promise<string> {
  const { notes } = deps.store
  const now = deps.clock.now()
  const note = eventNote(`body ${name}`)
  if (await notes.claim(workspace, note, sameMs, String(now))) return `${name} ${now}`
  const first = Number((await notes.get(workspace, note)) ?? now)
  const next = `${name} ${first}`
  return now - first < sameMs ? next : await firstOf(deps, workspace, next)
}

/** Adds the kind of event that a header names, unless the data has such a field. */
const withKind = (data: unknown, kind: string | null): unknown =>
  kind === null || typeof data !== 'object' || data === null || Array.isArray(data)
    ? data
    : { event: kind, ...data }

/** Drops what is too deep, addresses of APIs, and the ends of long texts. */
function pruned(value: unknown, longest: number, depth = 0): unknown {
  if (typeof value === 'string') return value.length > longest ? cut(value, longest) : value
  if (typeof value !== 'object' || value === null) return value
  if (depth === deepest) return null
  if (Array.isArray(value)) return value.map((one) => pruned(one, longest, depth + 1))
  const fields = Object.entries(value).filter(([name]) => !isNoise(name))
  return Object.fromEntries(fields.map(([name, one]) => [name, pruned(one, longest, depth + 1)]))
}

/** Most of what GitHub sends is addresses of its API, which say nothing that the rest does not. */
const isNoise = (name: string): boolean =>
  (name.endsWith('_url') && name !== 'html_url') || name === 'node_id' || name === '_links'
