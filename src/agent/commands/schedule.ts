import { texts } from '../../locales/texts.ts'
import { deriveId } from '../domain/id.ts'
import type { RunStrategy, Schedule, Slot } from '../domain/schedule.ts'
import type { EventRules, Runs, Schedules } from '../ports/store.ts'
import { busyWith, planned } from '../schedules/judge-slot.ts'
import { hasSlotIn, listSpan, overlapsOf, renderAgenda } from './agenda.ts'
import { type CommandContext, type CommandResult, effectOf } from './command.ts'
import { plainText } from './command-line.ts'
import type { Range } from './schedule-options.ts'
import {
  dayAndTime,
  renderDryRun,
  renderList,
  renderSchedule,
  renderSlots,
  renderUpcoming,
} from './schedule-render.ts'
import {
  changed,
  isGranted,
  type NewSchedule,
  restarted,
  resumed,
  type ScheduleChange,
  scheduleFrom,
  startedNow,
} from './schedule-write.ts'
import type { ScopeOf } from './scope.ts'

export interface ScheduleDeps {
  schedules: Schedules
  /** To say whether the last run still goes on. */
  runs: Pick<Runs, 'state'>
  scopeOf: ScopeOf
  /** Tools with side effects that a person may allow a schedule. */
  allowable: readonly string[]
  /** Sources of events that may start work in a place; none where it is left out (C640). */
  sourcesIn?(place: Pick<CommandContext, 'workspace' | 'channel'>): readonly string[]
  /** Events that the conditions of its rules did not fit. */
  events?: Pick<EventRules, 'list'>
  /** Strategies that its runs may use here. */
  ways: readonly RunStrategy[]
  /** False: a model starts no tasks here, so that it schedules none either (S52). */
  startsTasks?: boolean
}
type Answer<D> = Promise<CommandResult<D>>

type Rows = Pick<ScheduleDeps, 'scopeOf' | 'schedules'>

const all = ({ scopeOf, schedules }: Rows, context: CommandContext): Promise<Schedule[]> =>
  schedules.list(context.workspace, scopeOf(context))

/** Number of schedules read at a time where not all may be needed. */
const pageSize = 100

async function* byNumber(
  { scopeOf, schedules }: ScheduleDeps,
  context: CommandContext,
): AsyncGenerator<Schedule> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: Schedule[] = await schedules.list(context.workspace, scopeOf(context), {
      after,
      limit: pageSize,
    })
    yield* page
    after = page.length < pageSize ? undefined : page.at(-1)?.id
  }
}

/** Returns a scope's schedule by its number; null if there is none. */
export async function scheduleOf(
  id: number,
  context: CommandContext,
  deps: ScheduleDeps,
): Promise<Schedule | null> {
  const page = { after: id - 1, limit: 1 }
  const [found] = await deps.schedules.list(context.workspace, deps.scopeOf(context), page)
  return found?.id === id ? found : null
}

export async function addSchedule(
  asked: NewSchedule,
  context: CommandContext,
  deps: ScheduleDeps,
): Answer<Schedule> {
  const made = scheduleFrom(asked, context)
  if (isBarred(made, context, deps))
    return { ok: false, text: texts(context.locale).schedule.tasksArePeoples }
  const data = await deps.schedules.add(
    context.workspace,
    deps.scopeOf(context),
    effectOf(context),
    made,
  )
  return { ok: true, text: await receipt(data, context, deps, 'added'), data }
}

/** S52: a model plans no kind of work that it could not start now. */
const isBarred = (
  { work }: Pick<Schedule, 'work'>,
  { whose }: CommandContext,
  { startsTasks = true }: ScheduleDeps,
) => whose.way === 'model' && work === 'run' && !startsTasks

