import { evaluate } from './client.ts'
import type { Connection } from './connection.ts'

/*
 * Reads of one workspace at the same moment share one command. Each command costs a round trip and
 * the work around it, however little it reads.
 */

type Argument = string | number

/** A read to be done: commands with their keys, and a function that parses their answers. */
export interface Read<T> {
  commands: readonly (readonly [name: string, key: string, ...args: Argument[]])[]
  take(answers: readonly unknown[]): T
}

/**
 * KEYS one per command · ARGV per command its name, the number of its other arguments, and these.
 * An error is answered in its command's place, so that it fails only that read.
 */
export const lookScript = `
local answers, at = {}, 1
for i, key in ipairs(KEYS) do
  local count = tonumber(ARGV[at + 1])
  answers[i] = redis.pcall(ARGV[at], key, unpack(ARGV, at + 2, at + 1 + count))
  at = at + 2 + count
end
return answers
`

interface Asked {
  commands: Read<unknown>['commands']
  answers: PromiseWithResolvers<unknown[]>
}

/** Most commands of one script: Redis serves nobody else while it runs. */
const togetherMost = 40

const asked = new WeakMap<Connection, Map<string, Asked[]>>()

/**
 * Reads in one round trip, together with all reads asked for at the same moment. An empty read
 * makes none. All keys are of one workspace.
 */
export async function look<T>(redis: Connection, { commands, take }: Read<T>): Promise<T> {
  const [first] = commands
  if (first === undefined) return take([])
  const answers = Promise.withResolvers<unknown[]>()
  const workspace = first[1].slice(0, first[1].indexOf('}'))
  const waiting = asked.get(redis) ?? new Map<string, Asked[]>()
  asked.set(redis, waiting)
  const others = waiting.get(workspace)
  if (others === undefined) {
    waiting.set(workspace, [{ commands, answers }])
    // Runs behind all settled promises, so that their reads join this round trip.
    queueMicrotask(() => process.nextTick(ask, redis, waiting, workspace))
  } else others.push({ commands, answers })
  return take(await answers.promise)
}

function ask(redis: Connection, waiting: Map<string, Asked[]>, workspace: string) {
  const all = waiting.get(workspace) ?? []
  waiting.delete(workspace)
  let next: Asked[] = []
  for (const one of all) {
    if (next.length > 0 && countOf(next) + one.commands.length > togetherMost) {
      void answer(redis, next)
      next = []
    }
    next.push(one)
  }
  void answer(redis, next)
}

const countOf = (all: readonly Asked[]) =>
  all.reduce((sum, { commands }) => sum + commands.length, 0)

/** Runs one script, and gives each caller its own answers or its own error. */
async function answer(redis: Connection, all: readonly Asked[]) {
  const commands = all.flatMap((one) => one.commands)
  try {
    const { keys, args } = toldOf(commands)
    const found = await evaluate(redis, lookScript, keys, args)
    const left = Array.isArray(found) ? found : []
    for (const { commands, answers } of all) {
      const own: unknown[] = left.splice(0, commands.length)
      const failed = failureIn(own)
      if (failed === undefined) answers.resolve(own)
      else answers.reject(failed)
    }
  } catch (error) {
    for (const { answers } of all) answers.reject(error)
  }
}

/** Keys and arguments by which a script is told these commands. */
export const toldOf = (commands: Read<unknown>['commands']) => ({
  keys: commands.map(([, key]) => key),
  args: commands.flatMap(([name, , ...more]) => [name, more.length, ...more]),
})

/** The error among the answers of a script's commands, if there is one. */
export const failureIn = (answers: readonly unknown[]): Error | undefined =>
  answers.find((one) => one instanceof Error)

type Answers<R extends readonly Read<unknown>[]> = {
  [I in keyof R]: R[I] extends Read<infer T> ? T : never
}

/** Combines several reads into one. */
export const combine = <const R extends readonly Read<unknown>[]>(
  ...reads: R
): Read<Answers<R>> => ({
  commands: reads.flatMap(({ commands }) => commands),
  take(answers) {
    const left = [...answers]
    return reads.map(({ commands, take }) => take(left.splice(0, commands.length))) as Answers<R>
  },
})

/** Several reads in one round trip. */
export const lookAll = <const R extends readonly Read<unknown>[]>(
  redis: Connection,
  ...reads: R
): Promise<Answers<R>> => look(redis, combine(...reads))

/** Reads each of these, in one round trip. */
export async function lookEach<T, U>(
  redis: Connection,
  all: readonly T[],
  readOf: (one: T) => Read<U>,
): Promise<[one: T, found: U][]> {
  const found = await lookAll(redis, ...all.map(readOf))
  return all.map((one, at) => [one, found[at] as U])
}

