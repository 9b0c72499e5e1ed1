import type { Lease } from '../../agent/ports/store.ts'
import type { Item } from '../../agent/ports/wakeups.ts'
import { keysOf, placesOf } from './keys.ts'

/**
 * Commands that take any number of entries, and the most arguments of one that fit on Lua's stack.
 */
const joined: readonly string[] = ['HSET', 'ZADD', 'ZADD LT', 'ZREM', 'RPUSH']
const joinedMost = 1_000

/** Collects the guards and writes of one commit, and the keys that they touch. */
export function collect({ item, fence }: Lease) {
  const { workspace } = item
  const {
    row,
    mailboxes: [mailbox],
  } = placesOf(item)
  const touched = [row, mailbox]
  const places = new Map(touched.map((key, index) => [key, index + 1]))
  const guards: (string | number)[] = []
  const writes: { command: string; key: number; args: (string | number)[] }[] = []
  /** Newest write of each key. */
  const newest = new Map<number, (typeof writes)[number]>()
  const position = (key: string) => {
    const found = places.get(key) ?? touched.push(key)
    places.set(key, found)
    return found
  }
  /**
   * Adds a write. Consecutive writes of one command to one key are joined: a commit may make
   * hundreds of runs.
   */
  function add(command: string, key: string, ...args: (string | number)[]) {
    if (args.length === 0) return
    const at = position(key)
    const before = newest.get(at)
    if (before?.command === command && joined.includes(command) && before.args.length < joinedMost)
      return void before.args.push(...args)
    const write = { command, key: at, args }
    writes.push(write)
    newest.set(at, write)
  }
  return {
    item,
    mailbox,
    keys: keysOf(workspace),
    add,
    position,
    guard: (
      kind: 'field' | 'absent' | 'first' | 'length',
      key: string,
      a: string | number,
      b = '',
    ) => guards.push(kind, position(key), a, b),
    /** Makes an item due. LT: one that is due earlier stays so. */
    wake: (kind: Item['kind'], id: string, at: number) =>
      add('ZADD LT', placesOf({ kind, workspace, id }).due, at, id),
    finish: (commitId: string) => ({
      keys: touched,
      args: [...[fence, commitId, guards.length / 4, ...guards], ...writes.flatMap(encodeWrite)],
    }),
  }
}
export type Write = ReturnType<typeof collect>

function encodeWrite({
  command,
  key,
  args,
}: {
  command: string
  key: number
  args: readonly (string | number)[]
}) {
  const [name = '', ...flags] = command.split(' ')
  return [name, key, flags.length + args.length, ...flags, ...args]
}
