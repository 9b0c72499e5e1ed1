import { formatDay, wallClockIn } from '../domain/zone.ts'
import { narrow, togetherMost } from './command-line.ts'
import type { ValueKind } from './grammar.ts'
import { dueTime, id, tag } from './value-kinds.ts'
import { deadline } from './when/deadline.ts'
import { readTime } from './when/read.ts'

/* The kinds of values that only to-dos take. */

const isNone = (typed: string) => ['none', '无', '無', '没有', '-'].includes(narrow(typed))

/** `none` is the tag of what has none. */
export const tagOrNone: ValueKind<string> = {
  ...tag,
  read: (typed, frame) => (isNone(typed) ? 'default' : tag.read(typed, frame)),
}

/** Due date of a to-do; `dueDay` is null where an hour was said. */
export interface Due {
  dueAt: number
  dueDay: string | null
}

/** A time, a day alone (C616), or null for none. */
export const dueKind: ValueKind<Due | null> = {
  ...dueTime,
  read(typed, frame) {
    const dueAt = dueTime.read(typed, frame)
    if (dueAt == null) return dueAt
    // Words that say no hour take the one that they are given.
    const isDay = readTime(deadline(typed), { ...frame, clock: 0 }) !== dueAt
    return { dueAt, dueDay: isDay ? formatDay(wallClockIn(frame.timeZone, dueAt)) : null }
  },
}

/** A person by name, id or mention; `me`, or nobody. */
export type OwnerWord = { name: string } | 'me' | null

export const owner: ValueKind<OwnerWord> = {
  label: 'name',
  form: { kind: 'text', complete: true },
  error: 'no_value',
  read(typed) {
    if (isNone(typed)) return null
    if (['me', 'mine', 'myself', '我', '自己', '我的'].includes(narrow(typed))) return 'me'
    const mention = /^<@!?(\w+)(?:\|[^>]*)?>$/.exec(typed.trim())?.[1]
    const name = mention ?? typed.trim().replace(/^[@＠]/, '')
    return name === '' || name.length > 100 ? undefined : { name }
  },
  example: () => 'me',
}

const joining = /^(?:and|&|和|及|与|跟)$/iu
const span = /^#?0*([1-9]\d{0,8})(?:(?:-|–|—|~|\.{2,3}|到|至)#?0*([1-9]\d{0,8}))?$/u

/**
 * `3`, `3,5,7-9`, `3 5`, `#3 and #5`, `3、5`: each number once, in the order in which they were
 * said.
 */
export const ids: ValueKind<number[]> = {
  ...id,
  label: 'ids',
  rest: true,
  read(typed) {
    const parts = narrow(typed)
      .replaceAll(/\s{0,9}([-–—~到至])\s{0,9}/gu, '$1')
      .split(/[\s,，、;；]+/u)
      .filter((part) => part !== '' && !joining.test(part))
    const numbers = parts.flatMap((part) => {
      const [, from, to = from] = span.exec(part) ?? []
      const [first, last] = [Number(from), Number(to)].sort((a, b) => a - b)
      if (from === undefined || first === undefined || last === undefined) return [Number.NaN]
      return last - first >= togetherMost
        ? [Number.NaN]
        : Array.from({ length: last - first + 1 }, (_, index) => first + index)
    })
    const each = [...new Set(numbers)]
    const isRead = each.length > 0 && each.length <= togetherMost && !each.some(Number.isNaN)
    return isRead ? each : undefined
  },
}

/**
 * The same before other words: numbers that commas join, each `#3`, and all words where they are
 * nothing but numbers.
 */
export const idsBefore: ValueKind<number[]> = {
  label: 'ids',
  form: ids.form,
  error: ids.error,
  missing: ids.missing,
  read: ids.read,
  example: ids.example,
  width(following) {
    const isJoined = (index: number) => {
      const [word = '', next = '', number = ''] = following.slice(index)
      const isListed = joining.test(word) || (joining.test(next) && span.test(number))
      const isMarked = next.startsWith('#') && span.test(next)
      return isListed || isMarked || /[,，、]$/.test(word) || /^[,，、]/.test(next)
    }
    if (following.every((word) => span.test(word))) return following.length
    let width = 1
    while (width < following.length && isJoined(width - 1)) width += 1
    return width
  },
}
