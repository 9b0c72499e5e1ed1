import { texts } from '../../locales/texts.ts'
import { deriveId } from '../domain/id.ts'
import type { RunStrategy, Schedule } from '../domain/schedule.ts'
import type { Runs, Schedules } from '../ports/store.ts'
import { busyWith, planned } from '../schedules/misfire.ts'
import { hasSlotIn, listSpan, overlapsOf, renderAgenda } from './agenda.ts'
import type { Command, CommandContext, CommandResult } from './command.ts'
import { allScheduleActions, type ScheduleFrame, type ScheduleRequest, scheduleActionOf } from './schedule-grammar.ts'
import { readSchedule } from './schedule-read.ts'
import { dayAndTime, renderNext, renderSchedule, renderScheduleProblem, renderSlots } from './schedule-render.ts'
import { changed, scheduleFrom } from './schedule-write.ts'
import type { ScopeOf } from './scope.ts'
import { inlineCode, plainText } from './words.ts'

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

/**
 * `/schedule` (F9 to F11), for people and for the tool of the same name.
 *
 * @param options.byModel a model's line may not allow a schedule anything (S4): that is people's.
 */
export function createScheduleCommand(
  deps: ScheduleDeps,
  options: { byModel?: boolean; readOnly?: boolean } = {},
): Command {
  const frameOf = ({ now, timeZone, locale }: CommandContext): ScheduleFrame => ({
    now,
    timeZone,
    locale,
    allowable: options.byModel ? null : deps.allowable,
    ways: deps.ways,
  })
  return {
    name: 'schedule',
    aliases: ['schedules', '日程', '定时'],
    summary: (locale) => texts(locale).schedule.summary,
    usage: (locale) => [...texts(locale).schedule.usage],
    recognises: (args) => {
      const [first = ''] = args.trim().split(/\s/, 1)
      return (
        args.trim() === '' || (allScheduleActions.includes(first.toLowerCase()) && scheduleActionOf(first) !== null)
      )
    },
    async run(args, context) {
      const reading = readSchedule(args, frameOf(context))
      if (!reading.ok) return { ok: false, text: renderScheduleProblem(reading.problem, context.locale) }
      const { request } = reading
      if (options.readOnly && !readOnlyKinds.includes(request.kind))
        return { ok: false, text: texts(context.locale).schedule.readOnly }
      return await answerSchedule(request, context, deps)
    },
  }
}

const readOnlyKinds: readonly ScheduleRequest['kind'][] = ['list', 'view', 'get', 'dry', 'slots']

/** Does what was asked for; shared with `/view` and the API. */
export async function answerSchedule(
  request: ScheduleRequest,
  context: CommandContext,
  deps: ScheduleDeps,
): Promise<CommandResult> {
  switch (request.kind) {
    case 'add':
      return await add(request, context, deps)
    case 'update':
      return await update(request, context, deps)
    case 'list':
      return await list(context, deps)
    case 'view':
      return { ok: true, text: renderAgenda(request.range, request.anchor, await all(context, deps), context) }
    case 'get':
      return await show(request.id, context, deps, async (schedule) => details(schedule, context))
    case 'dry':
      return await show(request.id, context, deps, async (schedule) => await dryRun(schedule, context, deps))
    case 'slots':
      return await show(request.id, context, deps, async (schedule) => await history(schedule, context, deps))
    case 'delete':
      return await remove(request.id, context, deps)
    case 'repeat':
      return await change(
        request.id,
        context,
        deps,
        (one) => planned({ ...one, repeats: request.on }, context.now),
        request.on ? 'repeatsOn' : 'repeatsOff',
      )
    case 'pause':
      return await change(request.id, context, deps, (one) => ({ ...one, paused: true }), 'paused')
    case 'resume':
      return await change(request.id, context, deps, (one) => ({ ...one, paused: false }), 'resumed')
    case 'run':
      return await change(
        request.id,
        context,
        deps,
        (one) => ({ ...one, asked: { key: deriveId('n', context.effectId), at: context.now } }),
        'running',
      )
  }
}

const all = (context: CommandContext, { schedules, scopeOf }: ScheduleDeps): Promise<Schedule[]> =>
  schedules.list(context.workspace, scopeOf(context))

async function find(id: number, context: CommandContext, deps: ScheduleDeps): Promise<Schedule | undefined> {
  return (await all(context, deps)).find((schedule) => schedule.id === id)
}

type Request<K extends ScheduleRequest['kind']> = Extract<ScheduleRequest, { kind: K }>

async function add(request: Request<'add'>, context: CommandContext, deps: ScheduleDeps): Promise<CommandResult> {
  const { schedules, scopeOf } = deps
  const made = scheduleFrom(request, context)
  const schedule = await schedules.add(context.workspace, scopeOf(context), context.effectId, made)
  return { ok: true, text: await receipt(schedule, context, deps, 'added') }
}

async function update(request: Request<'update'>, context: CommandContext, deps: ScheduleDeps): Promise<CommandResult> {
  return await change(request.id, context, deps, (one) => changed(one, request, context), 'updated')
}

type Said = 'added' | 'updated' | 'paused' | 'resumed' | 'running' | 'repeatsOn' | 'repeatsOff'

async function change(
  id: number,
  context: CommandContext,
  deps: ScheduleDeps,
  make: (schedule: Schedule) => Schedule,
  said: Said,
): Promise<CommandResult> {
  const { schedules, scopeOf } = deps
  const schedule = await schedules.update(context.workspace, scopeOf(context), context.effectId, id, make)
  if (schedule === null) return { ok: false, text: texts(context.locale).schedule.notFound(id) }
  return { ok: true, text: await receipt(schedule, context, deps, said) }
}

