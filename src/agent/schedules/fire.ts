import { pastMost } from '../domain/forecast.ts'
import type { Run } from '../domain/run.ts'
import type { Schedule } from '../domain/schedule.ts'
import { allowed } from '../domain/words.ts'
import type { TimesIn } from '../domain/zone.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { type Beginning, createRuns } from '../kernel/create-run.ts'
import { type Idle, idle, untilIdle } from '../kernel/idle.ts'
import { type AsideOptions, isAway } from '../kernel/set-aside.ts'
import { type VerbDeps, verb, type Work } from '../kernel/verb.ts'
import type { Missing } from '../ports/channel.ts'
import type { Alarm, Rang, Store } from '../ports/store.ts'
import type { Item } from '../ports/wakeups.ts'
import { eventNote } from './arrivals.ts'
import { busyWith, judge } from './judge-slot.ts'
import { createMissingOf, type MissingDeps, type MissingOf } from './missing.ts'
import {
  asideInWords,
  goneInWords,
  noteOf,
  reminderOfSchedule,
  reminderOfTodo,
  type Speech,
  speak,
} from './reminders.ts'
import { bySchedule, type Firing, scheduledRun } from './scheduled-run.ts'

export interface FireDeps extends VerbDeps, Beginning, Pick<MissingDeps, 'channelOf'> {
  store: Pick<Store, 'alarms' | 'commits' | 'conversations' | 'notes'>
  timesIn: TimesIn
}

/** Alarms in one commit: enough to make a round trip cheap, few enough not to hold Redis up. */
const batch = 250

/** Rows are looked at again this often, whatever the queue has lost (P10). */
export const repairEveryMs = 30_000

/**
 * Works off a workspace's alarms under its one lease: schedules that are due start their runs,
 * reminders are said. What an alarm causes, the row of its slot and the next alarm are one commit,
 * guarded by the row as it was read; the run's id follows from the schedule and the slot. So a slot
 * fires once, however often and wherever it is looked at (P10, I7).
 */
export function createFire(deps: FireDeps): (item: Item, stop: AbortSignal) => Promise<void> {
  const missingOf = createMissingOf(deps)
  return async (item, stop) => {
    const begun: Run[] = []
    const later: Beginning = {
      freeSlots: () => deps.freeSlots() - begun.length,
      begin: (run) => void begun.push(run),
    }
    const fire = verb({ ...deps, ...later }, (work) =>
      untilIdle(work.signal, () => workOff({ ...deps, missingOf }, work)),
    )
    await fire(item, stop)
    // Everything that is due has its run before the first of them takes the processor for itself.
    for (const run of begun) deps.begin(run)
  }
}

/** Deals with what is due; answers until when to be idle where nothing is. */
async function workOff(
  deps: FireDeps & { missingOf: MissingOf },
  work: Work,
): Promise<Idle | null> {
  const { workspace } = work.lease.item
  const now = deps.clock.now()
  const { alarms, damaged, next, waiting } = await deps.store.alarms.due(work.lease, now, batch)
  const unreadable = damaged.filter(({ isNewer }) => !isNewer)
  const newer = damaged.length - unreadable.length
  if (newer > 0)
    deps.log.warn({ workspace, alarms: newer }, 'alarms of a newer Clew are due; upgrade this one')
  if (alarms.length === 0 && waiting === 0 && unreadable.length === 0)
    return next === null ? idle : { kind: 'wakeAt', at: next }
  for (const { name, row, problem } of unreadable)
    await work.setAside([{ list: 'alarms', id: name, row, problem }], {
      part: { silence: [name] },
      tell: lostIn(row),
    })
  const events = await eventsOf(deps.store.notes, workspace, alarms)
  const moment = { workspace, now, times: deps.timesIn(workspace), events }
  const missing = await deps.missingOf(workspace, alarms)
  const verdicts: Decided[] = []
  for (const alarm of alarms) {
    const decide = () => verdictOn(alarm, moment, missing.get(alarm.name))
    verdicts.push(...(await madeOf(deps, work, alarm, decide)))
  }
  const silent = verdicts.filter(({ words }) => words === null).map(({ change }) => change)
  // A conflict means that somebody changed a row meanwhile: it is still due, and is read again.
  await work.commit(mergeChanges({ consume: waiting }, ...silent), {
    at: now,
    may: ({ conversationId }) => conversationId === null,
  })
  for (const { alarm, change, words } of verdicts) {
    if (words === null) continue
    // Words go into one conversation each, and so does a commit.
    const said = await madeOf(deps, work, alarm, async () =>
      mergeChanges(change, await speak(deps.store.conversations, moment, words)),
    )
    for (const part of said) await work.commit(part, { at: now })
  }
  return null
}

/** Data of the events that these alarms are about, by their keys. */
async function eventsOf(
  notes: Pick<Store['notes'], 'get'>,
  workspace: string,
  alarms: readonly Alarm[],
): Promise<ReadonlyMap<string, string>> {
  const arrivals = alarms.flatMap((alarm) =>
    alarm.kind === 'schedule' ? (alarm.schedule.arrivals ?? []) : [],
  )
  const read = arrivals.map(async ({ key }) => {
    const text = await notes.get(workspace, eventNote(key))
    return [key, text ?? '(The data of this event is not kept any more.)'] as const
  })
  return new Map(await Promise.all(read))
}

