import { placeIn } from './clause.en.ts'
import {
  count,
  date,
  eventNoun,
  groupMeal,
  mailNoun,
  placeNoun,
  roleNoun,
  thingNoun,
  timedNoun,
  travelNoun,
} from './lexicon.en.ts'
import type { Clause, Slot, SlotKind } from './request.ts'
import { capitalised, trimEnd } from './text.ts'
import { namesIn } from './todos.en.ts'

/*
 * When is something open? When the words point at something definite (“the three venues”, “the customer”) or need
 * something (a table: when?) and nothing in the request says which. Whatever can be looked up or written without it is
 * not open.
 */

const end =
  '(?=$|[,.:;!?]|\\s+(?:and|then|for me|for us|again|carefully|today|tomorrow|now|to|so|please|into|about|that we|by|before|on|at|next|this|for|with)\\b)'
const bareEnd =
  '(?=$|[,.;!?]|\\s+(?:and|then|for me|for us|again|carefully|today|now|please|into|in\\s+\\w+\\s+(?:sentences?|words|lines|points|bullet)|as|with|\\p{Ll}{3,}er)\\b)'
const definite = '(?:the|this|that|these|those|both|our|my)'

const places = new RegExp(
  `\\b(?:(?:the|a|an|some|any|our|good|nice|cheap|${count})\\s+)(?:[\\p{L}-]+\\s+){0,3}?${placeNoun}(?![\\p{L}’'])`,
  'iu',
)
const placesBare = new RegExp(`^(?:[\\p{L}-]+\\s+){0,2}?${placeNoun}(?![\\p{L}’'])`, 'iu')
const weather = /\b(?:the )?(?:weather(?: forecast)?|forecast|temperature outside)\b/i
const things = new RegExp(
  `(?:^|\\s)(${definite}\\s+(?:(?:${count}|latest|new|whole|attached|following)\\s+)?${thingNoun})${bareEnd}`,
  'iu',
)
const talks = new RegExp(
  `(?:^|\\s)((?:the|this|that|our|last)\\s+(?:meeting|discussion|workshop|interview|lecture|talk))${bareEnd}`,
  'iu',
)
const counted = new RegExp(
  `(?:^|\\s)((?:the|these|those|our|my)\\s+${count}\\s+(?:\\p{L}+\\s+)?\\p{L}{2,}s)${bareEnd}`,
  'iu',
)
const roles = new RegExp(`\\b((?:the|a|our|my)\\s+${roleNoun})${end}`, 'iu')
const mails = new RegExp(`^(?:out\\s+)?((?:the|a|an|our|my)\\s+(?:[\\p{L}-]+\\s+)?${mailNoun})(?![\\p{L}’'])`, 'iu')
const timed = new RegExp(`\\b${timedNoun}(?![\\p{L}’'])`, 'iu')
const events = new RegExp(`\\b${eventNoun}(?![\\p{L}’'])`, 'iu')
const travel = new RegExp(`\\b${travelNoun}(?![\\p{L}’'])`, 'iu')
const meal = new RegExp(
  `\\b${groupMeal}\\b.*\\bfor\\s+(?:the|our|everyone|everybody|all|us)\\b|\\b(?:the|our|team)\\s+${groupMeal}\\b`,
  'iu',
)
const someNumber = new RegExp(`\\b(?:\\d+|${count}|a|an|one|dozen|each)\\b`, 'i')
export const aDate = /^(?:a|the)\s+(?:good\s+)?(?:date|day|time|slot)\b/i

/** What the whole request says of where and when. */
interface Known {
  place: string | null
  date: string | null
}

export function open(clauses: readonly Clause[], goal: string): Slot[] {
  const known: Known = { place: placeIn(goal), date: date.exec(goal)?.[0] ?? null }
  const found = clauses.flatMap((clause, index) => {
    return rules.flatMap((rule) => {
      const hit = rule(clause, known)
      return hit === null ? [] : [{ ...hit, clause: index }]
    })
  })
  const [first, ...others] = found.sort((a, b) => weight(a.kind) - weight(b.kind))
  if (first === undefined) return []
  const second = others.find(
    (slot) =>
      slot.kind !== first.kind &&
      clauses[slot.clause]?.kind === 'book' &&
      first.kind === 'place' &&
      slot.clause === first.clause &&
      !aDate.test(clauses[slot.clause]?.object ?? ''),
  )
  return second === undefined ? [first] : [first, second]
}

const order: readonly SlotKind[] = [
  'text',
  'destination',
  'place',
  'which',
  'recipient',
  'language',
  'people',
  'amount',
  'date',
]
const weight = (kind: SlotKind): number => order.indexOf(kind)

type Rule = (clause: Clause, known: Known) => Omit<Slot, 'clause'> | null

/** Names, numbers and quotes say which one is meant. */
const identified = (clause: Clause): boolean => {
  const object = clause.object.replace(allDates, ' ')
  return clause.given || /#\d|\b\d{3,}\b/.test(object) || /(?:^|[\s(])\p{Lu}[\p{L}\d]+/u.test(object)
}

const allDates = new RegExp(date.source, 'giu')

