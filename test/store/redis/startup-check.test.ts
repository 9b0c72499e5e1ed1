import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startEmbeddedStore } from '../../../src/store/embedded.ts'
import { connect } from '../../../src/store/redis/connection.ts'
import { checkRedis } from '../../../src/store/redis/startup-check.ts'
import { freePort } from '../../support/free-port.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'

/** What a start says of the Redis at `url`: its warnings, or why it refuses. */
async function verdict(url: string, strict = false): Promise<string[]> {
  const redis = connect(url, 'commands')
  onTestFinished(() => redis.disconnect())
  return await checkRedis(redis, { strict }).catch((error: Error & { code?: string }) => [
    `${error.code}: ${error.message}`,
  ])
}

describeWith('redis-server', 'the checks at the start', (program) => {
  async function serverWith(settings: Record<string, string>): Promise<string> {
    const server = await startRedis(program, settings)
    onTestFinished(() => server.stop())
    return server.url
  }

  it('are content with an append-only file and no eviction (P7)', async () => {
    expect(await verdict(await serverWith({ appendonly: 'yes' }))).toEqual([])
  })

  it('warn of a Redis without an append-only file, and say what to set (P7)', async () => {
    const [warning, ...more] = await verdict(await serverWith({ appendonly: 'no' }))
    expect(warning).toContain('`appendonly yes`')
    expect(more).toEqual([])
  })

  it('refuse a Redis that throws rows away, and say what to set (P7)', async () => {
    const said = await verdict(
      await serverWith({ appendonly: 'yes', 'maxmemory-policy': 'allkeys-lru' }),
    )
    expect(said).toEqual([
      expect.stringMatching(
        /^unsafe_settings: maxmemory-policy is allkeys-lru.*`maxmemory-policy noeviction`/,
      ),
    ])
  })
})

it('refuse a Redis that does not answer, and say what to look at', async () => {
  const said = await verdict(`redis://127.0.0.1:${await freePort()}`)
  expect(said).toEqual([expect.stringMatching(/^unreachable: .*REDIS_URL/)])
})

/** A server that answers INFO and CONFIG GET as another version would. */
async function serverThatSays(info: string, appendfsync: string | null): Promise<string> {
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        for (const command of chunk.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
          const name = command[1]?.toLowerCase()
          const settings =
            appendfsync === null
              ? '-ERR unknown command\r\n'
              : `*2\r\n$11\r\nappendfsync\r\n${bulk(appendfsync)}`
          if (name === 'info') socket.write(bulk(info))
          else if (name === 'config') socket.write(settings)
          else socket.write('+OK\r\n')
        }
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return `redis://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`

const infoOf = ({ redis = '7.4.1', valkey = '', aof = 1, policy = 'noeviction' }) =>
  [
    `redis_version:${redis}`,
    ...(valkey === '' ? [] : [`valkey_version:${valkey}`]),
    `maxmemory_policy:${policy}`,
    `aof_enabled:${aof}`,
    'loading:0',
    '',
  ].join('\r\n')

const ok: string[] = []
it.each([
  ['Redis 6', infoOf({ redis: '6.2.14' }), 'everysec', false, 'upgrade it'],
  ['Redis 7.0', infoOf({ redis: '7.0.15' }), 'everysec', false, ok],
  ['Redis 8', infoOf({ redis: '8.2.0' }), 'everysec', false, ok],
  ['Valkey 9', infoOf({ redis: '7.2.4', valkey: '9.1.1' }), 'everysec', false, ok],
  ['strict Redis 7.0', infoOf({ redis: '7.0.15' }), 'everysec', true, 'needs Redis 7.2 or Valkey'],
  ['strict Redis 7.2', infoOf({ redis: '7.2.0' }), 'everysec', true, ok],
  ['strict Redis 8', infoOf({ redis: '8.0.0' }), 'always', true, ok],
  ['strict Redis that hides its settings', infoOf({}), null, true, ok],
  ['strict Redis that never syncs', infoOf({}), 'no', true, '`appendfsync everysec`'],
  ['strict Redis without a file', infoOf({ aof: 0 }), 'everysec', true, '`appendonly yes`'],
  ['strict Valkey 8', infoOf({ redis: '7.2.4', valkey: '8.1.0' }), 'everysec', true, ok],
  [
    'strict Valkey 9',
    infoOf({ redis: '7.2.4', valkey: '9.1.1' }),
    'everysec',
    true,
    '`appendfsync always`',
  ],
  [
    'strict Valkey 9 that always syncs',
    infoOf({ redis: '7.2.4', valkey: '9.1.1' }),
    'always',
    true,
    ok,
  ],
  [
    'strict Valkey 9 that hides its settings',
    infoOf({ redis: '7.2.4', valkey: '9.1.1' }),
    null,
    true,
    'CONFIG GET',
  ],
] as const)('judge a %s (P7)', async (_, info, appendfsync, strict, expected) => {
  const said = await verdict(await serverThatSays(info, appendfsync), strict)
  if (typeof expected === 'string')
    expect(said).toEqual([expect.stringMatching(/^unsafe_settings: /)])
  expect(said.join()).toContain(String(expected))
  if (expected === ok) expect(said).toEqual([])
})

it('know the real Valkey 9 whose WAITAOF confirms too early (P7)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-checks-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const early = await startEmbeddedStore({ dataDir: join(folder, 'early'), log: () => {} })
  onTestFinished(() => early.stop())
  const careful = await startEmbeddedStore({
    dataDir: join(folder, 'careful'),
    log: () => {},
    strict: true,
  })
  onTestFinished(() => careful.stop())
  expect(await verdict(early.url)).toEqual([])
  expect(await verdict(early.url, true)).toEqual([expect.stringContaining('`appendfsync always`')])
  expect(await verdict(careful.url, true)).toEqual([])
})
