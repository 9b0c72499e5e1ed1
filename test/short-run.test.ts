import { expect, it } from 'vitest'
import { commandsOf, countShortRun } from './bench/short-run.ts'
import { startNativeRedis } from './support/native-redis.ts'
import { describeWith } from './support/programs.ts'

describeWith('redis-server', 'a short task', (program) => {
  it('costs no more commands to Redis than it has to', async () => {
    const server = await startNativeRedis(program)
    const run = await countShortRun(server).finally(() => server.stop())
    expect(run.modelCalls).toBe(12)
    expect(run.commands.has('queue'), 'no job for what this process can do itself').toBe(false)
    expect(commandsOf(run), [...run.commands].join('\n')).toBeLessThanOrEqual(110)
  })
})
