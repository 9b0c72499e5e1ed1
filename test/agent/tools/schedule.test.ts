import { expect, it } from 'vitest'
import { scheduleTable } from '../../../src/agent/commands/schedule-table.ts'
import { scopeBy } from '../../../src/agent/commands/scope.ts'
import { runStrategies } from '../../../src/agent/domain/schedule.ts'
import { createCommandTool } from '../../../src/agent/tools/command-tool.ts'
import { createFakeSchedules } from '../../fakes/schedules.ts'
import { toolContext } from './context.ts'

const none = {
  at: null,
  cron: null,
  every: null,
  unit: null,
  zone: null,
  from: null,
  until: null,
}

function setUp() {
  const schedules = createFakeSchedules()
  const deps = {
    schedules,
    runs: { state: async () => null },
    scopeOf: scopeBy('channel'),
    allowable: [],
    ways: runStrategies,
  }
  return { schedules, tool: createCommandTool('schedule', scheduleTable, deps) }
}
const now = Date.UTC(2026, 10, 25, 9)
const context = toolContext({ now, timeZone: 'Europe/Berlin' })

it.each([
  [
    { ...none, kind: 'once', at: '2026-12-01 09:00' },
    { kind: 'once', at: Date.UTC(2026, 11, 1, 8) },
  ],
  [
    { ...none, kind: 'cron', cron: '0 9 * * 1-5', until: '2026-12-31 23:59' },
    { kind: 'cron', expression: '0 9 * * 1-5', times: -1, until: Date.UTC(2026, 11, 31, 22, 59) },
  ],
  [
    {
      ...none,
      kind: 'every',
      every: 2,
      unit: 'weeks',
      from: '2026-12-01 09:00',
      zone: 'Asia/Tokyo',
    },
    { kind: 'every', start: Date.UTC(2026, 11, 1), minutes: 20_160, times: -1 },
  ],
])('takes when it is due in fields, and every word as what to do (C321)', async (rule, when) => {
  const { schedules, tool } = setUp()
  const input = 'add every day at 9 until the 31st'
  const { ok } = await tool.run(JSON.stringify({ input, rule }), context)
  const [row] = await schedules.list(context.workspace, scopeBy('channel')(context))
  expect({ ok, when: row?.when, title: row?.title }).toEqual({
    ok: true,
    when,
    title: 'every day at 9 until the 31st',
  })
})

it.each([
  [{ ...none, kind: 'once', at: '2026-02-30 09:00' }, /day that there is/],
  [
    { ...none, kind: 'once', at: '2026-12-01 09:00', until: '2026-12-02 09:00' },
    /until must be null/,
  ],
  [{ ...none, kind: 'every', every: 0.5, unit: 'days' }, /whole number/],
  [{ ...none, kind: 'every', every: 1e9, unit: 'weeks' }, /at most ten years/],
  [{ kind: 'once' }, /fields are not right/],
])('refuses fields that say no time, with what is wrong (C321)', async (rule, text) => {
  const { schedules, tool } = setUp()
  const answer = await tool.run(JSON.stringify({ input: 'add x', rule }), context)
  expect(answer).toEqual({ ok: false, text: expect.stringMatching(text) })
  expect(await schedules.list(context.workspace, scopeBy('channel')(context))).toEqual([])
})

it('names every field as required, as strict function calling wants it (C321)', () => {
  const { tool } = setUp()
  expect(tool.fields).toMatchObject({ required: ['input', 'rule'], additionalProperties: false })
  expect(JSON.stringify(tool.fields)).not.toMatch(/propertyNames|minimum|const"/)
})
