import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createGate, gatedCommits, gatedModel } from '../../../src/agent/kernel/gate.ts'
import { inputs } from '../model/inputs.ts'

it('lets a few through in one turn of the loop, the others in the next ones in their order (C217)', async () => {
  const gate = createGate(4)
  const passed: number[] = []
  const come = async (name: number) => {
    await gate()
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
  expect(gate(), 'nobody waits where there is no crowd').toBe(undefined)
})

it('has the answers of models and of commits pass it (C217)', async () => {
  const gone: string[] = []
  const note =
    <T>(name: string, answer: T) =>
    async () => {
      gone.push(name)
      return answer
    }
  const gate = note('gate', undefined)
  const reply = { ok: false, code: 'aborted', usage: { promptTokens: 0, completionTokens: 0 } } as const
  const model = gatedModel({ name: 'fake', call: note('model', reply) }, gate)
  const commits = gatedCommits({ commit: note('commit', { kind: 'fenced' } as const) }, gate)
  const lease = { item: { kind: 'run', workspace: 'test:team', id: 'r_1' }, fence: 1 } as const
  expect(await model.call('chat', inputs.chat, new AbortController().signal)).toBe(reply)
  expect(await commits.commit(lease, { id: 'k_1', at: 0 })).toEqual({ kind: 'fenced' })
  expect(gone).toEqual(['model', 'gate', 'commit', 'gate'])
})
