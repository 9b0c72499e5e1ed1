import { z } from 'zod'
import { RunSpent } from './forecast.ts'
import { Author } from './message.ts'
import { strategyNames } from './task.ts'
import { variant } from './variant.ts'

/** First and last instant at which a rule is due (C315). Absent: without end. */
const limits = { starting: z.number().optional(), until: z.number().optional() }

/** Test of a value in an event's data: it is, contains or matches one of `values` (C642). */
export const Condition = z.object({
  /** Names from the outside in, with dots between; a list stands for each of its entries. */
  path: z.string(),
  test: z.enum(['is', 'contains', 'matches']),
  values: z.array(z.string()),
})
export type Condition = z.infer<typeof Condition>

/**
 * When a schedule is due. Instants are milliseconds since the epoch, UTC; clocks are read in the
 * schedule's own zone.
 */
export const When = z.discriminatedUnion('kind', [
  variant('once', { at: z.number() }),
  /** Every so many minutes from `start`, `times` times in all; -1 is endless (F9). */
  variant('every', {
    start: z.number(),
    minutes: z.int().positive(),
    times: z.int(),
    ...limits,
  }),
  /**
   * Five cron fields, several of them between ` | `, or a nickname such as `@daily`; at most
   * `times` runs, -1 is endless (F13).
   */
  variant('cron', {
    expression: z.string(),
    times: z.int(),
    ...limits,
  }),
  /**
   * At each event of this source, outside or in the place itself, that meets all conditions (C640,
   * C780).
   */
  variant('event', { source: z.string(), match: z.array(Condition) }),
])
export type When = z.infer<typeof When>

/** Where its runs and reminders show up, and in which language and zone. */
export const Destination = z.object({
  channel: z.string(),
  /** Null: each run opens a thread of its own (R122, R147). */
  conversationId: z.string().nullable(),
  locale: z.string(),
  timeZone: z.string(),
  /**
   * The platform's thread of the message that began the work, which its first words open (C784).
   */
  thread: z.string().optional(),
})
export type Destination = z.infer<typeof Destination>

/**
 * F24: rule for tools that change something and that a schedule was not allowed by name.
 * `safe`: its runs do not have them. `ask`: a person approves every call. `auto`: its runs use
 * them.
 */
export const ScheduleMode = z.enum(['safe', 'ask', 'auto'])
export type ScheduleMode = z.infer<typeof ScheduleMode>

/** Strategies that the runs of a schedule can have. */
export const runStrategies = [...strategyNames, 'coding'] as const
export type RunStrategy = (typeof runStrategies)[number]

/** Reasons for which an event starts nothing: too many came, or a bot may have answered Clew. */
const skips = ['too_many', 'may_answer'] as const

/** Event that waits to start a run; its data is kept apart. */
export const Arrival = z.object({
  key: z.string(),
  at: z.number(),
  /** Thread of the message that it was (C784). */
  thread: z.string().optional(),
  skip: z.enum(skips).optional(),
})
export type Arrival = z.infer<typeof Arrival>

