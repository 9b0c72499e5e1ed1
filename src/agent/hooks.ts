import type { ChannelAddress } from './domain/conversation.ts'
import { cut } from './domain/cut.ts'
import { deriveId } from './domain/id.ts'
import type { Condition, Schedule, Arrival as Waiting } from './domain/schedule.ts'
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

/** Something that came about in a place of a chat platform, or in a folder (C780). */
export interface Happening {
  workspace: string
  /** Null: rules of any channel mean it. */
  channel: string | null
  /** Names by which a rule may mean it. */
  sources: readonly string[]
  at: number
  /** True if a bot said it, which may be an answer to Clew (C783). */
  byBot?: boolean
}

/** Name and data of a happening; `thread`: the one of its message (C784). */
export interface HappeningDetails {
  id: string
  thread?: string
  data: object
}

export interface HookDeps {
  store: Pick<Store, 'events' | 'notes' | 'rates' | 'runs' | 'conversations'>
  /** Its writes wake the worker of the alarms. */
  schedules: Pick<Store['schedules'], 'update'>
  clock: Pick<Clock, 'now'>
}

/** Time for which the same body without a name is the same event, in ms. */
const sameMs = 60 * 60_000
/** Lifetime of an event's data until its run begins, in ms: no worker may be there meanwhile. */
const keptMs = 3 * 24 * 60 * 60_000

/**
 * Deepest value that is read, longest text in it that a task sees, and longest data, in characters.
 */
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
      const { seen, data } = read(delivery.data, delivery.kind)
      let tasks = 0
      let passed = 0
      for (const rule of await rulesOf(deps, source)) {
        if (!meets(rule.match, seen)) {
          await deps.store.events.pass(rule.workspace, rule.scope, rule.schedule.id)
          passed += 1
          continue
        }
        const key = keyOf(rule, id)
        if (!(await isInRate(deps, rule, key, source.perMinute))) return null
        if (!(await store(deps, rule, { key, data, at: deps.clock.now() }))) return null
        tasks += 1
      }
      return { tasks, passed }
    },
    /**
     * Takes what happens in the team's own places (C780). Resolves once every rule that it matches
     * has it stored, once. A rule takes no more than so many in a minute; its ledger says which it
     * left.
     *
     * @param tell reads what happened, only if some rule may mean it; null: it starts nothing.
     * @returns the number of tasks that it starts.
     */
    async happened(what: Happening, tell: () => Promise<HappeningDetails | null>): Promise<number> {
      const rules = (await deps.store.events.list(what.workspace)).flatMap((rule) =>
        isMeant(rule.schedule, what) ? withMatch(rule, what.workspace) : [],
      )
      const told = rules.length === 0 ? null : await tell()
      if (told === null) return 0
      const { seen, data } = read(told.data, null)
      let tasks = 0
      for (const rule of rules) {
        if (!meets(rule.match, seen)) {
          await deps.store.events.pass(rule.workspace, rule.scope, rule.schedule.id)
          continue
        }
        const key = keyOf(rule, told.id)
        const skip = await whySkipped(deps, rule, key, what)
        const event = { key, data, at: deps.clock.now(), thread: told.thread, skip }
        if (!(await store(deps, rule, event)))
          await deps.store.events.pass(rule.workspace, rule.scope, rule.schedule.id)
        else if (skip === undefined) tasks += 1
      }
      return tasks
    },
  }
}

/** Data as conditions see it, and as a task does. */
function read(given: unknown, kind: string | null) {
  const plain = pruned(given, Number.POSITIVE_INFINITY)
  const data = cut(JSON.stringify(withKind(pruned(plain, textMost), kind)), dataMost)
  return { seen: withKind(plain, kind), data }
}

/** True for a rule of this source in this place that was there when it happened. */
const isMeant = ({ when, place, createdAt }: Schedule, what: Happening) =>
  when.kind === 'event' &&
  what.sources.includes(when.source) &&
  (what.channel === null || place.channel === what.channel) &&
  createdAt <= what.at

