import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { runAgent } from '../../../src/adapters/coding/agent-process.ts'
import { createSystemClock } from '../../../src/clock.ts'

it('ends an agent of which it could not be noted that it works: nobody could end it after a crash', async () => {
  const groups: number[] = []
  const end = await runAgent(
    {
      ...{
        argv: [process.execPath, '-e', 'setInterval(() => {}, 1_000)'],
        cwd: tmpdir(),
        env: {},
        input: null,
      },
      ...{ timeMs: 60_000, outputBytes: 10_000 },
    },
    {
      ...{ clock: createSystemClock(), signal: new AbortController().signal },
      async begun(group) {
        groups.push(group)
        throw new Error('no space left on device')
      },
    },
  )
  expect(end).toMatchObject({
    why: 'stopped',
    output: expect.stringContaining('no space left on device'),
  })
  expect(() => process.kill(-(groups[0] ?? 0), 0)).toThrow('ESRCH')
})