/**
 * Returns what `make` makes of an alarm; nothing if it throws, and then the alarm is set aside
 * (P18).
 * It is tried once: what follows from a row and the time alone would fail the same way every time.
 * A commit that fails says nothing about the row.
 */
async function madeOf<T>(
  deps: FireDeps,
  work: Work,
  alarm: Alarm,
  make: () => Promise<T> | T,
): Promise<T[]> {
  const { workspace } = work.lease.item
  const { name, seal: row } = alarm
  const made = await work.attempt({ list: 'alarms', id: name, most: 1 }, make, async () => {
    const now = deps.clock.now()
    const words = async () =>
      await speak(deps.store.conversations, { workspace, now }, asideInWords(alarm, now))
    const part = await words().catch(nothingUnlessAway)
    return { row, part: mergeChanges({ silence: [name] }, part), tell: null }
  })
  return made === undefined ? [] : [made]
}

/** Not even the words that it was set aside can be made of it. */
function nothingUnlessAway(error: unknown): ChangePart {
  if (isAway(error)) throw error
  return {}
}

/** The thread that a row names which cannot be read otherwise. */
function lostIn(row: string): AsideOptions['tell'] {
  const conversationId = /"(?:conversationId|askedIn)":"(\w+)"/.exec(row)?.[1]
  return conversationId === undefined ? null : { conversationId, line: 'lost' }
}

interface Decided {
  alarm: Alarm
  change: ChangePart
  /** Message that is posted in the same commit. */
  words: Speech | null
}

type Moment = Pick<Firing, 'workspace' | 'now' | 'times' | 'events'>

function verdictOn(alarm: Alarm, moment: Moment, missing?: Missing): Decided {
  if (alarm.kind === 'schedule')
    return missing === undefined
      ? scheduleVerdict(alarm, moment)
      : goneVerdict(alarm, moment, missing)
  const { todo, scope } = alarm
  const rang: Rang = { kind: 'todo', alarm, after: { ...todo, reminded: todo.remindAt ?? 0 } }
  return { alarm, change: { rang: [rang] }, words: reminderOfTodo({ ...moment, scope, todo }) }
}

/** C378: nothing is begun; who made it is told once, or the place where they are gone. */
function goneVerdict(alarm: ScheduleAlarm, moment: Moment, missing: Missing): Decided {
  const { schedule, scope } = alarm
  const { after, slots } = judge(schedule, moment.now, busyWith(alarm.lastRun), missing)
  return {
    alarm,
    change: { rang: [{ kind: 'schedule', alarm, after, slots }] },
    words: schedule.paused ? null : goneInWords({ ...moment, scope, schedule }, missing),
  }
}

/** C735: what the last run took is kept with the schedule, in the commit that goes on from it. */
function withPast({ schedule, lastSpent }: ScheduleAlarm): Schedule {
  const { past = [], lastRunId: runId } = schedule
  if (lastSpent === null || runId === null || past.at(-1)?.runId === runId) return schedule
  return { ...schedule, past: [...past, { runId, ...lastSpent }].slice(-pastMost) }
}

type ScheduleAlarm = Extract<Alarm, { kind: 'schedule' }>

function scheduleVerdict(alarm: ScheduleAlarm, moment: Moment): Decided {
  const { scope } = alarm
  const schedule = withPast(alarm)
  const firing = { ...moment, scope, schedule }
  const { after, slots, start, remindOf } = judge(schedule, moment.now, busyWith(alarm.lastRun))
  const reminder = remindOf === null ? null : reminderOfSchedule(firing, remindOf)
  const [first] = schedule.work === 'note' ? start : []
  const note = first === undefined ? null : noteOf(firing, first)
  if (reminder !== null && note !== null) {
    // Two things to say are two commits: after the first the slot is still due.
    const reminded: Rang = {
      kind: 'schedule',
      alarm,
      after: { ...schedule, remindAt: after.remindAt },
      slots: [],
    }
    return { alarm, change: { rang: [reminded] }, words: reminder }
  }
  const may = schedule.work === 'run' ? allowed(bySchedule, 'start') : null
  const runs = may === null ? [] : start.map((one) => scheduledRun(firing, one, may))
  const runOf = (slot: number) => runs.find((run) => run.schedule?.slot === slot)?.id ?? null
  const rang: Rang = {
    kind: 'schedule',
    alarm,
    after: { ...after, lastRunId: runs.at(-1)?.id ?? schedule.lastRunId },
    slots: slots.map((slot) => ({ ...slot, runId: runOf(slot.at) })),
  }
  // Several conversations are in one commit here: each thread's plan stays what it is.
  return {
    alarm,
    change: { rang: [rang], ...createRuns(null, runs, moment.now) },
    words: reminder ?? note,
  }
}
