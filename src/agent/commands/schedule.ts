import { texts } from '../../locales/texts.ts'
import { assertNever } from '../domain/assert.ts'
import { deriveId } from '../domain/id.ts'
import type { RunStrategy, Schedule, Slot } from '../domain/schedule.ts'
import type { Runs, Schedules } from '../ports/store.ts'
import { busyWith, planned } from '../schedules/misfire.ts'
import { hasSlotIn, listSpan, overlapsOf, renderAgenda } from './agenda.ts'
import type { Command, CommandContext, CommandResult } from './command.ts'
import type { NewSchedule, ScheduleChange, ScheduleRequest } from './schedule-options.ts'
import { dayAndTime, renderDryRun, renderList, renderSchedule, renderSlots, renderUpcoming } from './schedule-render.ts'
import { scheduleTable } from './schedule-table.ts'
import { changed, scheduleFrom } from './schedule-write.ts'
import type { ScopeOf } from './scope.ts'
import type { CommandTable, Use } from './table.ts'
import { commandFrom } from './table-command.ts'
import { plainText } from './words.ts'

export interface ScheduleDeps {
  schedules: Schedules
  /** To say whether the last run still goes on. */
  runs: Pick<Runs, 'state'>
  scopeOf: ScopeOf
  /** Tools with side effects that a person may allow a schedule. */
  allowable: readonly string[]
  /** How its runs can work here. */
  ways: readonly RunStrategy[]
}
type Answer<D> = Promise<CommandResult<D>>

/** `/schedule` (F9 to F11), for people and for the tool of the same name. */
export function createScheduleCommand(
  deps: ScheduleDeps,
  use: Use = 'person',
  table: CommandTable<ScheduleRequest> = scheduleTable,
): Command {
  return commandFrom(
    table,
    {
      summary: ({ schedule }) => schedule.summary,
      notes: ({ schedule }) => schedule.usageNotes,
      refusal: ({ schedule }) => schedule.readOnly,
      // A model's line may not allow a schedule anything (S4): that is people's.
      frame: (context) => ({ ...context, allowable: use === 'model' ? null : deps.allowable, ways: deps.ways }),
      answer: (request, context) => answerSchedule(request, context, deps),
    },
    use,
  )
}

/** Does what was asked for. */
async function answerSchedule(
  request: ScheduleRequest,
  context: CommandContext,
  deps: ScheduleDeps,
): Answer<Schedule | readonly Schedule[] | readonly Slot[]> {
  switch (request.kind) {
    case 'add':
      return await addSchedule(request, context, deps)
    case 'update':
      return await updateSchedule(request, context, deps)
    case 'list':
      return await listSchedules(context, deps)
    case 'view': {
      const data = await all(context, deps)
      return { ok: true, text: renderAgenda(request.range, request.anchor, data, context), data }
    }
    case 'get':
    case 'dry':
    case 'slots':
      return await showSchedule(request.kind, request.id, context, deps)
    case 'delete':
      return await deleteSchedule(request.id, context, deps)
    case 'repeat':
      return await repeatSchedule(request.id, request.on, context, deps)
    case 'pause':
    case 'resume':
      return await pauseSchedule(request.id, request.kind === 'pause', context, deps)
    case 'run':
      return await startSchedule(request.id, context, deps)
    default:
      return assertNever(request)
  }
}

const all = (context: CommandContext, { schedules, scopeOf }: ScheduleDeps): Promise<Schedule[]> =>
  schedules.list(context.workspace, scopeOf(context))

export async function addSchedule(asked: NewSchedule, context: CommandContext, deps: ScheduleDeps): Answer<Schedule> {
  const made = scheduleFrom(asked, context)
  const data = await deps.schedules.add(context.workspace, deps.scopeOf(context), context.effectId, made)
  return { ok: true, text: await receipt(data, context, deps, 'added'), data }
}

export const updateSchedule = (asked: ScheduleChange, context: CommandContext, deps: ScheduleDeps): Answer<Schedule> =>
  change(asked.id, context, deps, (one) => changed(one, asked, context), 'updated')

/** Hides its repeats, or shows them again (F10). */
export const repeatSchedule = (
  id: number,
  on: boolean,
  context: CommandContext,
  deps: ScheduleDeps,
): Answer<Schedule> =>
  change(id, context, deps, (one) => planned({ ...one, repeats: on }, context.now), on ? 'repeatsOn' : 'repeatsOff')

