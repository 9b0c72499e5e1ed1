import type { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../../../src/store/redis/connection.ts'
import { freePort } from '../../support/free-port.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'

/** How a client would connect; it is not let through to anybody. */
function optionsOf(url: string) {
  const redis = connect(url, 'commands')
  redis.disconnect()
  return redis.options
}

it('reads a URL with everything in it', () => {
  expect(optionsOf('redis://ana:secret@db.example:6380/3')).toMatchObject({
    host: 'db.example',
    port: 6380,
    username: 'ana',
    password: 'secret',
    db: 3,
  })
  expect(optionsOf('rediss://db.example')).toHaveProperty('tls', true)
})

it.each([
  [
    'redis+sentinel://a:1,b/clew',
    {
      name: 'clew',
      sentinels: [
        { host: 'a', port: 1 },
        { host: 'b', port: 26379 },
      ],
    },
  ],
  ['redis+sentinel://:secret@a:1/clew/2', { name: 'clew', password: 'secret', db: 2 }],
  ['redis+sentinel://ana:secret@a:1/clew', { username: 'ana', password: 'secret' }],
])('reads the sentinels of %s', (url, expected) => {
  expect(optionsOf(url)).toMatchObject(expected)
})

it('reads the nodes of a cluster, and refuses a URL that names none', () => {
  const cluster = connect('redis+cluster://ana:secret@a:1,b', 'commands')
  cluster.disconnect()
  expect(cluster).toMatchObject({
    startupNodes: [
      { host: 'a', port: 1 },
      { host: 'b', port: 6379 },
    ],
    options: { redisOptions: { username: 'ana', password: 'secret' } },
  })
  expect(() => connect('redis+cluster:///', 'commands')).toThrow(
    expect.objectContaining({ code: 'bad_url' }),
  )
})

it('refuses sentinels without the name of what they watch', () => {
  expect(() => connect('redis+sentinel://a:1', 'commands')).toThrow(
    expect.objectContaining({ code: 'bad_url' }),
  )
})

describeWith('redis-server', 'a connection', (program) => {
  it('fails a command that has no answer, and is there again when Redis is (P7)', async () => {
    const port = await freePort()
    const redis = connect(`redis://127.0.0.1:${port}`, 'commands')
    onTestFinished(() => redis.disconnect())
    await expect(redis.ping()).rejects.toThrow('timed out')
    const server = await startRedis(program, { port: String(port) })
    onTestFinished(() => server.stop())
    await expect.poll(() => redis.ping().catch(() => 'no answer'), { timeout: 5_000 }).toBe('PONG')
  })

  it('writes the commands of one moment at once', async () => {
    const server = await startRedis(program)
    onTestFinished(() => server.stop())
    const redis = connect(server.url, 'commands')
    onTestFinished(() => redis.disconnect())
    await redis.ping()
    const { stream } = redis as Redis
    const answers = [redis.set('a', 1), redis.get('a')]
    expect(stream.writableLength).toBeGreaterThan('set a 1 get a'.length)
    expect(await Promise.all(answers)).toEqual(['OK', '1'])
    expect(stream.writableCorked).toBe(0)
  })
})