/** The answer to a write: the row, what comes next and by which rule, and what it overlaps. */
async function receipt(schedule: Schedule, context: CommandContext, deps: ScheduleDeps, said: Said): Promise<string> {
  const words = texts(context.locale).schedule
  const head = words[said](renderSchedule(schedule, context))
  const lines = [head, upcoming(schedule, context)]
  if (said === 'added' || said === 'updated') {
    const overlaps = overlapsOf(schedule, await all(context, deps), context.now)
    const named = overlaps.map(
      ({ at, other }) =>
        `- **#${other.id}** ${plainText(other.title)} · ${dayAndTime(at, schedule.place.timeZone, context)}`,
    )
    if (named.length > 0) lines.push(`⚠ ${words.overlaps}`, ...named)
  }
  return lines.join('\n')
}

async function remove(
  id: number,
  context: CommandContext,
  { schedules, scopeOf }: ScheduleDeps,
): Promise<CommandResult> {
  const words = texts(context.locale).schedule
  const removed = await schedules.remove(context.workspace, scopeOf(context), context.effectId, id)
  if (removed === null) return { ok: false, text: words.notFound(id) }
  return { ok: true, text: words.deleted(renderSchedule(removed, context)) }
}

/** A thread is no place for more; the rest is counted. */
const longestList = 50

async function list(context: CommandContext, deps: ScheduleDeps): Promise<CommandResult> {
  const words = texts(context.locale).schedule
  const schedules = await all(context, deps)
  if (schedules.length === 0)
    return { ok: true, text: words.emptyList(inlineCode(`/schedule add ${words.exampleRule} ${words.exampleTitle}`)) }
  const span = listSpan(context.now, context.timeZone)
  const inside = schedules.filter((schedule) => hasSlotIn(schedule, span))
  const lines = inside.slice(0, longestList).map((schedule) => {
    const next =
      schedule.paused || schedule.nextAt === null
        ? ''
        : ` · ${words.next(dayAndTime(schedule.nextAt, schedule.place.timeZone, context))}`
    return `- ${renderSchedule(schedule, context)}${next}`
  })
  const more = inside.length - lines.length
  const outside = schedules.length - inside.length
  return {
    ok: true,
    text: [
      `**${words.listTitle}**`,
      ...lines,
      ...(more > 0 ? [words.more(more)] : []),
      ...(outside > 0 ? [words.outside(outside)] : []),
    ].join('\n'),
  }
}

async function show(
  id: number,
  context: CommandContext,
  deps: ScheduleDeps,
  render: (schedule: Schedule) => Promise<string>,
): Promise<CommandResult> {
  const schedule = await find(id, context, deps)
  if (schedule === undefined) return { ok: false, text: texts(context.locale).schedule.notFound(id) }
  return { ok: true, text: await render(schedule) }
}

const upcoming = (schedule: Schedule, context: CommandContext): string =>
  schedule.paused
    ? texts(context.locale).schedule.nextPaused
    : renderNext(schedule, Math.max(context.now, schedule.lastAt ?? 0), context)

function details(schedule: Schedule, context: CommandContext): string {
  const { created } = texts(context.locale).schedule
  const next = upcoming(schedule, context)
  const since = created(dayAndTime(schedule.createdAt, context.timeZone, context))
  return [renderSchedule(schedule, context), next, since].join('\n')
}

/** What a start would do, without starting anything. */
async function dryRun(schedule: Schedule, context: CommandContext, deps: ScheduleDeps): Promise<string> {
  const words = texts(context.locale).schedule
  const { title, work, place, quiet } = schedule
  const held = schedule.paused ? 'paused' : busyWith(await lastStatus(schedule, context, deps))
  return [
    words.dryTitle(`**#${schedule.id}**`),
    work === 'note' ? words.dryNote(plainText(title)) : words.dryRun(plainText(title)),
    place.conversationId === null ? words.dryNewThread : words.dryHere,
    ...(quiet ? [words.dryQuiet] : []),
    ...(work === 'note' ? [] : dryTools(schedule, context.locale)),
    ...(held === null ? [] : [words.dryHeld[held]]),
    upcoming(schedule, context),
    words.dryNothing,
  ].join('\n')
}

function dryTools({ allow, mode = 'safe', strategy }: Schedule, locale: string): string[] {
  const words = texts(locale).schedule
  const named = allow.length === 0 ? [] : [words.dryTools(allow.map(inlineCode).join(', '))]
  return [
    ...(strategy === undefined ? [] : [words.dryWay(strategy)]),
    ...(mode === 'safe' && named.length > 0 ? named : [...named, words.dryMode[mode]]),
  ]
}

async function lastStatus(schedule: Schedule, { workspace }: CommandContext, { runs }: ScheduleDeps) {
  if (schedule.lastRunId === null) return null
  return (await runs.state(workspace, schedule.lastRunId))?.run.status ?? null
}

async function history(
  schedule: Schedule,
  context: CommandContext,
  { schedules, scopeOf }: ScheduleDeps,
): Promise<string> {
  const words = texts(context.locale).schedule
  const slots = await schedules.slots(context.workspace, scopeOf(context), schedule.id, 20)
  return `**${words.slotsTitle(`#${schedule.id}`)}**\n${renderSlots(slots, schedule, context)}`
}
