import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { evaluate } from '../../../src/store/redis/client.ts'
import { keysOf } from '../../../src/store/redis/keys.ts'
import { packed } from '../../../src/store/redis/packed-keys.ts'
import { describeWith } from '../../support/programs.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'

describeWith('redis-server', 'the keys of a script', (program) => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis(program)
  })
  afterAll(() => server.stop())

  it('reach it as they were named, whatever stands in them, and leave its arguments alone (C270)', async () => {
    const redis = server.connect()
    const part = fc.oneof(
      fc.constantFrom('clew:{web:local}:', 'run:r_1', 'Zürich', '线', '\n', ' ', '3 '),
      fc.string(),
    )
    const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
    const script = 'return {KEYS, ARGV}'
    const property = fc.asyncProperty(
      fc.array(name, { maxLength: 6 }),
      fc.array(name),
      async (keys, args) => {
        expect(await evaluate(redis, script, keys, args)).toEqual([keys, args])
      },
    )
    await fc.assert(property, { numRuns: 300 })
  })

  it('are packed to what they do not have in common (C270)', () => {
    const { row, inbox, messages } = keysOf('web:local').conversation('c_1')
    expect(packed([row, inbox, messages])).toBe('33 :inbox\n34 messages\n')
  })
})
