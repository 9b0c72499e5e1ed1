import { termsIn } from '../../agent/domain/search-words.ts'
import { instantOf, isReal } from '../../agent/domain/zone.ts'
import type { Search } from '../../agent/ports/search.ts'
import type { Texts } from '../../locales/texts.ts'
import { limits } from './limits.ts'
import { refuse } from './problems.ts'

/** A filter or a word: `from:"Ana Souza"`, `plan`. */
const part = /(?:(from|in|is|after|before|来自|在|状态|之后|之前)[:：])?(?:"([^"]*)"|(\S+))/giu
const quotes = /[“”„]/g

const filters = new Map<string, 'from' | 'in' | 'is' | 'after' | 'before'>([
  ['from', 'from'],
  ['in', 'in'],
  ['is', 'is'],
  ['after', 'after'],
  ['before', 'before'],
  ['来自', 'from'],
  ['在', 'in'],
  ['状态', 'is'],
  ['之后', 'after'],
  ['之前', 'before'],
])

const states = new Map<string, Partial<Search>>([
  ['needs-you', { group: 'needs_you' }],
  ['needs_you', { group: 'needs_you' }],
  ['等你处理', { group: 'needs_you' }],
  ['working', { group: 'working' }],
  ['进行中', { group: 'working' }],
  ['done', { group: 'done' }],
  ['已完成', { group: 'done' }],
  ['pinned', { only: 'pinned' }],
  ['已置顶', { only: 'pinned' }],
  ['archived', { only: 'archived' }],
  ['已归档', { only: 'archived' }],
])

/** Parsed search; `words` are the terms to find in texts. */
export interface SearchAsked {
  search: Search
  words: string
}

/**
 * Parses a search for threads (C201). Days are those of the time zone. Null if nothing searchable
 * was typed.
 *
 * @throws ProblemError that names the filter which is not understood, and valid ones.
 */
export function searchFrom(
  typed: string,
  timeZone: string,
  { page: { search: texts } }: Texts,
): SearchAsked | null {
  if (typed.length > limits.searchCharacters)
    refuse('text_too_long', { limit: limits.searchCharacters })
  const said: string[] = []
  const search: Search = {
    said: [],
    people: [],
    places: [],
    group: null,
    only: null,
    from: null,
    until: null,
  }
  const asked = [...typed.replace(quotes, '"').matchAll(part)]
  for (const [whole, name = '', quoted, bare = ''] of asked) {
    const value = quoted ?? bare
    const day = () => dayIn(value, timeZone) ?? refuse('unreadable', { text: texts.badDay(whole) })
    const filter = filters.get(name.toLowerCase())
    if (filter === undefined) said.push(value)
    else if (filter === 'from') search.people = [...search.people, ...termsIn(value)]
    else if (filter === 'in') search.places = [...search.places, ...termsIn(value)]
    else if (filter === 'after') search.from = day()
    else if (filter === 'before') search.until = day()
    else {
      const state = states.get(value.toLowerCase())
      Object.assign(search, state ?? refuse('unreadable', { text: texts.badState(whole) }))
    }
  }
  const words = said.join(' ')
  search.said = termsIn(words)
  const isFindable = Object.values(search).some((one) =>
    Array.isArray(one) ? one.length > 0 : one !== null,
  )
  return isFindable ? { search, words } : null
}

/** Endings of English plurals, with what stands there in the singular. */
const plurals = [
  [/(?<=[a-z]{3})s$/i, ''],
  [/(?<=[a-z]{2})ies$/i, 'y'],
  [/(?<=[a-z]{2})es$/i, ''],
] as const

/**
 * Searches for the singular of the words, at most three, for where the words themselves find
 * nothing (C200).
 */
export function singularsOf({ search, words }: SearchAsked): SearchAsked[] {
  const others = plurals.map(([ending, singular]) =>
    words
      .split(' ')
      .map((word) => word.replace(ending, singular))
      .join(' '),
  )
  return [...new Set(others)]
    .filter((other) => other !== words)
    .map((other) => ({ search: { ...search, said: termsIn(other) }, words: other }))
}

const dated = /^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?$/

/** Instant at which a day, a month or a year begins in the time zone; null if it is invalid. */
function dayIn(text: string, timeZone: string): number | null {
  const [, year, month = '1', day = '1'] = dated.exec(text) ?? []
  const wall = { year: Number(year), month: Number(month), day: Number(day), hour: 0, minute: 0 }
  return year !== undefined && isReal(wall) ? instantOf(timeZone, wall) : null
}
