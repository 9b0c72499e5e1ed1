import { z } from 'zod'
import type { CommandContext, CommandResult } from '../../../agent/commands/command.ts'
import { oneLine } from '../../../agent/commands/command-line.ts'
import type { Frame } from '../../../agent/commands/grammar.ts'
import {
  addSchedule,
  deleteSchedule,
  pauseSchedule,
  repeatSchedule,
  type ScheduleDeps,
  scheduleOf,
  startSchedule,
  tryOutSchedule,
  updateSchedule,
} from '../../../agent/commands/schedule.ts'
import { isOver } from '../../../agent/commands/schedule-read.ts'
import { addForm, scheduleTable, updateForm } from '../../../agent/commands/schedule-table.ts'
import type { NewSchedule, ScheduleChange } from '../../../agent/commands/schedule-write.ts'
import { readLine, type SplitLine } from '../../../agent/commands/when/read.ts'
import type { Schedule } from '../../../agent/domain/schedule.ts'
import { ScheduleBody, SchedulePatch, WorkBody } from '../bodies.ts'
import type { Web } from '../context.ts'
import type { Description } from '../openapi.ts'
import { refuse } from '../problems.ts'
import { renderSchedule } from '../render.ts'
import { forMembers, type Route } from '../route.ts'
import { ScheduleView, SlotView } from '../views.ts'
import {
  contextFor,
  idIn,
  partOf,
  placedContext,
  requireUnchanged,
  rowOf,
  understood,
  unreadable,
} from './command-context.ts'
import { countIn, limitIn } from './conversations.ts'

const { route, bodyRoute } = forMembers

/**
 * Schedules over the API. Texts of people are parsed by the grammar of `/schedule`; the use cases
 * take and return values.
 */
export const scheduleRoutes = [
  route('get', '/api/schedules', {
    summary:
      'Schedules with their next three times; with `limit` a page of them, those above the number `above`',
    query: ['limit', 'above', 'author'],
    answer: z.object({ schedules: z.array(ScheduleView) }),
    async handle({ c, web }) {
      const context = contextFor(web, c)
      const { schedules, scopeOf } = web.work.schedules
      const limit = c.req.query('limit') === undefined ? null : limitIn(c)
      const after =
        c.req.query('above') === undefined ? 0 : countIn(c, 'above', 1, Number.MAX_SAFE_INTEGER)
      const page = limit === null ? [] : [{ after, limit }]
      const listed = await web.reach(() =>
        schedules.list(context.workspace, scopeOf(context), ...page),
      )
      return { schedules: listed.map((schedule) => view(schedule, context)) }
    },
  }),

  bodyRoute('post', '/api/schedules', {
    summary: 'Schedules work in words, at a time or by cron',
    body: ScheduleBody,
    status: 201,
    answer: z.object({ schedule: ScheduleView, text: z.string() }),
    refusals: ['unreadable', 'unknown_schedule'],
    async handle({ c, web, body }) {
      const context = contextFor(web, c, body)
      const frame = frameOf(web, context)
      const asked =
        'text' in body ? understood(scheduleTable, addForm, body.text, frame) : planned(body, frame)
      const { row, text } = await written(web, () =>
        addSchedule(asked, context, web.work.schedules),
      )
      return { schedule: view(row, context), text }
    },
  }),

  bodyRoute('patch', '/api/schedules/:id', {
    summary: 'Pauses, resumes or changes one',
    query: ['workspace', 'channel'],
    body: SchedulePatch,
    answer: ScheduleView,
    refusals: ['unreadable', 'changed_meanwhile'],
    async handle({ c, web, body: { text, when, title, paused, repeats, seen, ...fields } }) {
      const id = idIn(c)
      const context = await placedContext(web, c, fields)
      const { schedules } = web.work
      let row = await found(web, context, id)
      requireUnchanged(seen, { title: row.title, when: row.when })
      const asked: ScheduleChange[] = []
      if (text !== undefined)
        asked.push(understood(scheduleTable, updateForm, text, frameOf(web, context), [String(id)]))
      if (when !== undefined || title !== undefined) {
        const { timeZone } = row.place
        const time =
          when === undefined ? null : timeIn(when, { ...frameOf(web, context), timeZone })
        asked.push({
          id,
          when: time?.when ?? null,
          title: title === undefined ? null : oneLine(title),
          fields: { timeZone: time?.timeZone ?? timeZone },
        })
      }
      for (const [n, change] of asked.entries())
        row = (
          await written(web, () =>
            updateSchedule(change, partOf(context, `update${n || ''}`), schedules),
          )
        ).row
      if (paused !== undefined)
        row = (
          await written(web, () => pauseSchedule(id, paused, partOf(context, 'pause'), schedules))
        ).row
      if (repeats !== undefined)
        row = (
          await written(web, () =>
            repeatSchedule(id, repeats, partOf(context, 'repeat'), schedules),
          )
        ).row
      return view(row, context)
    },
  }),

  route('delete', '/api/schedules/:id', {
    summary: 'Deletes one',
    query: ['author'],
    answer: z.object({ id: z.int(), deleted: z.boolean() }),
    async handle({ c, web }) {
      const { row } = await written(web, () =>
        deleteSchedule(idIn(c), contextFor(web, c), web.work.schedules),
      )
      return { id: row.id, deleted: true }
    },
  }),

  route('get', '/api/schedules/:id/slots', {
    summary: 'What became of its due slots, newest first',
    query: ['limit', 'author'],
    answer: z.object({ slots: z.array(SlotView) }),
    async handle({ c, web }) {
      const { schedules, scopeOf } = web.work.schedules
      const context = contextFor(web, c)
      const { id } = await found(web, context, idIn(c))
      const limit = limitIn(c)
      return {
        slots: await web.reach(() =>
          schedules.slots(context.workspace, scopeOf(context), id, limit),
        ),
      }
    },
  }),

  pressed({
    verb: 'run',
    status: 202,
    summary: 'Starts it now, once more than planned',
    press: startSchedule,
  }),
  pressed({
    verb: 'dry',
    status: 200,
    summary: 'Says what a start would do; starts nothing',
    press: tryOutSchedule,
  }),
]

