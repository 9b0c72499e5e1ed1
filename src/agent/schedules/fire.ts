import type { Run } from '../domain/run.ts'
import type { TraceEvent } from '../domain/trace.ts'
import type { Times } from '../domain/zone.ts'
import { asideTrace, isFault, problemOf } from '../kernel/aside.ts'
import { Fenced, type Hold, type LeaseDeps, leaseMs, type Rest, rest, withLease } from '../kernel/lease.ts'
import { together } from '../kernel/messages.ts'
import type { Alarm, Aside, Change, Lease, Rang, Store } from '../ports/store.ts'
import type { Item } from '../ports/wakeups.ts'
import { wakeFor } from '../turn.ts'
import { busyWith, judge } from './misfire.ts'
import { asideInWords, noteOf, reminderOfSchedule, reminderOfTodo } from './reminders.ts'
import { type Firing, scheduledRun } from './scheduled-run.ts'

export interface FireDeps extends LeaseDeps {
  store: Pick<Store, 'alarms' | 'commits' | 'conversations'>
  /** How a workspace's platform shows instants; absent: as clocks on a wall. */
  timesIn?(workspace: string): Times
  /** Runs that this process could begin at once. */
  places(): number
  /** Works on a run that was made and is held by this process. */
  begin(run: Run): void
}

/** Alarms in one commit: enough to make a round trip cheap, few enough not to hold Redis up. */
const batch = 250

/** Rows are looked at again this often, whatever the queue has lost (P10). */
export const repairEveryMs = 30_000

/**
 * Works off a workspace's alarms under its one lease: schedules that are due start their runs, reminders are said. What an
 * alarm causes, the row of its slot and the next alarm are one commit, guarded by the row as it was read; the run's id
 * follows from the schedule and the slot. So a slot fires once, however often and wherever it is looked at (P10, I7).
 */
export function createFire(deps: FireDeps): (item: Item, stop: AbortSignal) => Promise<void> {
  return async (item, stop) => {
    const begun: Run[] = []
    await withLease(deps, item, stop, async (hold) => {
      while (!hold.signal.aborted) {
        const done = await workOff(deps, hold, begun)
        if (done !== null) return done
      }
      return rest
    })
    // Everything that is due has its run before the first of them takes the processor for itself.
    for (const run of begun) deps.begin(run)
  }
}

/**
 * Deals with what is due; answers how to rest when nothing is.
 *
 * @param begun takes the runs that are held by this process and wait to be worked on.
 */
async function workOff(deps: FireDeps, { lease, nextCommit }: Hold, begun: Run[]): Promise<Rest | null> {
  const { workspace } = lease.item
  const now = deps.clock.now()
  const { alarms, damaged, next, waiting } = await deps.store.alarms.due(lease, now, batch)
  const newer = damaged.filter(({ isNewer }) => isNewer)
  if (newer.length > 0)
    deps.log.warn({ workspace, alarms: newer.length }, 'alarms of a newer Clew are due; upgrade this one')
  if (alarms.length === 0 && waiting === 0 && damaged.length === newer.length)
    return next === null ? rest : { kind: 'wakeAt', at: next }
  /** A conflict means that somebody changed a row meanwhile: it is still due, and is read again. */
  const commit = async (change: Partial<Change>): Promise<boolean> => {
    const committed = await deps.store.commits.commit(lease, { id: nextCommit(), at: now, ...change })
    if (committed.kind === 'fenced') throw new Fenced(lease.item)
    if (committed.kind !== 'committed') return false
    const create = (change.create ?? []).filter(({ id }) => !change.hold?.runs.has(id))
    await wakeFor(deps, workspace, { ...change, create })
    return true
  }
  const firing = { workspace, now, times: deps.timesIn?.(workspace) ?? 'wall' }
  const unreadable = damaged
    .filter(({ isNewer }) => !isNewer)
    .map(({ name, row, problem }) => asideOf(name, row, problem))
  const broken: { alarm: Alarm; problem: string }[] = []
  const verdicts = alarms.flatMap((alarm) => {
    try {
      return [verdictOn(alarm, firing)]
    } catch (error) {
      // It is made of the row and the time alone: it would fail the same way every time.
      broken.push({ alarm, problem: problemOf(error) })
      return []
    }
  })
  if (unreadable.length > 0)
    deps.log.error({ workspace, alarms: unreadable.map(({ id }) => id) }, 'alarms cannot be read and are set aside')
  const silent = together(
    { consume: waiting },
    setAside(unreadable, lease, now),
    ...verdicts.filter(({ words }) => words === null).map(({ change }) => change),
  )
  const started = beginHere(silent, { now, places: deps.places() - begun.length })
  if (await commit(started.change)) begun.push(...started.runs)
  for (const { alarm, change, words } of verdicts) {
    // Words go into one conversation each, and so does a commit.
    if (words === null) continue
    const said = await wordsOf(words, deps.store.conversations)
    if (said.ok) await commit(together(change, said.change))
    else broken.push({ alarm, problem: said.problem })
  }
  for (const { alarm, problem } of broken) {
    deps.log.error({ workspace, alarm: alarm.name, problem }, 'an alarm is set aside: it fails every time')
    const aside = setAside([asideOf(alarm.name, alarm.seal, problem)], lease, now)
    await commit(together(aside, await noticeOf(deps, { workspace, alarm, now })))
  }
  return null
}

