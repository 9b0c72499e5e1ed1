import { createHash } from 'node:crypto'
import { Command, Redis } from 'ioredis'
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
  Object.entries(scripts).flatMap(([name, text]) => [
    [text, name as ScriptName],
    [createHash('sha1').update(text).digest('hex'), name as ScriptName],
  ]),
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

/** A digest of every key; sent along with the scripts, so that nothing comes in between. */
const digest = `
local keys = redis.call('KEYS', '*')
table.sort(keys)
local all = {}
for _, key in ipairs(keys) do all[#all + 1] = key .. redis.sha1hex(redis.call('DUMP', key)) end
return redis.sha1hex(table.concat(all, ' '))
`

/** A client that sends every script twice, as a connection does that broke before its answer came (P8). */
export class DoublingRedis extends Redis {
  readonly doubled: Promise<Doubled>[] = []

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    const script = command.name === 'eval' || command.name === 'evalsha' ? scriptOf(String(command.args[0])) : null
    if (script === null) return super.sendCommand(command, stream)
    const look = () => super.sendCommand(new Command('eval', [digest, '0'], { replyEncoding: 'utf8' }), stream)
    const before = look()
    const first = super.sendCommand(new Command(command.name, command.args, { replyEncoding: 'utf8' }), stream)
    const once = look()
    const second = super.sendCommand(command, stream)
    this.doubled.push(compare(script, [before, first, once, look()]))
    return second
  }
}

async function compare(script: ScriptName, answers: readonly unknown[]): Promise<Doubled> {
  const [before, , once, twice] = await Promise.allSettled(answers)
  const value = (one: PromiseSettledResult<unknown> | undefined) =>
    one?.status === 'fulfilled' ? one.value : one?.reason
  return { script, changed: value(before) !== value(once), same: value(once) === value(twice) }
}
