import { createHash } from 'node:crypto'
import { Command, Redis } from 'ioredis'
import { unpacked } from '../../../src/store/redis/packed-keys.ts'
import { type ScriptName, scripts } from '../../../src/store/redis/scripts.ts'

export interface Sent {
  /** The command, lower case. */
  name: string
  /** Which script it runs, if it runs one. */
  script: ScriptName | null
  /** Of all its arguments together. */
  bytes: number
}

/** A client that notes what it sends. */
export class TappedRedis extends Redis {
  readonly sent: Sent[] = []
  /** Something that happens between what came before and this command. */
  before: ((sent: Sent) => Promise<void>) | null = null

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    const sent = sentOf(command)
    this.sent.push(sent)
    if (this.before === null) return super.sendCommand(command, stream)
    return this.before(sent).then(() => super.sendCommand(command, stream))
  }
}

function sentOf(command: Parameters<Redis['sendCommand']>[0]): Sent {
  const args = command.args.map(String)
  return {
    name: command.name.toLowerCase(),
    script: scriptOf(args[0] ?? ''),
    bytes: args.reduce((sum, arg) => sum + Buffer.byteLength(arg), 0),
  }
}

const named = new Map(
  Object.entries(scripts).flatMap(([name, text]) =>
    [text, unpacked(text)].flatMap((form) => [
      [form, name as ScriptName],
      [createHash('sha1').update(form).digest('hex'), name as ScriptName],
    ]),
  ),
)
const scriptOf = (first: string) => named.get(first) ?? null

/** What one script did to the data, run twice in a row. */
export interface Doubled {
  script: ScriptName
  /** The first run changed something. */
  changed: boolean
  /** The second run changed nothing more. */
  same: boolean
}

/**
 * A digest of every key; sent along with the scripts, so that nothing comes in between. Of contents, in an order of its
 * own: the bytes of `DUMP` change when a hash is only read while its table grows.
 */
const digest = `
local function sorted(list) table.sort(list) return list end
local function hash(key)
  local fields = sorted(redis.call('HKEYS', key))
  for i, field in ipairs(fields) do fields[i] = {field, redis.call('HGET', key, field)} end
  return fields
end
local contents = {
  string = function(key) return redis.call('GET', key) end,
  list = function(key) return redis.call('LRANGE', key, '0', '-1') end,
  set = function(key) return sorted(redis.call('SMEMBERS', key)) end,
  zset = function(key) return redis.call('ZRANGE', key, '0', '-1', 'WITHSCORES') end,
  stream = function(key) return redis.call('XRANGE', key, '-', '+') end,
  hash = hash,
}
local all = {}
for i, key in ipairs(sorted(redis.call('KEYS', '*'))) do
  local kind = redis.call('TYPE', key).ok
  all[i] = redis.sha1hex(cmsgpack.pack({key, contents[kind](key)}))
end
return redis.sha1hex(table.concat(all))
`

/** A client that sends every script twice, as a connection does that broke before its answer came (P8). */
export class DoublingRedis extends Redis {
  readonly doubled: Promise<Doubled>[] = []

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    const script =
      command.name === 'eval' || command.name === 'evalsha'
        ? scriptOf(String(command.args[0]))
        : null
    if (script === null) return super.sendCommand(command, stream)
    const look = () =>
      super.sendCommand(new Command('eval', [digest, '0'], { replyEncoding: 'utf8' }), stream)
    const before = look()
    const first = new Command(command.name, command.args, { replyEncoding: 'utf8' })
    // A refusal (a script that the server does not know yet) is the second one's to report.
    first.promise.catch(() => {})
    super.sendCommand(first, stream)
    const once = look()
    const second = super.sendCommand(command, stream)
    this.doubled.push(compare(script, [before, once, look()]))
    return second
  }
}

async function compare(script: ScriptName, looks: readonly unknown[]): Promise<Doubled> {
  const [before, once, twice] = await Promise.all(looks)
  return { script, changed: before !== once, same: once === twice }
}
