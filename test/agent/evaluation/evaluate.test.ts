import { describe, expect, it } from 'vitest'
import type { TeamWords } from '../../../src/agent/contracts/input.ts'
import { withStandIns } from '../../../src/agent/domain/stand-ins.ts'
import { checksOf, failureOf } from '../../../src/agent/evaluation/checks.ts'
import { evaluate } from '../../../src/agent/evaluation/evaluate.ts'
import type { KeptTest } from '../../../src/agent/evaluation/kept-test.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { acts, asks, closes, createFakeModel, decides, ends, plans } from '../../fakes/model.ts'
import { ana, ben, useClew } from '../../support/agent.ts'

const start = useClew()

/** Answers in the city that the team's words name, and else in Porto. */
function obedient() {
  const model = createFakeModel()
  model.answer(({ contract, input }) => {
    if (contract === 'act')
      return { text: /It is Lisbon/.test(JSON.stringify(input)) ? 'PASS' : 'FAIL: no.', calls: [] }
    if (contract === 'plan') return plans('Find the city')
    if (contract !== 'thought') {
      const isTold = 'team' in input && input.team?.instructions?.includes('Lisbon')
      return ends(isTold ? 'It is Lisbon.' : 'It is Porto, as Ana said.')
    }
    if (!('observations' in input)) return closes()
    if (input.observations.length === 0) return acts('list')
    return 'clarifications' in input && input.clarifications.length === 0
      ? asks('Which year, Ana?', ['2025', '2026'])
      : closes()
  })
  return model
}

/** A run that asked and called, was rated, and kept as a test. */
async function kept(right: string, hasFolder = true) {
  const tests: KeptTest[] = []
  const clew = await start({
    ...(hasFolder && { tests: { keep: async (test: KeptTest) => void tests.push(test) } }),
  })
  clew.model.on('decision', decides.run('Where does Ana go?'))
  clew.model.answer((call) => {
    if (call.contract === 'plan') return plans('Find the city')
    if (call.contract !== 'thought') return ends('It is Porto, as Ana said.')
    if (!('observations' in call.input)) return closes()
    if (call.input.observations.length === 0) return acts('list')
    return 'clarifications' in call.input && call.input.clarifications.length === 0
      ? asks('Which year, Ana?', ['2025', '2026'])
      : closes()
  })
  await clew.say('Where does Ana go?')
  await clew.idle()
  const [question] = (await clew.state()).questions
  await clew.choose(question?.id ?? '', '2026')
  await clew.idle()
  const { id: runId } = await clew.run()
  const tell = async (content: object, by = ana) => {
    await clew.gesture({ kind: 'feedback', runId, good: false, ...content }, { by })
    await clew.idle()
    return clew.channel.shown.at(-1)?.delivery.body
  }
  const asked = await tell({ reason: 'wrong', words: 'Ben knows: it is Lisbon.' }, ben)
  await clew.gesture({ kind: 'keep_test', runId, right }, { by: ben })
  await clew.idle()
  return { test: tests.at(-1), asked, said: clew.texts().at(-1) }
}

const team = (instructions: string | null) => (): TeamWords => ({ instructions, skills: [] })
const clock = createManualClock({ start: Date.UTC(2026, 2, 4) })

async function tried(test: KeptTest, instructions: string | null, judges = false) {
  return await evaluate(test, { model: obedient(), clock, judges, team: team(instructions) })
}

it('fails a kept 👎 before its fix and passes it after (C732, C733)', async () => {
  const { test, asked, said } = await kept('says: Lisbon\nnever says: Porto\ncalls: todo')
  expect(asked).toMatchObject({ asks: { about: 'test' } })
  expect(said).toContain('Kept as a test')
  if (test === undefined) throw new Error('nothing was kept')
  const before = await tried(test, null)
  expect(before.problems).toEqual(['the report does not say “Lisbon”', 'the report says “Porto”'])
  const after = await tried(test, 'The city is Lisbon.')
  expect(after).toMatchObject({ problems: [], unknownCalls: 0 })
  expect(after.spent.modelCalls).toBe(before.spent.modelCalls)
  expect(after.spent.promptTokens).toBeGreaterThan(0)
})

it('keeps no names: one stand-in for each person, in all texts (C732)', async () => {
  const { test } = await kept('says: Lisbon, as Ana wanted')
  const text = JSON.stringify(test)
  expect(text).not.toMatch(/\b(Ana|Ben|ana|ben)\b/)
  expect(test).toMatchObject({
    right: 'says: Lisbon, as Person 1 wanted',
    wrong: [{ reason: 'wrong', words: 'Person 2 knows: it is Lisbon.' }],
    report: expect.stringContaining('It is Porto, as Person 1 said.'),
    answers: [{ question: 'Which year, Person 1?', text: '2026' }],
  })
})

it('judges by a model only where it is told to, and never passes what it cannot check (C733)', async () => {
  const { test } = await kept('The city is the one of the team.')
  if (test === undefined) throw new Error('nothing was kept')
  expect((await tried(test, 'The city is Lisbon.')).problems).toEqual([
    expect.stringContaining('takes a judge'),
  ])
  expect((await tried(test, 'The city is Lisbon.', true)).problems).toEqual([])
  expect((await tried(test, null, true)).problems).toEqual(['not as wanted: FAIL: no.'])
  expect((await tried({ ...test, right: ' ' }, null)).problems).toHaveLength(1)
})

it('says what to switch on where tests cannot be kept (C732)', async () => {
  const { asked, said } = await kept('says: Lisbon', false)
  expect(asked).not.toHaveProperty('asks')
  expect(said).toContain('`TESTS`')
})

it.each([
  ['says: Lisbon', { kind: 'says', words: 'Lisbon', holds: true }],
  ['- Never says : Porto', { kind: 'says', words: 'Porto', holds: false }],
  ['not calls: email', { kind: 'calls', tool: 'email', holds: false }],
  ['不说：波尔图', { kind: 'says', words: '波尔图', holds: false }],
  ['调用: todo', { kind: 'calls', tool: 'todo', holds: true }],
  ['It says what it costs.', { kind: 'judge', words: 'It says what it costs.' }],
])('reads what would be right: %s (C733)', (line, check) => {
  expect(checksOf(`\n${line}\n`)).toEqual([check])
})

it('compares words as people read them (C733)', () => {
  const of = (report: string) => ({ report, tools: ['todo'] })
  const says = { kind: 'says', words: 'two  Rooms', holds: true } as const
  expect(failureOf(says, of('There are TWO\nrooms.'))).toBeNull()
  expect(failureOf(says, of('There are three rooms.'))).toContain('does not say')
  expect(failureOf({ kind: 'calls', tool: 'email', holds: false }, of(''))).toBeNull()
})

describe('stand-ins (C732)', () => {
  const wei = { id: 'U77', name: '王伟' }
  const will = { id: 'U9', name: 'Will Smith' }
  it.each([
    ['Banana for Ana and ana-1, ana!', 'Banana for Person 1 and person-1-1, person-1!'],
    ['<@U77> 请王伟看一下', '<@person-2> 请Person 2看一下'],
    ['Will Smith will come; Smith too', 'Person 3 will come; Person 3 too'],
    ['Write to ana.silva@corp.example', 'Write to someone@example.com'],
  ])('replace %s', (text, masked) => {
    expect(withStandIns({ text: [text] }, [ana, wei, will])).toEqual({ text: [masked] })
  })
})
