import { expect, it } from 'vitest'
import type { MissionInput } from '../../../src/agent/contracts/mission.ts'
import { readReply } from '../../../src/agent/contracts.ts'
import { createRehearsalModel } from '../../../src/agent/model/rehearsal.ts'
import { inputs } from './inputs.ts'

const model = createRehearsalModel({ clock: { sleep: async () => {} }, paceMs: 0 })

async function ask<N extends 'mission' | 'evaluate' | 'mission_report'>(contract: N, over: Partial<MissionInput>) {
  const input = { ...inputs[contract], ...over }
  const answer = await model.call(contract, input, new AbortController().signal)
  const read = answer.ok ? readReply(contract, input, answer.value) : null
  if (read === null || !read.ok) throw new Error(`refused: ${read?.problem}`)
  return read.reply
}
const { report } = inputs.evaluate

it('takes the request as one step, and the coding agent at its word (R124, R129)', async () => {
  const first = await ask('mission', { steps: [], goal: 'Fix add()', clarifications: [] })
  expect(first.steps).toMatchObject([{ title: 'Fix add()', description: 'Fix add()' }])
  expect((await ask('evaluate', {})).decision).toBe('next')
  const failed = report === null ? null : { ...report, status: 'failed' as const, text: '' }
  expect(await ask('evaluate', { report: failed })).toMatchObject({ decision: 'retry', evidence: 'failed' })
})

it('says that it is a rehearsal, and whether the goal was reached (R138)', async () => {
  expect((await ask('mission_report', { reached: true })).report).toMatch(/^✔[\s\S]*rehearsal/i)
  expect((await ask('mission_report', { reached: false })).report).toMatch(/^✖/)
})

it('plans what people said later, and nothing more when nothing is left (C31, C50)', async () => {
  expect((await ask('mission', {})).steps.map(({ title }) => title)).toEqual(['Mend add()', 'Lisbon'])
  expect((await ask('mission', { mayBeEmpty: true })).steps).toEqual([])
})
