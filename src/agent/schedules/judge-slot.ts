import { hasEnded, type RunStatus } from '../domain/run.ts'
import type { Schedule, Slot } from '../domain/schedule.ts'
import type { Missing } from '../ports/channel.ts'
import { reminderAfter, slotAfter } from './recurrence.ts'

/** A slot that is met within this time is on time. */
const lateAfterMs = 60_000
/** More missed slots in a row than this become one row that counts them. */
const rowsMost = 50
/** More than this are not even counted. */
const countedMost = 2_000

/** Why a run of the schedule may not start now: its last one still goes on (F13). */
type Busy = 'still_running' | 'still_asking' | null

/** @param status of its last run; null: there was none. */
export function busyWith(status: RunStatus | null): Busy {
  if (status === null || hasEnded(status)) return null
  return status === 'awaiting_clarification' ? 'still_asking' : 'still_running'
}

/** Actions for a schedule whose alarm went off. */
export interface Verdict {
  after: Schedule
  slots: Slot[]
  /** The slot that starts work now, or the key of an event or of a person's "run now". */
  start: { slot: number; key: string }[]
  /** The slot to remind of now. */
  remindOf: number | null
}

/**
 * The misfire rule (P10), pure. Every due slot gets one row. Of several that are due at once,
 * because Clew was away or a clock was put forward, only the latest starts work, once, and the
 * others are missed. None starts while the last run of the same schedule still goes on, or while
 * the schedule is paused.
 *
 * @param missing what it stands on and is gone: it is paused, and not even a person's "run now"
 *   starts it (C378).
 */
export function judge(given: Schedule, now: number, busy: Busy, missing?: Missing): Verdict {
  const schedule = missing === undefined ? given : { ...given, paused: true, gone: missing }
  const due = dueSlots(schedule, now)
  const reminder = dueReminder(schedule, now)
  const onTime = onTimeVerdict(schedule, due, now, busy)
  // One schedule's runs never overlap, not even one by hand with one on time.
  const held = onTime.start.length > 0 ? 'still_running' : busy
  const byHand = byHandVerdict(schedule, now, missing === undefined ? held : pauses[missing])
  const arrived = arrivedVerdict(schedule, now)
  const fired = schedule.fired + onTime.start.length + arrived.start.length
  const over = isUsedUp({ ...schedule, fired })
  return {
    after: {
      ...withoutOldPause(schedule),
      fired,
      nextAt: over ? null : due.next,
      lastAt:
        due.latest ?? schedule.lastAt ?? [...arrived.slots, ...byHand.slots].at(-1)?.at ?? null,
      remindAt: over ? null : reminder.next,
      asked: byHand.slots.length > 0 ? null : schedule.asked,
      arrivals: schedule.arrivals?.slice(arrived.slots.length),
    },
    slots: [...onTime.slots, ...arrived.slots, ...byHand.slots],
    start: [...onTime.start, ...arrived.start, ...byHand.start],
    remindOf: schedule.paused ? null : reminder.slot,
  }
}

/** Reasons of a pause that nobody asked for. */
const pauses = { place: 'gone', owner: 'owner_gone' } as const
type Pause = 'paused' | (typeof pauses)[Missing]

/** Drops `gone` from a schedule that is no longer paused: its place and its owner are there. */
function withoutOldPause({ gone, ...schedule }: Schedule): Schedule {
  return schedule.paused && gone !== undefined ? { ...schedule, gone } : schedule
}

type Decided = Pick<Verdict, 'slots' | 'start'>
const nothingDue: Decided = { slots: [], start: [] }

function onTimeVerdict({ paused, gone }: Schedule, due: Due, now: number, busy: Busy): Decided {
  const { latest } = due
  if (latest === null) return nothingDue
  const pausedBy: Pause = gone === undefined ? 'paused' : pauses[gone]
  const missed = missedRows(due, paused ? pausedBy : null, now)
  const held = paused ? pausedBy : busy
  if (held !== null) return { slots: [...missed, row(now, latest, 'skipped', held)], start: [] }
  const late = now - latest > lateAfterMs
  const fired = row(now, latest, late ? 'late' : 'fired', late ? 'away' : null)
  return { slots: [...missed, fired], start: [{ slot: latest, key: String(latest) }] }
}

/**
 * Each event that waits starts a run of its own, also beside one that goes on (C640). A note says
 * its words once at a time.
 */
