import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { lookScript } from '../../src/store/redis/look.ts'
import { unpacked } from '../../src/store/redis/packed-keys.ts'
import { scripts } from '../../src/store/redis/scripts.ts'
import { type Bench, work } from './measure.ts'
import { monitor } from './monitor.ts'

/**
 * Counts the commands that reach Redis while runs are worked on, as Redis itself sees them, by what they ask. What a script
 * calls inside is not counted: it crosses no network. Slower than without, so nothing is timed here.
 */
export async function countTrips(
  bench: Bench,
  runs: number,
  items: number,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const stop = await monitor(bench.redis, (args) => {
    const name = nameOf(args)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  })
  await work(bench, runs, items)
  await wait(100)
  stop()
  return counts
}

const scriptNames = new Map(
  Object.entries({ ...scripts, look: lookScript }).flatMap(([name, text]) =>
    [text, unpacked(text)].map((form) => [createHash('sha1').update(form).digest('hex'), name]),
  ),
)

/** What a command asks: the script's name, or the command, and the kind of key that it is about. */
export function nameOf(args: readonly string[]): string {
  const [command = '', first = '', , key = ''] = args
  const isScript = /^eval/i.test(command)
  const touched = isScript ? key : first
  if (touched.startsWith('{clew}')) return 'queue'
  if (/^xread$/i.test(command)) return 'event log (page)'
  if (touched.endsWith(':events'))
    return /^xrange|^xinfo|^xrevrange/i.test(command) ? 'event log (page)' : 'event log'
  const name = isScript ? (scriptNames.get(first) ?? 'script') : command.toLowerCase()
  return `${name} ${partOf(touched)}`
}

/** `clew:{web:local}:conversation:c_1:outbox` is `conversation outbox`. */
const partOf = (key: string): string =>
  key
    .replace(/^clew:\{[^}]*\}:/, '')
    .split(':')
    .filter((_, at) => at !== 1)
    .join(' ')
