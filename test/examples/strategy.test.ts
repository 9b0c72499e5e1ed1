import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { oneByOne } from '../../examples/strategy/one-by-one.ts'
import { Task } from '../../src/agent/domain/task.ts'
import { createStrategies, strategyOf } from '../../src/agent/strategies/strategies.ts'
import type { AnyEvent } from '../../src/agent/strategies/strategy.ts'
import { value } from '../fakes/openai/replies.ts'
import { limits } from '../support/limits.ts'
import { decision, tell, useWholeClew, when } from '../support/whole-clew.ts'

const here = createStrategies([oneByOne])
const usage = { promptTokens: 1, completionTokens: 1 }
const replied = (text: string | null, ...calls: { tool: string; input: string }[]): AnyEvent => ({
  ...{ kind: 'replied', contract: 'act', usage, ms: 1 },
  reply: { text, calls },
})
const seen: AnyEvent = { kind: 'observed', ok: true, result: 'seen', ms: 1 }

/** A task after these events, written and read as the store does it before each of them. */
function after(...events: AnyEvent[]): Task {
  const begun: Task = oneByOne.strategy.start('Look around', limits, false)
  return events.reduce((task, event) => {
    const read = Task.parse(JSON.parse(JSON.stringify(task)))
    return strategyOf(read, here).apply(read, event)
  }, begun)
}
const next = (task: Task) => strategyOf(task, here).next(task)

it('makes one call after another and says at the end how many it took', () => {
  const [todo, files] = [
    { tool: 'todo', input: 'list' },
    { tool: 'files', input: 'list' },
  ]
  expect(next(after())).toEqual({ kind: 'call_model', contract: 'act' })
  // Of several calls the first: what comes of it may change what is wanted next.
  const first = after(replied('I look', todo, files))
  expect(next(first)).toMatchObject({ kind: 'call_tool', tool: 'todo', step: 2 })
  const several = expect.objectContaining({ along: expect.anything() })
  expect(next(first)).not.toEqual(several)
  expect(next(after(replied('I look', todo, files), seen))).toEqual({
    kind: 'call_model',
    contract: 'act',
  })
  const done = after(replied(null, todo), seen, replied(null, files), seen, replied('That is all.'))
  expect(next(done)).toMatchObject({ kind: 'finish', ok: true, text: 'That is all.\n\n(2 calls)' })
})

it('asks people, goes on with their answer, and stops at the ceilings that all strategies have (C36, C37)', () => {
  const asked = after(replied(null, { tool: 'ask_user', input: 'Which one?' }))
  expect(next(asked)).toEqual({ kind: 'wait' })
  expect(asked.lastQuestion?.text).toBe('Which one?')
  const author = { id: 'ana', name: 'Ana' }
  const answered = strategyOf(asked, here).apply(asked, {
    kind: 'answered',
    question: 'Which one?',
    text: 'This',
    author,
  })
  expect(next(answered)).toEqual({ kind: 'call_model', contract: 'act' })
  const spent = { ...after(), limits: { ...limits, maxModelCalls: 1 } }
  const over = strategyOf(spent, here).apply(spent, replied(null, { tool: 'todo', input: 'list' }))
  expect(next(over)).toEqual({ kind: 'pause', reason: 'model_calls' })
})

const start = useWholeClew()

it('works on the tasks of a whole Clew, by the setting and by the words of a request', async () => {
  const { server, url } = await start({ AGENT_STRATEGY: 'one-by-one' }, { strategies: [oneByOne] })
  server.on('decision', decision('List what is to be done'))
  const call = { tool: 'todo', input: 'list' }
  server.on(
    'act',
    value({ text: null, calls: [call] }),
    value({ text: 'Nothing is to be done.', calls: [] }),
  )
  const id = await tell(url, 'List what is to be done')
  const { messages } = await when(url, id, (shown) => shown.run?.status === 'succeeded')
  expect(messages.at(-1)?.text).toContain('Nothing is to be done.\n\n(1 calls)')
  server.assertDone()
})

it('stays an example that knows the published paths alone', () => {
  const source = readFileSync(
    join(import.meta.dirname, '../../examples/strategy/one-by-one.ts'),
    'utf8',
  )
  expect(source.match(/from '[^']+'/g)).toEqual(["from 'clew/strategy'", "from 'zod'"])
})
