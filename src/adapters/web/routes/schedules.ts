import type { Context } from 'hono'
import type { CommandContext, CommandResult } from '../../../agent/commands/command.ts'
import {
  addSchedule,
  deleteSchedule,
  pauseSchedule,
  repeatSchedule,
  type ScheduleDeps,
  startSchedule,
  tryOutSchedule,
  updateSchedule,
} from '../../../agent/commands/schedule.ts'
import { isOver } from '../../../agent/commands/schedule-read.ts'
import { addForm, scheduleTable, updateForm } from '../../../agent/commands/schedule-table.ts'
import type { NewSchedule } from '../../../agent/commands/schedule-write.ts'
import { splitWhen } from '../../../agent/commands/when.ts'
import type { Schedule } from '../../../agent/domain/schedule.ts'
import { ScheduleBody, SchedulePatch, WorkBody } from '../bodies.ts'
import type { App, Web } from '../context.ts'
import { webWorkspace } from '../deps.ts'
import { describedBody, describedRoute } from '../described-route.ts'
import { limits } from '../limits.ts'
import { flag, integer, list, object, ref, slot, text as string } from '../openapi.ts'
import { refuse } from '../problems.ts'
import { renderScheduleView } from '../render-schedules.ts'
import { contextFor, idIn, understood, unreadable, type WorkFields } from './command-context.ts'
import { countIn } from './conversations.ts'

/** Schedules over the API. What people write is read by the grammar of `/schedule`; the use cases take and give values. */
export function addScheduleRoutes(app: App, web: Web, schedules: ScheduleDeps): void {
  const { reach } = web

  const listed = (context: CommandContext): Promise<Schedule[]> =>
    reach(() => schedules.schedules.list(webWorkspace, schedules.scopeOf(context)))
  const found = async (context: CommandContext, id: number): Promise<Schedule> =>
    (await listed(context)).find((one) => one.id === id) ?? refuse({ code: 'unknown_schedule' })
  const view = (schedule: Schedule, { now, locale }: CommandContext) => renderScheduleView(schedule, now, locale)
  const frameOf = (context: CommandContext) => ({ ...context, allowable: schedules.allowable, ways: schedules.ways })

  /** The row that a use case answers with. */
  async function row(work: () => Promise<CommandResult<Schedule>>): Promise<{ schedule: Schedule; text: string }> {
    const { data, text } = await reach(work)
    return { schedule: data ?? refuse({ code: 'unknown_schedule' }), text }
  }

  /** What stands under "when" has to be understood as one: no word of it may become what is to be done. */
  function planned({ when, title }: { when: string; title: string }, context: CommandContext): NewSchedule {
    const split = splitWhen(when, context)
    if (split === null || split.rest !== '') return unreadable(scheduleTable, 'no_time', when, context, addForm)
    if (isOver(split.when, context)) return unreadable(scheduleTable, 'past_time', when, context, addForm)
    return said(title, context, [when])
  }

  /** The title's own options, such as `--quiet`, mean what they mean in a command. */
  function said(text: string, context: CommandContext, given: readonly string[] = []): NewSchedule {
    return understood(scheduleTable, addForm, text, frameOf(context), given)
  }

  describedRoute(
    app,
    'get',
    '/api/schedules',
    {
      summary: 'Schedules with their next three times',
      query: ['author'],
      answers: { 200: object({ schedules: list('Schedule') }) },
    },
    async (c) => {
      const context = contextFor(web, c, {})
      return c.json({ schedules: (await listed(context)).map((schedule) => view(schedule, context)) })
    },
  )

  describedBody(
    app,
    'post',
    '/api/schedules',
    {
      body: ScheduleBody,
      summary: 'Schedules work in words, at a time or by cron',
      answers: { 201: object({ schedule: ref('Schedule'), text: string }) },
      refusals: [400, 413, 415],
    },
    async (c, body) => {
      const context = contextFor(web, c, body)
      const asked = 'text' in body ? said(body.text, context) : planned(body, context)
      const { schedule, text } = await row(() => addSchedule(asked, context, schedules))
      return c.json({ schedule: view(schedule, context), text }, 201)
    },
  )

  describedBody(
    app,
    'patch',
    '/api/schedules/:id',
    {
      body: SchedulePatch,
      summary: 'Pauses, resumes or changes one',
      answers: { 200: ref('Schedule') },
      refusals: [400, 404, 415],
    },
    async (c, { text, paused, repeats, ...body }) => {
      const id = idIn(c)
      const context = contextFor(web, c, body)
      const part = (name: string) => ({ ...context, effectId: `${context.effectId}-${name}` })
      let schedule = await found(context, id)
      if (text !== undefined) {
        const asked = understood(scheduleTable, updateForm, text, frameOf(context), [String(id)])
        schedule = (await row(() => updateSchedule(asked, part('update'), schedules))).schedule
      }
      if (paused !== undefined)
        schedule = (await row(() => pauseSchedule(id, paused, part('pause'), schedules))).schedule
      if (repeats !== undefined)
        schedule = (await row(() => repeatSchedule(id, repeats, part('repeat'), schedules))).schedule
      return c.json(view(schedule, context))
    },
  )

  describedRoute(
    app,
    'delete',
    '/api/schedules/:id',
    {
      summary: 'Deletes one',
      query: ['author'],
      answers: { 200: object({ id: integer, deleted: flag }) },
      refusals: [404],
    },
    async (c) => {
      const context = contextFor(web, c, {})
      const { schedule } = await row(() => deleteSchedule(idIn(c), context, schedules))
      return c.json({ id: schedule.id, deleted: true })
    },
  )

  describedRoute(
    app,
    'get',
    '/api/schedules/:id/slots',
    {
      summary: 'What became of its due slots, newest first',
      query: ['limit', 'author'],
      answers: { 200: object({ slots: { type: 'array', items: slot } }) },
      refusals: [400, 404],
    },
    async (c) => {
      const context = contextFor(web, c, {})
      const { id } = await found(context, idIn(c))
      const limit = countIn(c, 'limit', limits.listed, limits.listedAtMost)
      return c.json({
        slots: await reach(() => schedules.schedules.slots(webWorkspace, schedules.scopeOf(context), id, limit)),
      })
    },
  )

  /** One gesture is one start, however often it is sent. */
  function pressed(c: Context, body: WorkFields): { id: number; context: CommandContext } {
    return { id: idIn(c), context: contextFor(web, c, body) }
  }
  describedBody(
    app,
    'post',
    '/api/schedules/:id/run',
    {
      body: WorkBody,
      summary: 'Starts it now, once more than planned',
      answers: { 202: object({ id: integer, text: string }) },
      refusals: [400, 404, 415],
    },
    async (c, body) => {
      const { id, context } = pressed(c, body)
      const { text } = await row(() => startSchedule(id, context, schedules))
      return c.json({ id, text }, 202)
    },
  )
  describedBody(
    app,
    'post',
    '/api/schedules/:id/dry',
    {
      body: WorkBody,
      summary: 'Says what a start would do; starts nothing',
      answers: { 200: object({ id: integer, text: string }) },
      refusals: [400, 404, 415],
    },
    async (c, body) => {
      const { id, context } = pressed(c, body)
      const { ok, text } = await reach(() => tryOutSchedule(id, context, schedules))
      return ok ? c.json({ id, text }) : refuse({ code: 'unknown_schedule' })
    },
  )
}