export async function updateSchedule(
  asked: ScheduleChange,
  context: CommandContext,
  deps: ScheduleDeps,
): Answer<Schedule> {
  const { errors } = texts(context.locale).commands
  const isLimited = asked.when === null && ('starting' in asked.fields || 'until' in asked.fields)
  const isTimed = isLimited || (asked.when === null && asked.fields.remindBase != null)
  const old = isTimed ? await scheduleOf(asked.id, context, deps) : null
  if (old?.when.kind === 'event') return { ok: false, text: errors.event_has_no_time }
  if (isLimited && old?.when.kind === 'once') return { ok: false, text: errors.limits_need_rule }
  const isSaid = asked.fields.mode !== undefined || asked.fields.allow !== undefined
  const named = { id: asked.id, isSaid, said: 'updated' as const }
  return await guarded(named, context, deps, (one) => changed(one, asked, context))
}

/**
 * A change that may start work: a model makes none of the coding agent's (S49); what it takes back
 * is said (S48, S52).
 */
async function guarded(
  { id, isSaid = false, said }: { id: number; isSaid?: boolean; said: ChangeKind },
  context: CommandContext,
  deps: ScheduleDeps,
  make: (schedule: Schedule) => Schedule,
): Answer<Schedule> {
  const words = texts(context.locale).schedule
  const old = context.whose.way === 'model' ? await scheduleOf(id, context, deps) : null
  if (old?.strategy === 'coding') return { ok: false, text: words.codingIsPeoples }
  if (old !== null && isBarred(old, context, deps))
    return { ok: false, text: words.tasksArePeoples }
  let lost = false
  const making = (one: Schedule) => {
    const next = make(one)
    lost = !isSaid && isGranted(one) && !isGranted(next)
    return next
  }
  const done = await change(id, context, deps, making, said)
  return lost && done.ok ? { ...done, text: `${done.text}\n${words.grantLost(id)}` } : done
}

/** Hides its repeats, or shows them again (F10). */
export const repeatSchedule = (
  id: number,
  on: boolean,
  context: CommandContext,
  deps: ScheduleDeps,
): Answer<Schedule> =>
  guarded({ id, said: on ? 'repeatsOn' : 'repeatsOff' }, context, deps, (one) => {
    const next = on && !one.repeats ? restarted(one, context) : one
    return planned({ ...next, repeats: on }, context.now)
  })

export const pauseSchedule = (
  id: number,
  paused: boolean,
  context: CommandContext,
  deps: ScheduleDeps,
) =>
  guarded({ id, said: paused ? 'paused' : 'resumed' }, context, deps, (one) => {
    if (paused) return { ...one, paused }
    return resumed(one.paused ? restarted(one, context) : one, context)
  })

/** Once more than planned, now. */
export async function startSchedule(
  id: number,
  context: CommandContext,
  deps: ScheduleDeps,
): Answer<Schedule> {
  const key = deriveId('n', context.effectId)
  return await guarded({ id, said: 'running' }, context, deps, (one) =>
    startedNow(one, key, context),
  )
}

type ChangeKind =
  | 'added'
  | 'updated'
  | 'paused'
  | 'resumed'
  | 'running'
  | 'repeatsOn'
  | 'repeatsOff'

async function change(
  id: number,
  context: CommandContext,
  deps: ScheduleDeps,
  make: (schedule: Schedule) => Schedule,
  said: ChangeKind,
): Answer<Schedule> {
  const data = await deps.schedules.update(
    context.workspace,
    deps.scopeOf(context),
    effectOf(context),
    id,
    make,
  )
  return data === null
    ? missing(id, context)
    : { ok: true, text: await receipt(data, context, deps, said), data }
}

const missing = (id: number, { locale }: CommandContext): CommandResult<never> => ({
  ok: false,
  text: texts(locale).schedule.notFound(id),
})

