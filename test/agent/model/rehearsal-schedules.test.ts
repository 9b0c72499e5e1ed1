import { expect, it } from 'vitest'
import { readScheduling } from '../../../src/agent/model/rehearsal/schedules.ts'

it.each([
  ['Every friday at 4pm remind the team to log hours', 'add Every friday at 4pm log hours --note'],
  ['每天早上八点提醒我喝水', 'add 每天早上八点喝水 --note'],
  ['Every friday at 4pm post what is due', 'add Every friday at 4pm post what is due'],
])('a rule that reminds only says something: %s (F13)', (text, command) => {
  expect(readScheduling(text, (plain) => plain)?.command).toBe(command)
})
