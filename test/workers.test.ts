import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSystemClock } from '../src/clock.ts'
import { startWorkers } from '../src/compose/workers.ts'
import { silent } from './support/silent.ts'

it.each([
  ['ends at once', process.execPath, 'ended with 3'],
  ['cannot be started', join(tmpdir(), 'no-such-program'), 'could not be started'],
])(
  'waits longer each time before a worker that %s is started again (C589)',
  async (_, program, how) => {
    const waits: number[] = []
    const said: string[] = []
    const enough = Promise.withResolvers<void>()
    const clock = {
      ...createSystemClock(),
      now: () => 0,
      async sleep(ms: number) {
        waits.push(ms)
        if (waits.length === 9) enough.resolve()
      },
    }
    const log = { ...silent, warn: (_: object, message: string) => void said.push(message) }
    const begin = () => spawn(program, ['-e', 'process.exit(3)'], { stdio: 'ignore' })
    const workers = startWorkers({ count: 1, begin, clock, log })
    await enough.promise
    await workers.stop()
    expect(waits.slice(0, 9)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
    expect(said[0]).toContain(`worker 1 ${how}`)
  },
)