/** What is to be said; where that cannot be made of the row, it cannot the next time either. */
async function wordsOf(words: Words, conversations: FireDeps['store']['conversations']) {
  try {
    return { ok: true as const, change: await words(conversations) }
  } catch (error) {
    if (!isFault(error)) throw error
    return { ok: false as const, problem: problemOf(error) }
  }
}

/** Nothing, where even the conversation that it is for cannot be read. */
async function noticeOf(deps: FireDeps, about: Parameters<typeof asideInWords>[1]): Promise<Partial<Change>> {
  try {
    return await asideInWords(deps.store.conversations, about)
  } catch (error) {
    if (!isFault(error)) throw error
    return {}
  }
}

const asideOf = (id: string, row: string, problem: string): Aside => ({ list: 'alarms', id, row, problem })

/** P18: an alarm that cannot be worked on goes off no more, and the others do. */
function setAside(aside: readonly Aside[], { item }: Lease, at: number): Partial<Change> {
  if (aside.length === 0) return {}
  return { aside, silence: aside.map(({ id }) => id), trace: aside.map((one) => asideTrace(item.id, at, one)) }
}

/** As many of the new runs as there are places for are made running and held: no queue and no claim delays them. */
function beginHere(
  change: Partial<Change>,
  { now, places }: { now: number; places: number },
): { change: Partial<Change>; runs: Run[] } {
  const alone = (change.create ?? [])
    .filter(({ conversationId }) => conversationId === null)
    .slice(0, Math.max(0, places))
  if (alone.length === 0) return { change, runs: [] }
  const ids = new Set(alone.map(({ id }) => id))
  const create = (change.create ?? []).map(
    (run): Run => (ids.has(run.id) ? { ...run, status: 'running', startedAt: now } : run),
  )
  const what: TraceEvent = { kind: 'status', status: 'running', reason: null }
  return {
    change: {
      ...change,
      create,
      hold: { runs: ids, until: now + leaseMs },
      trace: [...(change.trace ?? []), ...alone.map(({ id }) => ({ of: id, entry: { at: now, what } }))],
    },
    runs: create.filter(({ id }) => ids.has(id)),
  }
}

type Words = (conversations: FireDeps['store']['conversations']) => Promise<Partial<Change>>

interface Decided {
  alarm: Alarm
  change: Partial<Change>
  /** What is said in the same commit. */
  words: Words | null
}

function verdictOn(alarm: Alarm, moment: Pick<Firing, 'workspace' | 'now' | 'times'>): Decided {
  const { now } = moment
  if (alarm.kind === 'todo') {
    const { todo, scope } = alarm
    const rang: Rang = { kind: 'todo', alarm, after: { ...todo, reminded: todo.remindAt ?? 0 } }
    return { alarm, change: { rang: [rang] }, words: (read) => reminderOfTodo(read, { ...moment, scope, todo }) }
  }
  const { schedule, scope } = alarm
  const { after, slots, start, remindOf } = judge(schedule, now, busyWith(alarm.lastRun))
  const firing = { ...moment, scope, schedule }
  const reminder: Words | null = remindOf === null ? null : (read) => reminderOfSchedule(read, firing, remindOf)
  const [first] = schedule.work === 'note' ? start : []
  const note: Words | null = first === undefined ? null : (read) => noteOf(read, firing, first)
  if (reminder !== null && note !== null) {
    // Two things to say are two commits: after the first the slot is still due.
    const reminded: Rang = { kind: 'schedule', alarm, after: { ...schedule, remindAt: after.remindAt }, slots: [] }
    return { alarm, change: { rang: [reminded] }, words: reminder }
  }
  const runs = schedule.work === 'run' ? start.map((one) => scheduledRun(firing, one)) : []
  const started = slots.map((slot) => ({
    ...slot,
    runId: runs.find((run) => run.schedule?.slot === slot.at)?.id ?? null,
  }))
  const rang: Rang = {
    kind: 'schedule',
    alarm,
    after: { ...after, lastRunId: runs.at(-1)?.id ?? schedule.lastRunId },
    slots: started,
  }
  return {
    alarm,
    change: {
      rang: [rang],
      create: runs,
      trace: runs.map((run) => ({
        of: run.id,
        entry: { at: now, what: { kind: 'created' as const, runId: run.id, type: run.type, parentRunId: null } },
      })),
    },
    words: reminder ?? note,
  }
}