export const pauseSchedule = (id: number, paused: boolean, context: CommandContext, deps: ScheduleDeps) =>
  change(id, context, deps, (one) => ({ ...one, paused }), paused ? 'paused' : 'resumed')

/** Once more than planned, now. */
export async function startSchedule(id: number, context: CommandContext, deps: ScheduleDeps): Answer<Schedule> {
  const asked = { key: deriveId('n', context.effectId), at: context.now }
  return await change(id, context, deps, (one) => ({ ...one, asked }), 'running')
}

type Said = 'added' | 'updated' | 'paused' | 'resumed' | 'running' | 'repeatsOn' | 'repeatsOff'

async function change(
  id: number,
  context: CommandContext,
  deps: ScheduleDeps,
  make: (schedule: Schedule) => Schedule,
  said: Said,
): Answer<Schedule> {
  const data = await deps.schedules.update(context.workspace, deps.scopeOf(context), context.effectId, id, make)
  return data === null ? missing(id, context) : { ok: true, text: await receipt(data, context, deps, said), data }
}

const missing = (id: number, { locale }: CommandContext): CommandResult<never> => ({
  ok: false,
  text: texts(locale).schedule.notFound(id),
})

/** The answer to a write: the row, what comes next and by which rule, and what it overlaps. */
async function receipt(schedule: Schedule, context: CommandContext, deps: ScheduleDeps, said: Said): Promise<string> {
  const words = texts(context.locale).schedule
  const lines = [words[said](renderSchedule(schedule, context)), renderUpcoming(schedule, context)]
  if (said === 'added' || said === 'updated') {
    const overlaps = overlapsOf(schedule, await all(context, deps), context.now)
    if (overlaps.length > 0) lines.push(`⚠ ${words.overlaps}`)
    for (const { at, other } of overlaps) {
      const time = dayAndTime(at, schedule.place.timeZone, context)
      lines.push(`- **#${other.id}** ${plainText(other.title)} · ${time}`)
    }
  }
  return lines.join('\n')
}

export async function deleteSchedule(id: number, context: CommandContext, deps: ScheduleDeps): Answer<Schedule> {
  const data = await deps.schedules.remove(context.workspace, deps.scopeOf(context), context.effectId, id)
  if (data === null) return missing(id, context)
  return { ok: true, text: texts(context.locale).schedule.deleted(renderSchedule(data, context)), data }
}

async function listSchedules(context: CommandContext, deps: ScheduleDeps): Answer<readonly Schedule[]> {
  const data = await all(context, deps)
  const span = listSpan(context.now, context.timeZone)
  const inside = data.filter((schedule) => hasSlotIn(schedule, span))
  return { ok: true, text: renderList(inside, data.length - inside.length, context), data }
}

/** Slots that are shown of what became of it. */
const slotsShown = 20

/** One schedule in full; what a start would do, without starting anything; or what became of its slots. */
export async function showSchedule(
  what: 'get' | 'dry' | 'slots',
  id: number,
  context: CommandContext,
  { schedules, scopeOf, runs }: ScheduleDeps,
): Answer<Schedule | readonly Slot[]> {
  const words = texts(context.locale).schedule
  const scope = scopeOf(context)
  const data = (await schedules.list(context.workspace, scope)).find((schedule) => schedule.id === id)
  if (data === undefined) return missing(id, context)
  switch (what) {
    case 'get': {
      const since = words.created(dayAndTime(data.createdAt, context.timeZone, context))
      return { ok: true, text: [renderSchedule(data, context), renderUpcoming(data, context), since].join('\n'), data }
    }
    case 'dry': {
      const last = data.lastRunId === null ? null : await runs.state(context.workspace, data.lastRunId)
      const held = data.paused ? 'paused' : busyWith(last?.run.status ?? null)
      return { ok: true, text: renderDryRun(data, held, context), data }
    }
    case 'slots': {
      const slots = await schedules.slots(context.workspace, scope, id, slotsShown)
      const text = `**${words.slotsTitle(`#${id}`)}**\n${renderSlots(slots, data, context)}`
      return { ok: true, text, data: slots }
    }
    default:
      return assertNever(what)
  }
}
