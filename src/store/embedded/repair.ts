import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeFileSync } from 'node:fs'
import { EmbeddedStoreError } from './errors.ts'

const WINDOW_BYTES = 1 << 20
/** The longest header is `$` and a length below 2^53. */
const HEADER_BYTES = 32
const CARRIAGE_RETURN = 13
const LINE_FEED = 10

/** One place in the file: a number that was read there and where reading goes on. */
interface Header {
  value: number
  next: number
}

/** How much of a file is there. */
export interface LogExtent {
  /** Its bytes. */
  size: number
  /** Those up to the end of the last whole command or transaction. */
  whole: number
  /** Where its middle is damaged; what is whole ends before that. */
  damagedAt: number | null
}

type Command = { kind: 'whole'; next: number; name: string } | { kind: 'torn' } | { kind: 'malformed'; at: number }

/**
 * Reads an append-only file and says how much of it is whole.
 *
 * A process that dies while it writes can leave half a command, or a MULTI without its EXEC, at the end. Nobody was told
 * that these were written, so they go. They must go before the server starts: it would leave an open MULTI in
 * the file and append the next transaction to it, and at the following start both would count as one.
 */
export function measureLog(file: string): LogExtent {
  const handle = openSync(file, 'r')
  try {
    return extentOf(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Cuts an append-only file back to what is whole of it.
 *
 * @param aside where the bytes that were cut off are kept, should anyone want to see them; one file, overwritten.
 * @returns how many bytes were cut off.
 */
export function cutLog(file: string, { size, whole }: LogExtent, aside: string): number {
  if (whole === size) return 0
  const handle = openSync(file, 'r+')
  try {
    writeFileSync(aside, readRange(handle, whole, size), { mode: 0o600 })
    ftruncateSync(handle, whole)
    fsyncSync(handle)
    return size - whole
  } finally {
    closeSync(handle)
  }
}

/** For damage in the middle, which no crash of ours does. */
export function damagedLog(file: string, at: number): EmbeddedStoreError {
  return new EmbeddedStoreError(
    'corrupt',
    `${file} is damaged at byte ${at}. Restore the folder from a backup; or set CLEW_ACCEPT_LOSS=1 to go on with what was written before the damage: the damaged file is kept.`,
  )
}

function extentOf(handle: number): LogExtent {
  const { size } = fstatSync(handle)
  const reader = createReader(handle, size)
  let position = 0
  let safe = 0
  let inTransaction = false
  while (position < size) {
    const command = readCommand(reader, position)
    if (command.kind === 'torn') break
    if (command.kind === 'malformed') {
      // A power loss can leave room at the end that was reserved and never filled.
      const reserved = reader.onlyZeros(Math.min(command.at + HEADER_BYTES, size - 1))
      return { size, whole: safe, damagedAt: reserved ? null : command.at }
    }
    position = command.next
    if (command.name === 'MULTI') inTransaction = true
    if (command.name === 'EXEC') inTransaction = false
    if (!inTransaction) safe = position
  }
  return { size, whole: safe, damagedAt: null }
}

function readCommand(reader: Reader, start: number): Command {
  const count = reader.header(start, '*')
  if (count === 'torn' || count === 'malformed') return ended(count, start)
  let { next } = count
  let name = ''
  for (let index = 0; index < count.value; index++) {
    const length = reader.header(next, '$')
    if (length === 'torn' || length === 'malformed') return ended(length, next)
    const end = length.next + length.value
    if (end + 2 > reader.size) return { kind: 'torn' }
    if (reader.byte(end) !== CARRIAGE_RETURN || reader.byte(end + 1) !== LINE_FEED)
      return { kind: 'malformed', at: end }
    if (count.value === 1 && length.value <= 5) name = reader.text(length.next, end)
    next = end + 2
  }
  return { kind: 'whole', next, name }
}

function ended(kind: 'torn' | 'malformed', at: number): Command {
  return kind === 'torn' ? { kind } : { kind, at }
}

interface Reader {
  readonly size: number
  byte(at: number): number
  text(from: number, to: number): string
  /** A line like `*3` or `$12`. `torn` when the file ends inside it. */
  header(at: number, sign: '*' | '$'): Header | 'torn' | 'malformed'
  onlyZeros(from: number): boolean
}

/** Random access through one window, so that a large file neither fills the memory nor costs a system call a command. */
function createReader(handle: number, size: number): Reader {
  const window = Buffer.alloc(WINDOW_BYTES)
  let from = 0
  let filled = 0

  function offsetOf(at: number, length: number): number {
    if (at < from || at + length > from + filled) {
      from = at
      filled = readSync(handle, window, 0, WINDOW_BYTES, at)
    }
    return at - from
  }

  return {
    size,
    byte: (at) => window[offsetOf(at, 1)] ?? 0,
    text(at, to) {
      const offset = offsetOf(at, to - at)
      return window.toString('latin1', offset, offset + to - at)
    },
    header(at, sign) {
      const available = Math.min(HEADER_BYTES, size - at)
      if (available === 0) return 'torn'
      const offset = offsetOf(at, available)
      if (window[offset] !== sign.charCodeAt(0)) return 'malformed'
      let value = 0
      for (let index = 1; index < available; index++) {
        const digit = (window[offset + index] ?? 0) - 48
        if (digit >= 0 && digit <= 9) {
          value = value * 10 + digit
          continue
        }
        if (index === 1 || digit !== CARRIAGE_RETURN - 48) return 'malformed'
        if (index + 1 === available) return size - at < HEADER_BYTES ? 'torn' : 'malformed'
        return window[offset + index + 1] === LINE_FEED ? { value, next: at + index + 2 } : 'malformed'
      }
      return size - at < HEADER_BYTES ? 'torn' : 'malformed'
    },
    onlyZeros(at) {
      for (let position = at; position < size; position++) {
        if (window[offsetOf(position, 1)] !== 0) return false
      }
      return true
    },
  }
}

function readRange(handle: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from)
  readSync(handle, bytes, 0, bytes.length, from)
  return bytes
}
