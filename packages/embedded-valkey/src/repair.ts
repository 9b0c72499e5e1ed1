import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import { EmbeddedStoreError } from './errors.ts'

const WINDOW_BYTES = 1 << 20
/** Bytes of the longest header, which is `$` and a length below 2^53. */
const HEADER_BYTES = 32
const CARRIAGE_RETURN = 13
const LINE_FEED = 10
const ZERO = 48

/** Measures of an append-only file, in bytes. */
export interface LogExtent {
  /** Size of the file. */
  size: number
  /** Offset behind the last whole command or transaction. */
  whole: number
  /** Offset of damage in the middle, or null; `whole` ends before it. */
  damagedAt: number | null
}

type Command = { kind: 'whole'; next: number; name: string } | Bad
type Bad = { kind: 'torn' } | { kind: 'malformed'; at: number }
const torn = { kind: 'torn' } as const

/**
 * Reads an append-only file and measures how much of it is whole.
 *
 * A process that dies while it writes can leave half a command, or a MULTI without its EXEC, at the
 * end. These writes were never acknowledged, so they are cut. That must happen before the server
 * starts. It would append the next transaction to an open MULTI, and at the following start both
 * would count as one.
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
 * Cuts an append-only file back to its whole part.
 *
 * @param aside file that keeps the cut bytes, should anyone want to see them; overwritten each
 * time.
 * @returns the number of bytes cut.
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

/** Error for damage in the middle, which no crash of ours causes. */
export function damagedLog(file: string, at: number): EmbeddedStoreError {
  return new EmbeddedStoreError(
    'corrupt',
    `${file} is damaged at byte ${at}. Restore the folder from a backup; or set {acceptLoss} to go on with what was written before the damage: the damaged file is kept.`,
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
      // A power loss can leave reserved space at the end that was never written.
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
  if ('kind' in count) return count
  let { next } = count
  let name = ''
  for (let index = 0; index < count.value; index++) {
    const length = reader.header(next, '$')
    if ('kind' in length) return length
    const end = length.next + length.value
    if (end + 2 > reader.size) return torn
    if (!reader.isLineEnd(end)) return { kind: 'malformed', at: end }
    if (count.value === 1 && length.value <= 5) name = reader.text(length.next, end)
    next = end + 2
  }
  return { kind: 'whole', next, name }
}

type Reader = ReturnType<typeof createReader>

/**
 * Random access through one window, so that a large file neither fills the memory nor costs a
 * system call per command.
 */
function createReader(handle: number, size: number) {
  const window = Buffer.alloc(WINDOW_BYTES)
  let from = 0
  let filled = 0

  function offsetOf(at: number, length: number) {
    if (at < from || at + length > from + filled) {
      from = at
      filled = readSync(handle, window, 0, WINDOW_BYTES, at)
    }
    return at - from
  }

  const byte = (at: number) => window[offsetOf(at, 1)] ?? 0

  return {
    size,
    isLineEnd: (at: number) => byte(at) === CARRIAGE_RETURN && byte(at + 1) === LINE_FEED,
    /** Reads a line like `*3` or `$12`; torn if the file ends inside it. */
    header(at: number, sign: '*' | '$'): { value: number; next: number } | Bad {
      const available = Math.min(HEADER_BYTES, size - at)
      const bad: Bad = { kind: 'malformed', at }
      if (available === 0) return torn
      const offset = offsetOf(at, available)
      if (window[offset] !== sign.charCodeAt(0)) return bad
      let value = 0
      for (let index = 1; index < available; index++) {
        const digit = (window[offset + index] ?? 0) - ZERO
        if (digit >= 0 && digit <= 9) {
          value = value * 10 + digit
          continue
        }
        if (index === 1 || digit !== CARRIAGE_RETURN - ZERO) return bad
        if (index + 1 < available)
          return window[offset + index + 1] === LINE_FEED ? { value, next: at + index + 2 } : bad
      }
      return available < HEADER_BYTES ? torn : bad
    },
    text(at: number, to: number) {
      const offset = offsetOf(at, to - at)
      return window.toString('latin1', offset, offset + to - at)
    },
    onlyZeros(at: number) {
      for (let position = at; position < size; position++) {
        if (byte(position) !== 0) return false
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