/** Happenings in a minute that one rule takes. */
const perMinute = 30
/** Time after Clew's own words in which a bot's may be an answer to them, in ms. */
const mayAnswerMs = 60_000

/** Reason for which a happening starts nothing; undefined: none. */
async function whySkipped(
  deps: HookDeps,
  rule: Rule,
  key: string,
  { byBot = false }: Happening,
): Promise<Waiting['skip']> {
  if (byBot && (await hasJustSpoken(deps, rule))) return 'may_answer'
  return (await isInRate(deps, rule, key, perMinute)) ? undefined : 'too_many'
}

/** C783: bots that answer one another would never end. */
async function hasJustSpoken({ store, clock }: HookDeps, { workspace, schedule }: Rule) {
  const { lastRunId } = schedule
  const last = lastRunId === null ? null : await store.runs.state(workspace, lastRunId)
  if (last === null) return false
  const { conversationId, endedAt } = last.run
  const thread =
    conversationId === null || endedAt !== null
      ? null
      : await store.conversations.state(workspace, conversationId, 0)
  const spoke = endedAt ?? thread?.conversation.updatedAt ?? 0
  return clock.now() - spoke < mayAnswerMs
}

type Rule = EventRule & { workspace: string; source: string; match: readonly Condition[] }

/** Rules of this source, in the places that may use it. */
async function rulesOf({ store }: HookDeps, { name, channels }: EventSource): Promise<Rule[]> {
  const workspaces = [...new Set(channels.map(({ workspace }) => workspace))]
  const lists = workspaces.map(async (workspace) =>
    (await store.events.list(workspace)).flatMap((rule) => {
      const { when, place } = rule.schedule
      const isTheirs = when.kind === 'event' && when.source === name
      const mayBe = isAmong(channels, { workspace, channel: place.channel })
      return isTheirs && mayBe ? withMatch(rule, workspace) : []
    }),
  )
  return (await Promise.all(lists)).flat()
}

const withMatch = (rule: EventRule, workspace: string): Rule[] =>
  rule.schedule.when.kind === 'event'
    ? [{ ...rule, workspace, source: rule.schedule.when.source, match: rule.schedule.when.match }]
    : []

export const isAmong = (
  places: readonly ChannelAddress[],
  { workspace, channel }: ChannelAddress,
): boolean => places.some((one) => one.workspace === workspace && one.channel === channel)

const keyOf = ({ workspace, scope, schedule: { id }, source }: Rule, event: string) =>
  deriveId('n', 'event', workspace, scope, String(id), source, event)

const isInRate = (
  { store: { rates }, clock }: HookDeps,
  { workspace, scope, schedule: { id } }: Rule,
  key: string,
  most: number,
) => rates.take({ workspace, who: `rule ${scope} ${id}`, key, at: clock.now(), perMinute: most })

/** False: too many wait, and this one is not stored. */
async function store(
  { store: { notes }, schedules }: HookDeps,
  { workspace, scope, schedule: { id } }: Rule,
  { data, ...arrival }: Waiting & { data: string },
): Promise<boolean> {
  await notes.put(workspace, eventNote(arrival.key), data, keptMs)
  let isFull = false
  const take = (one: Schedule): Schedule | null => {
    const next = arrived(one, arrival)
    isFull = next === null
    return next
  }
  // The store knows the key for a month: a delivery that comes again changes nothing (C641).
  await schedules.update(workspace, scope, arrival.key, id, take)
  return !isFull
}

const bodyName = (deps: HookDeps, { name, channels }: EventSource, body: string) =>
  firstOf(deps, channels[0]?.workspace ?? '', deriveId('n', name, body))

/**
 * Names a body by itself and by when it first came within the hour. The store's clock may be
 * another one, so a claim that is older by this one's is followed by a claim of its own.
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
const isNoise = (name: string) =>
  (name.endsWith('_url') && name !== 'html_url') || name === 'node_id' || name === '_links'