const rules: readonly Rule[] = [
  (clause) => (clause.kind === 'note' && clause.names.length === 0 ? { kind: 'text', phrase: clause.text } : null),

  (clause, { place }) => {
    if (
      place !== null ||
      !['book', 'plan', 'find', 'buy', 'choose'].includes(clause.kind) ||
      !travel.test(clause.object)
    )
      return null
    if (/\b(?:to|from|through|across|around)\s+\S/i.test(clause.object)) return null
    return { kind: 'destination', phrase: clause.object }
  },

  (clause, { place }) => {
    if (place !== null) return null
    if (['find', 'answer', 'explain', 'list'].includes(clause.kind) && weather.test(clause.object))
      return { kind: 'place', phrase: weather.exec(clause.object)?.[0] ?? clause.object }
    if (identified(clause)) return null
    if (!['find', 'compare', 'choose', 'book', 'list'].includes(clause.kind)) return null
    const phrase = places.exec(clause.object)?.[0] ?? placesBare.exec(clause.object)?.[0]
    // A room or a table at a place with a name needs no town.
    return phrase === undefined || /\bat\s+\S/.test(clause.object) ? null : { kind: 'place', phrase }
  },

  (clause) => {
    const oneOf =
      clause.kind === 'answer'
        ? /^which of ((?:the|these|those|our) (?:\S+ )?\p{L}+s)\b/iu.exec(clause.text)?.[1]
        : undefined
    if (oneOf !== undefined && !clause.given) return { kind: 'which', phrase: oneOf }
    const whole = ['compare', 'choose', 'explain', 'review', 'translate'].includes(clause.kind)
    const found =
      (whole ? (talks.exec(clause.object) ?? things.exec(clause.object)) : things.exec(clause.object)) ?? null
    // Elsewhere only what the work begins with counts: “tell the team about the bug” knows enough.
    const direct = found === null || (!whole && found.index > 0) ? undefined : found[1]
    const several = ['compare', 'choose', 'book', 'send', 'review', 'find', 'other'].includes(clause.kind)
      ? counted.exec(clause.object)?.[1]
      : undefined
    const phrase = direct ?? several
    if (phrase === undefined || identified(clause) || new RegExp(`${placeNoun}$`, 'iu').test(phrase)) return null
    if (!['compare', 'choose', 'review', 'explain', 'translate', 'other', 'find', 'send', 'buy'].includes(clause.kind))
      return null
    // What is being made or said in the same breath is known: “write a report and send the report”.
    return { kind: 'which', phrase }
  },

  (clause) => {
    if (clause.kind !== 'send' && clause.kind !== 'write') return null
    const role = roles.exec(clause.object)?.[1]
    if (role !== undefined && !identified(clause)) return { kind: 'recipient', phrase: role }
    const mail = clause.kind === 'send' ? mails.exec(clause.object)?.[1] : undefined
    if (mail === undefined || /\bto\s+\S/i.test(clause.object)) return null
    return { kind: 'recipient', phrase: '' }
  },

  (clause) =>
    clause.kind === 'translate' && !/\b(?:to|into|in)\s+\p{L}+/iu.test(clause.text)
      ? { kind: 'language', phrase: clause.object }
      : null,

  (clause) =>
    clause.kind === 'buy' &&
    meal.test(clause.object) &&
    !/\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b/i.test(clause.object)
      ? { kind: 'people', phrase: clause.object }
      : null,

  (clause) => {
    if (clause.kind !== 'buy' || meal.test(clause.object) || someNumber.test(clause.object) || clause.given) return null
    return /^(?:\p{Ll}+\s+)?\p{Ll}{3,}s\s+for\s+(?:the|our)\b/u.test(clause.object)
      ? { kind: 'amount', phrase: clause.object }
      : null
  },

  (clause, known) => {
    if (known.date !== null) return null
    const needs =
      (clause.kind === 'book' && (timed.test(clause.object) || aDate.test(clause.object))) ||
      (clause.kind === 'plan' && events.test(clause.object)) ||
      (clause.kind === 'buy' && /\btickets?\b/i.test(clause.object))
    return needs ? { kind: 'date', phrase: clause.object } : null
  },
]

/** Puts an answer into the clause that was waiting for it. */
export function fill(clause: Clause, slot: Slot, value: string): Clause {
  const put = (text: string, from: string, to: string) =>
    from !== '' && text.includes(from) ? text.replace(from, () => to) : `${text} ${to}`
  const both = (from: string, to: string): Clause => ({
    ...clause,
    text: put(clause.text, from, to),
    object: put(clause.object, from, to),
  })
  switch (slot.kind) {
    case 'place':
      return both(slot.phrase, `${slot.phrase} ${behind('in', value)}`)
    case 'destination':
      return both('', behind('to', value))
    case 'date':
      return aDate.test(clause.object)
        ? both(clause.object.split(' for ')[0] ?? '', when(value).replace(/^on /, ''))
        : both('', when(value))
    case 'which':
      return both(slot.phrase, value)
    case 'recipient':
      return slot.phrase === '' ? both('', behind('to', small(value))) : both(slot.phrase, value)
    case 'people':
      return both('', `(${/^[\d\s–-]+$/.test(value) ? `${value} people` : value})`)
    case 'amount':
      return /^\d+$/.test(value) ? both(slot.phrase, `${value} ${slot.phrase}`) : both('', `(${value})`)
    case 'language':
      return both('', behind('into', value))
    case 'text':
      return { ...clause, names: namesIn(value, true).map((name) => capitalised(trimEnd(name))) }
  }
}

/** “The whole team” in the middle of a sentence. */
const small = (value: string): string =>
  value.replace(/^(?:The|Only|Everyone|All|My|Our)\b/, (word) => word.toLowerCase())

const behind = (preposition: string, value: string): string =>
  /^(?:in|near|at|around|close to|next to|outside|somewhere|anywhere|to|into|on|online|from)\b/i.test(value)
    ? value
    : `${preposition} ${value}`

const when = (value: string): string =>
  /^(?:on|in|at|by|for|next|this|tomorrow|today|tonight|as|before|after|between|from|every|end)\b/i.test(value)
    ? value.replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    : `on ${value}`