/** Work or a note that starts by itself. `id` counts per scope from 1 (C45). */
export const Schedule = z.object({
  version: z.literal(1),
  id: z.int().positive(),
  /** Work to be done: the goal of its runs, or the words of its note. */
  title: z.string(),
  /** A note starts no run: its words are posted when it is due. */
  work: z.enum(['run', 'note']),
  when: When,
  durationMinutes: z.int().positive(),
  /** Milliseconds before the base event and before its repeats; null: no reminder (F12). */
  remind: z.object({ base: z.number().nullable(), repeat: z.number().nullable() }),
  place: Destination,
  /** The thread in which it was asked for; reminders go there. */
  askedIn: z.string().nullable(),
  createdBy: Author.nullable(),
  createdAt: z.number(),
  /** Tools with side effects that its runs may use (S4). */
  allow: z.array(z.string()),
  /** Absent: `safe`. */
  mode: ScheduleMode.optional(),
  /**
   * Person who gave `allow` and `mode`; absent: its creator. Both hold for its words as that person
   * left them (S48).
   */
  grantedBy: Author.optional(),
  /** Strategy of its runs; absent: as its title says, else as the settings say. */
  strategy: z.enum(runStrategies).optional(),
  /** Its runs end without a word when there is nothing that people should hear of (F13). */
  quiet: z.boolean().optional(),
  /** Its reports call who made it by a mention (C492). */
  ping: z.boolean().optional(),
  paused: z.boolean(),
  /** It was paused since its place was gone, or its owner (C377, C378). */
  gone: z.enum(['place', 'owner']).optional().catch('place'),
  /** False hides the repeats and keeps the base event (F10). */
  repeats: z.boolean(),
  /** The next slot; null when there is none any more. */
  nextAt: z.number().nullable(),
  /** The next reminder; null when there is none. */
  remindAt: z.number().nullable(),
  /**
   * The newest slot that was dealt with: none before it is ever looked at again, whatever the clock
   * does.
   */
  lastAt: z.number().nullable(),
  lastRunId: z.string().nullable(),
  /** Runs that it has started on time or late. */
  fired: z.int(),
  /**
   * What its newest runs took, oldest first; the last one's comes with the next (C735). Absent:
   * none is known.
   */
  past: z.array(z.object({ runId: z.string(), ...RunSpent.shape })).optional(),
  /** Events that wait to start its runs, oldest first (C640). */
  arrivals: z.array(Arrival).optional(),
  /** Somebody pressed "run now"; the key names that gesture. */
  asked: z
    .object({
      key: z.string(),
      at: z.number(),
      /** That somebody allowed it nothing: a person approves every change (S52). */
      asks: z.boolean().optional(),
    })
    .nullable(),
})
export type Schedule = z.infer<typeof Schedule>

/** Outcome of a due slot and the reason (P10). Every slot has a row. */
export const Slot = z.object({
  at: z.number(),
  outcome: z.enum(['fired', 'late', 'missed', 'skipped']),
  reason: z
    .enum([
      ...['by_hand', 'away', 'caught_up', 'still_running', 'still_asking', 'paused'],
      ...['gone', 'owner_gone', 'event'],
      ...skips,
    ] as const)
    .nullable(),
  runId: z.string().nullable(),
  /** When this was decided. */
  decidedAt: z.number(),
  /** Last slot and number of slots in a row that stands for several; `null`: too many to count. */
  until: z.number().optional(),
  count: z.int().nullable().optional(),
})
export type Slot = z.infer<typeof Slot>

/** The next instant at which something has to be done for it; null when nothing ever has. */
export function alarmOf({
  nextAt,
  remindAt,
  asked,
  arrivals,
}: Pick<Schedule, 'nextAt' | 'remindAt' | 'asked' | 'arrivals'>): number | null {
  const due = [nextAt, remindAt, asked?.at ?? null, arrivals?.[0]?.at ?? null].filter(
    (at) => at !== null,
  )
  return due.length === 0 ? null : Math.min(...due)
}

/** The same without what somebody allowed it, whose word holds no more (S48). */
export function withoutGrant({ mode, grantedBy: _, ...schedule }: Schedule): Schedule {
  const bare = { ...schedule, allow: [] }
  return mode === undefined || mode === 'auto' ? bare : { ...bare, mode }
}

/**
 * The same as another person's; it goes on where it waited for an owner. What was allowed stays by
 * the word of who allowed it (S48).
 */
export function scheduleFor({ gone, ...schedule }: Schedule, to: Author): Schedule {
  const { createdBy, grantedBy = createdBy } = schedule
  const granted = grantedBy === null ? {} : { grantedBy }
  const goesOn = gone === 'owner'
  return {
    ...schedule,
    ...granted,
    createdBy: to,
    paused: schedule.paused && !goesOn,
    ...(goesOn || gone === undefined ? {} : { gone }),
  }
}
