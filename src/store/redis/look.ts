import { evaluate } from './client.ts'
import type { Connection } from './connection.ts'

/*
 * What is read of one workspace at the same time is one command: each command costs its way there and back and the work
 * around it, however little it asks.
 */

type Argument = string | number

/** Something to be read: the commands, each with its key, and what is made of their answers. */
export interface Read<T> {
  commands: readonly (readonly [name: string, key: string, ...args: Argument[]])[]
  take(answers: readonly unknown[]): T
}

/** KEYS one for each command · ARGV for each command its name, the number of its other arguments, and these. */
export const lookScript = `
local answers, at = {}, 1
for i, key in ipairs(KEYS) do
  local count = tonumber(ARGV[at + 1])
  answers[i] = redis.call(ARGV[at], key, unpack(ARGV, at + 2, at + 1 + count))
  at = at + 2 + count
end
return answers
`

/** Reads in one round trip; in none where nothing is asked. All keys are of one workspace. */
export async function look<T>(redis: Connection, { commands, take }: Read<T>): Promise<T> {
  if (commands.length === 0) return take([])
  const keys = commands.map(([, key]) => key)
  const args = commands.flatMap(([name, , ...more]) => [name, more.length, ...more])
  const answers = await evaluate(redis, lookScript, keys, args)
  return take(Array.isArray(answers) ? answers : [])
}

type Answers<R extends readonly Read<unknown>[]> = { [I in keyof R]: R[I] extends Read<infer T> ? T : never }

/** Several reads as one. */
export const together = <const R extends readonly Read<unknown>[]>(...reads: R): Read<Answers<R>> => ({
  commands: reads.flatMap(({ commands }) => commands),
  take(answers) {
    const left = [...answers]
    return reads.map(({ commands, take }) => take(left.splice(0, commands.length))) as Answers<R>
  },
})

/** What is known without a look. */
export const nothing = <T>(value: T): Read<T> => ({ commands: [], take: () => value })

/** A whole hash; empty when there is none. */
export const hash = (key: string): Read<Record<string, string>> => ({
  commands: [['HGETALL', key]],
  take([answer]) {
    const flat = answer as string[]
    return Object.fromEntries(flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? '']] : [])))
  },
})

/** So many fields in one command leave room on Lua's stack. */
const fieldsMost = 1_000

/** These fields of a hash, in their order; null where there is none. */
export const fields = (key: string, names: readonly string[]): Read<(string | null)[]> => ({
  commands: Array.from({ length: Math.ceil(names.length / fieldsMost) }, (_, at) => [
    'HMGET',
    key,
    ...names.slice(at * fieldsMost, (at + 1) * fieldsMost),
  ]),
  take: (answers) => answers.flat() as (string | null)[],
})

/** A part of a list, as `LRANGE` counts. */
export const list = (key: string, from: number, to: number): Read<string[]> => ({
  commands: [['LRANGE', key, from, to]],
  take: ([answer]) => answer as string[],
})