/** The answer to a write: the row, what comes next and by which rule, and what it overlaps. */
async function receipt(
  schedule: Schedule,
  context: CommandContext,
  deps: ScheduleDeps,
  said: ChangeKind,
): Promise<string> {
  const words = texts(context.locale).schedule
  const reminds = said === 'added' && schedule.work === 'note'
  const turnsNone = said.startsWith('repeats') && !('times' in schedule.when)
  const first = reminds
    ? words.willRemind(renderSchedule({ ...schedule, work: 'run' }, context))
    : words[turnsNone ? 'noRepeats' : said](renderSchedule(schedule, context))
  const lines = [first, renderUpcoming(schedule, context)]
  if (said === 'added' || said === 'updated') {
    const overlaps = await overlapsOf(schedule, byNumber(deps, context), context.now)
    if (overlaps.length > 0) lines.push(`⚠ ${words.overlaps}`)
    for (const { at, other } of overlaps) {
      // C320: the time of the other one, on its own clock.
      const time = dayAndTime(at, other.place.timeZone, context)
      lines.push(`- **#${other.id}** ${plainText(other.title)} · ${time}`)
    }
  }
  return lines.join('\n')
}

export async function deleteSchedule(
  id: number,
  context: CommandContext,
  deps: ScheduleDeps,
): Answer<Schedule> {
  const data = await deps.schedules.remove(
    context.workspace,
    deps.scopeOf(context),
    effectOf(context),
    id,
  )
  if (data === null) return missing(id, context)
  return {
    ok: true,
    text: texts(context.locale).schedule.deleted(renderSchedule(data, context)),
    data,
  }
}

export async function listSchedules(
  context: CommandContext,
  deps: ScheduleDeps,
): Answer<readonly Schedule[]> {
  const data = await all(deps, context)
  const span = listSpan(context.now, context.timeZone)
  const inside = data.filter((one) => one.when.kind === 'event' || hasSlotIn(one, span))
  return { ok: true, text: renderList(inside, data.length - inside.length, context), data }
}

/** F10: lists what is due in the day, week or month around `anchor`. */
export async function viewSchedules(
  { range, anchor }: { range: Range; anchor: number },
  context: CommandContext,
  deps: Rows,
): Answer<readonly Schedule[]> {
  const data = await all(deps, context)
  return { ok: true, text: await renderAgenda(range, anchor, data, context), data }
}

/** Answers about one schedule with what `show` returns for it. */
async function describe<D = Schedule>(
  id: number,
  context: CommandContext,
  deps: ScheduleDeps,
  show: (schedule: Schedule) => Promise<{ text: string; data: D }>,
): Answer<D> {
  const found = await scheduleOf(id, context, deps)
  return found === null ? missing(id, context) : { ok: true, ...(await show(found)) }
}

/** Shows a schedule in full. */
export const showSchedule = (
  id: number,
  context: CommandContext,
  deps: ScheduleDeps,
): Answer<Schedule> =>
  describe(id, context, deps, async (data) => {
    const since = texts(context.locale).schedule.created(
      dayAndTime(data.createdAt, context.timeZone, context),
    )
    return {
      text: [renderSchedule(data, context), renderUpcoming(data, context), since].join('\n'),
      data,
    }
  })

/** Tells what a start would do, without starting anything. */
export const tryOutSchedule = (
  id: number,
  context: CommandContext,
  deps: ScheduleDeps,
): Answer<Schedule> =>
  describe(id, context, deps, async (data) => {
    const last =
      data.lastRunId === null ? null : await deps.runs.state(context.workspace, data.lastRunId)
    const held = data.paused ? 'paused' : busyWith(last?.run.status ?? null)
    return { text: renderDryRun(data, held, context), data }
  })

/** Slots that are shown of what became of it. */
const slotsShown = 20

export const showSlots = (
  id: number,
  context: CommandContext,
  deps: ScheduleDeps,
): Answer<readonly Slot[]> =>
  describe(id, context, deps, async (schedule) => {
    const data = await deps.schedules.slots(
      context.workspace,
      deps.scopeOf(context),
      id,
      slotsShown,
    )
    const rules = schedule.when.kind === 'event' ? await deps.events?.list(context.workspace) : []
    const rule = rules?.find((one) => one.scope === deps.scopeOf(context) && one.schedule.id === id)
    const passed = rule?.passed ?? 0
    const lines = passed === 0 ? [] : [texts(context.locale).schedule.passed(passed)]
    return { text: [renderSlots(data, schedule, context), ...lines].join('\n'), data }
  })
