import { titleFrom } from '../domain/conversation.ts'
import { forecastOf } from '../domain/forecast.ts'
import { deriveId } from '../domain/id.ts'
import type { Run } from '../domain/run.ts'
import type { Destination, Schedule } from '../domain/schedule.ts'
import type { Allowed, Words } from '../domain/words.ts'
import type { Times } from '../domain/zone.ts'
import { newRun } from '../kernel/create-run.ts'
import { askedTime } from './asked-time.ts'
import { quietGoal } from './nothing-to-report.ts'

/** A schedule whose alarm went off. */
export interface Firing {
  workspace: string
  scope: string
  schedule: Schedule
  now: number
  /** Form of instants in messages about it. */
  times: Times
  /** Data of the events that wait, by their keys. */
  events?: ReadonlyMap<string, string>
}

/**
 * Id of the run for a slot of a schedule: the same one, however often and by however many it is
 * started (P10).
 */
const slotRunId = ({ workspace, scope, schedule }: Firing, key: string) =>
  deriveId('r', 'schedule', workspace, scope, String(schedule.id), key)

/** Words of a schedule, by which its work starts (C284). */
export const bySchedule: Words = { way: 'schedule', by: 'member' }

/** C784: what a message began is said in that message's thread, unless the schedule has its own. */
export function placeFor({ place, arrivals = [] }: Schedule, key: string): Destination {
  const thread = arrivals.find((one) => one.key === key)?.thread
  return thread === undefined || place.conversationId !== null ? place : { ...place, thread }
}

/** R122: unattended work; it has no conversation unless the schedule names one. */
export function scheduledRun(
  firing: Firing,
  { slot, key }: { slot: number; key: string },
  _: Allowed<'start'>,
): Run {
  const { workspace, scope, schedule, now, events } = firing
  const { id, title, quiet, ping, when, createdBy, strategy, asked } = schedule
  const place = placeFor(schedule, key)
  const askedFor = askedTime(when, slot)
  const asks = asked?.asks === true && asked.key === key
  const { allow, mode } = asks ? { allow: [], mode: 'ask' as const } : schedule
  const goal = quiet ? quietGoal(title) : title
  const text = events?.get(key)
  const event =
    when.kind === 'event' && text !== undefined ? { source: when.source, text } : undefined
  return newRun({
    id: slotRunId(firing, key),
    workspace,
    conversationId: place.conversationId,
    channel: place.channel,
    type: strategy === 'coding' ? 'coding' : 'agent_task',
    title: titleFrom(title),
    input: strategy === undefined || strategy === 'coding' ? { goal } : { goal, strategy },
    requestedBy: null,
    requestId: `schedule:${scope}:${id}:${key}`,
    createdAt: now,
    event,
    forecast: forecastOf(schedule.past ?? []) ?? undefined,
    schedule: {
      scope,
      id,
      slot,
      allow,
      place,
      createdBy,
      mode,
      quiet: quiet || undefined,
      ping: ping || undefined,
      askedFor: ping ? askedFor : undefined,
    },
  })
}
