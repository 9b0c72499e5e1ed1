import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createPace, pacedCommits, pacedModel } from '../../../src/agent/kernel/pace.ts'
import { inputs } from '../model/inputs.ts'

it('lets a few through in one turn of the loop, the others in the next ones in their order (C217)', async () => {
  const pace = createPace(4)
  const passed: number[] = []
  const come = async (name: number) => {
    await pace(true)
    passed.push(name)
  }
  const all = Array.from({ length: 10 }, (_, name) => come(name))
  await Promise.resolve()
  expect(passed).toEqual([0, 1, 2, 3])
  await nextTurn()
  all.push(come(10))
  expect(passed).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  await nextTurn()
  expect(passed).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  await Promise.all(all)
  await nextTurn()
  expect(pace(true), 'nobody waits where there is no crowd').toBe(undefined)
})

it('lets what people wait for go before the steps of runs (C217, C254)', async () => {
  const pace = createPace(2)
  const passed: string[] = []
  const come = async (name: string, isRun: boolean) => {
    await pace(isRun)
    passed.push(name)
  }
  const all = ['a', 'b', 'c'].map((name) => come(`run ${name}`, true))
  all.push(come('answer', false))
  await nextTurn()
  expect(passed).toEqual(['run a', 'run b', 'answer', 'run c'])
  await Promise.all(all)
})

it('has the answers of models and of commits pass it (C217)', async () => {
  const gone: string[] = []
  const note =
    <T>(name: string, answer: T) =>
    async () => {
      gone.push(name)
      return answer
    }
  const pace = async (isRun: boolean) => void gone.push(isRun ? 'pace of runs' : 'pace')
  const reply = {
    ok: false,
    code: 'aborted',
    usage: { promptTokens: 0, completionTokens: 0 },
  } as const
  const model = pacedModel({ name: 'fake', call: note('model', reply) }, pace)
  const commits = pacedCommits({ commit: note('commit', { kind: 'fenced' } as const) }, pace)
  const lease = { item: { kind: 'run', workspace: 'test:team', id: 'r_1' }, fence: 1 } as const
  expect(await model.call('chat', inputs.chat, new AbortController().signal)).toBe(reply)
  expect(await commits.commit(lease, { id: 'k_1', at: 0 })).toEqual({ kind: 'fenced' })
  expect(gone).toEqual(['model', 'pace of runs', 'commit', 'pace of runs'])
})
