import type { Context } from 'hono'
import type { CommandContext } from '../../../agent/commands/command.ts'
import { answerSchedule, type ScheduleDeps } from '../../../agent/commands/schedule.ts'
import type { ScheduleRequest } from '../../../agent/commands/schedule-grammar.ts'
import { readSchedule } from '../../../agent/commands/schedule-read.ts'
import { renderScheduleProblem } from '../../../agent/commands/schedule-render.ts'
import type { Schedule } from '../../../agent/domain/schedule.ts'
import { texts } from '../../../locales/texts.ts'
import type { App, Web } from '../context.ts'
import { webWorkspace } from '../deps.ts'
import { limits } from '../limits.ts'
import { bodyOf, ScheduleBody, SchedulePatch, WorkBody } from '../parse.ts'
import { refuse } from '../problems.ts'
import { renderScheduleView } from '../render-schedules.ts'
import { countIn } from './conversations.ts'
import { contextFor, idIn } from './work.ts'

/** Schedules over the API: the grammar of `/schedule`, its rows and what became of them. */
export function addScheduleRoutes(app: App, web: Web, schedules: ScheduleDeps): void {
  const { reach } = web

  const listed = (context: CommandContext): Promise<Schedule[]> =>
    reach(() => schedules.schedules.list(webWorkspace, schedules.scopeOf(context)))
  const found = async (context: CommandContext, id: number): Promise<Schedule> =>
    (await listed(context)).find((one) => one.id === id) ?? refuse({ code: 'unknown_schedule' })
  const view = (schedule: Schedule, { now, locale }: CommandContext) => renderScheduleView(schedule, now, locale)

  /** What a line says, or a refusal with the nearest line that would do. */
  function read(line: string, { now, timeZone, locale }: CommandContext): ScheduleRequest {
    const { allowable, ways } = schedules
    const reading = readSchedule(line, { now, timeZone, locale, allowable, ways })
    if (reading.ok) return reading.request
    return refuse({ code: 'unreadable', text: renderScheduleProblem(reading.problem, locale) })
  }
  /** What stands under "when" has to be understood as one: no word of it may become what is to be done. */
  function whole(when: string, context: CommandContext): string {
    const probe = read(`add ${when} x`, context)
    if (probe.kind === 'add' && probe.title === 'x') return when
    const { schedule } = texts(context.locale)
    const example = `/schedule add ${schedule.exampleRule} ${schedule.exampleTitle}`
    return refuse({
      code: 'unreadable',
      text: renderScheduleProblem({ kind: 'no_time', typed: when, example }, context.locale),
    })
  }
  async function carryOut(request: ScheduleRequest, context: CommandContext): Promise<string> {
    const answer = await reach(() => answerSchedule(request, context, schedules))
    return answer.ok ? answer.text : refuse({ code: 'unknown_schedule' })
  }

  app.get('/api/schedules', async (c) => {
    const context = contextFor(web, c, {})
    return c.json({ schedules: (await listed(context)).map((schedule) => view(schedule, context)) })
  })

  app.post('/api/schedules', async (c) => {
    const body = await bodyOf(c.req.raw, ScheduleBody)
    const context = contextFor(web, c, body)
    const line = 'text' in body ? body.text : `${whole(body.when, context)} ${body.title}`
    const text = await carryOut(read(`add ${line}`, context), context)
    const schedule = await found(context, Number(/#(\d+)/.exec(text)?.[1]))
    return c.json({ schedule: view(schedule, context), text }, 201)
  })

  app.patch('/api/schedules/:id', async (c) => {
    const id = idIn(c)
    const body = await bodyOf(c.req.raw, SchedulePatch)
    const context = contextFor(web, c, body)
    await found(context, id)
    const requests: ScheduleRequest[] = [
      ...(body.text === undefined ? [] : [read(`update ${id} ${body.text}`, context)]),
      ...(body.paused === undefined ? [] : [{ kind: body.paused ? ('pause' as const) : ('resume' as const), id }]),
      ...(body.repeats === undefined ? [] : [{ kind: 'repeat' as const, id, on: body.repeats }]),
    ]
    for (const [index, request] of requests.entries())
      await carryOut(request, { ...context, effectId: `${context.effectId}-${index}` })
    return c.json(view(await found(context, id), context))
  })

  app.delete('/api/schedules/:id', async (c) => {
    const id = idIn(c)
    const context = contextFor(web, c, {})
    await found(context, id)
    await carryOut({ kind: 'delete', id }, context)
    return c.json({ id, deleted: true })
  })

  app.get('/api/schedules/:id/slots', async (c) => {
    const context = contextFor(web, c, {})
    const { id } = await found(context, idIn(c))
    const limit = countIn(c, 'limit', limits.listed, limits.listedAtMost)
    return c.json({
      slots: await reach(() => schedules.schedules.slots(webWorkspace, schedules.scopeOf(context), id, limit)),
    })
  })

  app.post('/api/schedules/:id/run', async (c) => await press(c, 'run', 202))
  app.post('/api/schedules/:id/dry', async (c) => await press(c, 'dry', 200))

  /** One gesture is one start, however often it is sent. */
  async function press(c: Context, kind: 'run' | 'dry', status: 200 | 202): Promise<Response> {
    const id = idIn(c)
    const context = contextFor(web, c, await bodyOf(c.req.raw, WorkBody))
    await found(context, id)
    return c.json({ id, text: await carryOut({ kind, id }, context) }, status)
  }
}