interface Button extends Pick<Description, 'summary' | 'status'> {
  verb: string
  press(id: number, context: CommandContext, deps: ScheduleDeps): Promise<CommandResult>
}

/** Declares a route for a button about a schedule, wherever that is. It answers in words. */
function pressed({ verb, press, ...said }: Button): Route {
  return bodyRoute('post', `/api/schedules/:id/${verb}`, {
    ...said,
    query: ['workspace', 'channel'],
    body: WorkBody,
    answer: z.object({ id: z.int(), text: z.string() }),
    async handle({ c, web, body }) {
      const id = idIn(c)
      const context = await placedContext(web, c, body)
      const { ok, text } = await web.reach(() => press(id, context, web.work.schedules))
      return ok ? { id, text } : refuse('unknown_schedule')
    },
  })
}

const found = async (
  { reach, work }: Web,
  context: CommandContext,
  id: number,
): Promise<Schedule> =>
  (await reach(() => scheduleOf(id, context, work.schedules))) ?? refuse('unknown_schedule')

const written = (web: Web, work: () => Promise<CommandResult<Schedule>>) =>
  rowOf(web, 'unknown_schedule', work)

const view = (schedule: Schedule, { now, locale }: CommandContext) =>
  renderSchedule(schedule, now, locale)

function frameOf({ work }: Web, context: CommandContext): Frame {
  const { allowable, ways, sourcesIn } = work.schedules
  return { ...context, allowable, ways, sources: sourcesIn?.(context) ?? [] }
}

/**
 * Parses time and title of a schedule. The whole of "when" has to be a time: no word of it may
 * become part of the task. Options in the title, such as `--quiet`, work as in a command.
 */
function planned({ when, title }: { when: string; title: string }, frame: Frame): NewSchedule {
  timeIn(when, frame)
  return understood(scheduleTable, addForm, title, frame, [when])
}

function timeIn(when: string, frame: Frame): SplitLine {
  const split = readLine(when, frame)
  if (split === null) return unreadable(scheduleTable, 'no_time', when, frame, addForm)
  const unread = 'unread' in split ? split.unread : split.rest
  if ('unread' in split || unread !== '')
    return unreadable(scheduleTable, 'unread_time', unread, frame, addForm)
  if (isOver(split.when, { ...frame, timeZone: split.timeZone ?? frame.timeZone }))
    return unreadable(scheduleTable, 'past_time', when, frame, addForm)
  return split
}