function arrivedVerdict({ arrivals = [], paused, gone, work }: Schedule, now: number): Decided {
  const taken = arrivals.slice(0, work === 'note' ? 1 : arrivals.length)
  const pausedBy: Pause = gone === undefined ? 'paused' : pauses[gone]
  if (paused) return { slots: taken.map(({ at }) => row(now, at, 'skipped', pausedBy)), start: [] }
  return {
    slots: taken.map(({ at, skip }) => {
      if (skip !== undefined) return row(now, at, 'skipped', skip)
      return now - at > lateAfterMs ? row(now, at, 'late', 'away') : row(now, at, 'fired', 'event')
    }),
    start: taken.filter(({ skip }) => skip === undefined).map(({ at, key }) => ({ slot: at, key })),
  }
}

function byHandVerdict(
  { asked }: Schedule,
  now: number,
  held: Busy | (typeof pauses)[Missing],
): Decided {
  if (asked === null || asked.at > now) return nothingDue
  if (held !== null) return { slots: [row(now, asked.at, 'skipped', held)], start: [] }
  return {
    slots: [row(now, asked.at, 'fired', 'by_hand')],
    start: [{ slot: asked.at, key: asked.key }],
  }
}

const row = (
  decidedAt: number,
  at: number,
  outcome: Slot['outcome'],
  reason: Slot['reason'],
): Slot => ({
  at,
  outcome,
  reason,
  runId: null,
  decidedAt,
})

interface Due {
  missed: number[]
  /** Null count: more than anybody counts. */
  folded: { from: number; until: number; count: number | null } | null
  latest: number | null
  next: number | null
}

function dueSlots(schedule: Schedule, now: number): Due {
  const found: number[] = []
  let at = schedule.nextAt
  while (at !== null && at <= now && found.length < countedMost) {
    found.push(at)
    at = slotAfter(schedule, at)
  }
  if (at !== null && at <= now) {
    const latest = latestUpTo(schedule, now, at)
    const from = found[0] ?? at
    return {
      missed: [],
      folded: { from, until: latest, count: null },
      latest,
      next: slotAfter(schedule, latest),
    }
  }
  const latest = found.pop() ?? null
  const folds = found.length > rowsMost
  const folded = folds
    ? { from: found[0] ?? 0, until: found.at(-1) ?? 0, count: found.length }
    : null
  return { missed: folds ? [] : found, folded, latest, next: at }
}

/** The latest slot that is due, without walking through all of them. */
function latestUpTo(schedule: Schedule, now: number, known: number): number {
  let at: number | null = null
  for (let window = 60_000; at === null && now - window > known; window *= 4) {
    const found = slotAfter(schedule, now - window)
    if (found !== null && found <= now) at = found
  }
  let latest = at ?? known
  for (
    let next: number | null = latest;
    next !== null && next <= now;
    next = slotAfter(schedule, next)
  )
    latest = next
  return latest
}

function missedRows({ missed, folded }: Due, paused: Pause | null, now: number): Slot[] {
  const one = (at: number) =>
    row(now, at, paused === null ? 'missed' : 'skipped', paused ?? 'caught_up')
  if (folded === null) return missed.map(one)
  return [{ ...one(folded.from), until: folded.until, count: folded.count }]
}

/** Picks the latest of several reminders that are due: only that one is worth a message. */
function dueReminder(
  schedule: Schedule,
  now: number,
): { slot: number | null; next: number | null } {
  const { remindAt } = schedule
  if (remindAt === null || remindAt > now) return { slot: null, next: remindAt }
  const due = reminderAfter(schedule, remindAt - 1)
  let latest = due
  let next = reminderAfter(schedule, remindAt)
  for (let seen = 0; next !== null && next.at <= now && seen < countedMost; seen += 1) {
    latest = next
    next = reminderAfter(schedule, next.at)
  }
  return {
    slot: latest?.slot ?? null,
    next: next === null || next.at <= now ? (reminderAfter(schedule, now)?.at ?? null) : next.at,
  }
}

/**
 * A schedule's next slot and reminder, worked out again after somebody changed it. What is over
 * stays over.
 */
export function planned(schedule: Schedule, now: number): Schedule {
  const after = Math.max(now, schedule.lastAt ?? 0)
  if (isUsedUp(schedule)) return { ...schedule, nextAt: null, remindAt: null }
  return {
    ...schedule,
    nextAt: slotAfter(schedule, after),
    remindAt: reminderAfter(schedule, now)?.at ?? null,
  }
}

/** F13: a rule that may fire so many times has done so. */
const isUsedUp = ({ when, fired }: Schedule) =>
  when.kind === 'cron' && when.times !== -1 && fired >= when.times
