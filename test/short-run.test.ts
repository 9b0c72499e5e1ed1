import { expect, it } from 'vitest'
import { commandsOf, countShortRun } from './bench/short-run.ts'
import { startNativeRedis } from './support/native-redis.ts'
import { describeWith } from './support/programs.ts'

describeWith('redis-server', 'a short task', (program) => {
  it('costs at most 40 commands to Redis, 4 more for each time that something is shown, and no job (C106, C173)', async () => {
    const server = await startNativeRedis(program)
    const run = await countShortRun(server).finally(() => server.stop())
    expect(run.modelCalls).toBe(12)
    expect(run.jobs, 'no job for what this process can do itself').toBe(0)
    // How often these come depends on how busy the machine is; the rest does not.
    const shown = run.shows + (run.claims.get('outbox')?.held ?? 0)
    expect(commandsOf(run) - 4 * shown, [...run.commands].join('\n')).toBeLessThanOrEqual(40)
    expect(run.bytes - 800 * shown, 'C270').toBeLessThan(40_000)
    // The one that is held when it is made is not claimed; it is claimed once when its question is answered.
    expect(run.claims.get('run')?.held).toBe(1)
  })
})
