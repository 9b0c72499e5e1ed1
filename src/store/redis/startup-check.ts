import { Cluster, type Redis } from 'ioredis'
import { type Connection, whyFailed } from './connection.ts'
import { StoreError } from './errors.ts'

/**
 * Checks once, at the start, that this Redis is safe for people's work (P7).
 *
 * @returns warnings, each with what to do.
 * @throws StoreError `unreachable` or `unsafe_settings`, each with what to do.
 */
export async function checkRedis(
  redis: Connection,
  options: { strict: boolean },
): Promise<string[]> {
  if (!(redis instanceof Cluster)) return await checkServer(redis, options)
  if (options.strict)
    throw unsafe(
      'STORE_STRICT cannot confirm what the nodes of a Redis Cluster wrote. Use one server, or unset STORE_STRICT',
    )
  // A cluster knows its nodes only after its first answer.
  await about(redis)
  const warnings = await Promise.all(
    redis.nodes('master').map((node) => checkServer(node, options)),
  )
  return [...new Set(warnings.flat())]
}

async function checkServer(redis: Redis, options: { strict: boolean }): Promise<string[]> {
  const info = await about(redis)
  const version = versionOf(info)
  if (version.major < 7)
    throw unsafe(`this is Redis ${version.text}; Clew needs Redis 7 or Valkey, so upgrade it`)
  const policy = field(info, 'maxmemory_policy')
  if (policy !== 'noeviction')
    throw unsafe(
      `maxmemory-policy is ${policy}: it would throw work away when memory is short. Set \`maxmemory-policy noeviction\``,
    )
  if (options.strict) await checkStrict(redis, info)
  if (field(info, 'aof_enabled') === '1') return []
  return [
    'Redis has no append-only file: a restart of Redis can lose everything since its last snapshot. Set `appendonly yes` and `appendfsync everysec`',
  ]
}

async function checkStrict(redis: Redis, info: string) {
  const version = versionOf(info)
  if (!version.valkey && version.major === 7 && version.minor < 2)
    throw unsafe(
      `STORE_STRICT needs Redis 7.2 or Valkey and this is ${version.text}; upgrade it or unset STORE_STRICT`,
    )
  if (field(info, 'aof_enabled') !== '1')
    throw unsafe('STORE_STRICT needs the append-only file. Set `appendonly yes`')
  const sync = await syncSetting(redis)
  if (sync === 'no')
    throw unsafe(
      'STORE_STRICT never sees a write on disk with `appendfsync no`. Set `appendfsync everysec`',
    )
  // Valkey 9.1.1 with everysec answers WAITAOF before it has synced.
  if ((version.valkey?.major ?? 0) >= 9 && sync !== 'always')
    throw unsafe(
      `STORE_STRICT on Valkey 9 needs \`appendfsync always\` and it is ${sync ?? 'not to be read (allow CONFIG GET)'}: with everysec it confirms writes that are not on disk yet`,
    )
}

/** Value of `appendfsync`; null if the server does not let its settings be read. */
async function syncSetting(redis: Redis): Promise<string | null> {
  try {
    const answer = await redis.config('GET', 'appendfsync')
    return Array.isArray(answer) ? String(answer[1]) : null
  } catch {
    return null
  }
}

async function about(redis: Connection): Promise<string> {
  try {
    return await redis.info()
  } catch (error) {
    throw new StoreError(
      'unreachable',
      `the Redis at REDIS_URL does not answer (${whyFailed(redis, error)}). Is it running, and is the URL right?`,
    )
  }
}

const unsafe = (why: string) => new StoreError('unsafe_settings', why)

function field(info: string, name: string): string {
  const line = info.split('\n').find((one) => one.startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim() ?? ''
}

/** Versions of a server. Valkey names both its own and the Redis that it is compatible with. */
function versionOf(info: string) {
  const valkey = field(info, 'valkey_version')
  return { ...parse(field(info, 'redis_version')), valkey: valkey === '' ? null : parse(valkey) }
}

function parse(text: string) {
  const [major = 0, minor = 0] = text.split('.').map(Number)
  return { major, minor, text }
}