/** Reads each of these, `atOnce` per round trip. */
export async function* lookThrough<T, U>(
  redis: Connection,
  all: readonly T[],
  atOnce: number,
  readOf: (one: T) => Read<U>,
): AsyncGenerator<[one: T, found: U]> {
  for (let at = 0; at < all.length; at += atOnce)
    yield* await lookEach(redis, all.slice(at, at + atOnce), readOf)
}

/** A read without a command, for a value that is known. */
export const nothing = <T>(value: T): Read<T> => ({ commands: [], take: () => value })

/** Reads a whole hash; empty if there is none. */
export const hash = (key: string): Read<Record<string, string>> => ({
  commands: [['HGETALL', key]],
  take: ([answer]) => hashOf(answer as string[]),
})

/** Object from names and values in turn, as Redis answers them. */
export function hashOf(flat: readonly string[]): Record<string, string> {
  const found: [string, string][] = []
  for (let at = 0; at < flat.length; at += 2) found.push([flat[at] ?? '', flat[at + 1] ?? ''])
  return Object.fromEntries(found)
}

/** Most names of one command, which leaves room on Lua's stack. */
const namesMost = 1_000

/** Reads a command's answer for each name, in their order; null where there is nothing. */
const eachOf = (
  command: string,
  key: string,
  names: readonly string[],
): Read<(string | null)[]> => ({
  commands: Array.from({ length: Math.ceil(names.length / namesMost) }, (_, at) => [
    command,
    key,
    ...names.slice(at * namesMost, (at + 1) * namesMost),
  ]),
  take: (answers) => answers.flat() as (string | null)[],
})

/** A read whose result is transformed. */
export const mapped = <T, U>({ commands, take }: Read<T>, make: (found: T) => U): Read<U> => ({
  commands,
  take: (answers) => make(take(answers)),
})

/** Reads these fields of a hash; null for missing ones. */
export const fields = (key: string, names: readonly string[]) => eachOf('HMGET', key, names)

export const field = (key: string, name: string): Read<string | null> =>
  mapped(fields(key, [name]), ([text = null]) => text)

/** Reads these fields of a hash into an object, without missing ones. */
export const record = (key: string, names: readonly string[]): Read<Record<string, string>> =>
  mapped(fields(key, names), (texts) =>
    Object.fromEntries(
      texts.flatMap((text, at) => (text === null ? [] : [[names[at] ?? '', text]])),
    ),
  )

/** Reads the scores of these members of a sorted set; null for missing ones. */
export const scores = (key: string, members: readonly string[]): Read<(number | null)[]> =>
  mapped(eachOf('ZMSCORE', key, members), (texts) =>
    texts.map((score) => (score === null ? null : Number(score))),
  )

/**
 * Reads the texts that one command answers: the members of a set, the names or values of a hash.
 */
export const strings = (command: string, key: string, ...args: Argument[]): Read<string[]> => ({
  commands: [[command, key, ...args]],
  take: ([answer]) => answer as string[],
})

/** Reads a part of a list, with the indexes of `LRANGE`. */
export const list = (key: string, from: number, to: number) => strings('LRANGE', key, from, to)

/** Reads a count, as one command answers it. */
export const number = (command: string, key: string, ...args: Argument[]): Read<number> => ({
  commands: [[command, key, ...args]],
  take: ([answer]) => Number(answer),
})

/** Reads a part of a sorted set: names with their times. */
export const timed = (
  key: string,
  command: string,
  ...args: Argument[]
): Read<{ name: string; at: number }[]> => ({
  commands: [[command, key, ...args.slice(0, 2), 'WITHSCORES', ...args.slice(2)]],
  take([answer]) {
    const flat = answer as string[]
    return flat.flatMap((name, at) => (at % 2 === 0 ? [{ name, at: Number(flat[at + 1]) }] : []))
  },
})

/**
 * Reads names of a sorted set behind a place, at least `limit` if there are as many. Names with the
 * same time are in alphabetical order.
 */
export function behind(
  key: string,
  place: { name: string; at: number } | null,
  { newestFirst, limit }: { newestFirst: boolean; limit: number },
): Read<{ name: string; at: number }[]> {
  const command = newestFirst ? 'ZREVRANGEBYSCORE' : 'ZRANGEBYSCORE'
  const [first, last] = newestFirst ? ['+inf', '-inf'] : ['-inf', '+inf']
  if (place === null) return timed(key, command, first, last, 'LIMIT', 0, limit)
  return mapped(
    combine(
      timed(key, command, place.at, place.at),
      timed(key, command, `(${place.at}`, last, 'LIMIT', 0, limit),
    ),
    ([same, further]) => [
      ...same.filter(({ name }) => (newestFirst ? name < place.name : name > place.name)),
      ...further,
    ],
  )
}
