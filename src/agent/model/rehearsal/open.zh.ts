import { placeIn } from './clause.zh.ts'
import {
  date,
  eventNoun,
  groupMeal,
  mailNoun,
  measure,
  number,
  placeNoun,
  roleNoun,
  thingNoun,
  travelNoun,
} from './lexicon.zh.ts'
import type { Clause, Slot, SlotKind } from './request.ts'
import { spaced } from './text.ts'
import { namesIn } from './todos.zh.ts'

/*
 * What is open, as in `open.en.ts`. Chinese has no article: a counted or bare noun (“三个场地”, “客户”) points at something
 * definite by the verb that takes it.
 */

const places = new RegExp(`(?:[这那]?${number}${measure}|[这那]${measure}|一些|一下)?[^，,的]{0,6}?${placeNoun}`, 'u')
const things = new RegExp(
  `^(?:一下)?((?:[这那该]${measure}?|[这那]?[一二两三四五六七八九十几\\d]${measure}|[这那]些)?${thingNoun})(?:$|，|,|的(?:要点|主要内容|内容|重点|优缺点|区别|差别|价格))`,
  'u',
)
const talks = /^((?:这|那|上)[次场个](?:会议|讨论|培训|面试|讲座|采访)|会议)(?:$|，|,|的(?:要点|重点|内容|主要内容))/u
const counted = new RegExp(
  `^((?:这|那)?[二两三四五六七八九十几\\d]${measure}\\p{Script=Han}{1,6}?)(?:$|，|,|的(?:区别|差别|价格|优缺点))`,
  'u',
)
const roles = new RegExp(
  `(?:给|向|联系|通知|邀请|回复|告诉|问)(?:[这那]位|[这那]个)?(${roleNoun})(?=$|，|,|关于|就|说|发|写|打|寄|来|参加|我们|一|道歉|解释|确认|合同|报价|项目|会议|延期)`,
  'u',
)
const mails = new RegExp(`^(?:送|出|一下)?(?:[一这那]${measure}|[这那])?(\\p{Script=Han}{0,4}?${mailNoun})$`, 'u')
const aDate = /^(?:一?个?|这个?)?(?:合适的)?(?:日期|时间|日子)/u
const weather = /天气(?:预报)?|气温/u

interface Known {
  place: string | null
  date: string | null
}

export const choosesDate = (clause: Clause): boolean => aDate.test(clause.object)

export function open(clauses: readonly Clause[], goal: string): Slot[] {
  const known: Known = { place: placeIn(goal), date: date.exec(goal)?.[0] ?? null }
  const found = clauses.flatMap((clause, index) =>
    rules.flatMap((rule) => {
      const hit = rule(clause, known)
      return hit === null ? [] : [{ ...hit, clause: index }]
    }),
  )
  const [first, ...others] = found.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  if (first === undefined) return []
  const second = others.find(
    (slot) =>
      (first.kind === 'place' || first.kind === 'destination') &&
      slot.kind === 'date' &&
      slot.clause === first.clause &&
      clauses[slot.clause]?.kind === 'book',
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

type Rule = (clause: Clause, known: Known) => Omit<Slot, 'clause'> | null

/** Names, numbers, quotes and links say which one is meant. */
const identified = (clause: Clause): boolean =>
  clause.given || /#\d|\d{3,}|https?:|[“"《「]|[A-Z][A-Za-z]+/u.test(clause.text.replace(/bug/giu, ''))

const rules: readonly Rule[] = [
  (clause) => (clause.kind === 'note' && clause.names.length === 0 ? { kind: 'text', phrase: clause.text } : null),

  (clause, { place }) => {
    if (place !== null || !['book', 'plan', 'buy', 'find', 'choose'].includes(clause.kind)) return null
    const phrase = new RegExp(travelNoun, 'u').exec(clause.object)?.[0]
    return phrase === undefined || /[去到往飞]\p{Script=Han}{2}/u.test(clause.text)
      ? null
      : { kind: 'destination', phrase: clause.object }
  },

  (clause, { place }) => {
    if (place !== null || identified(clause)) return null
    if (['find', 'answer', 'explain'].includes(clause.kind) && weather.test(clause.object))
      return { kind: 'place', phrase: clause.object }
    if (!['find', 'compare', 'choose', 'book'].includes(clause.kind)) return null
    const phrase = places.exec(clause.object)?.[0]
    return phrase === undefined ? null : { kind: 'place', phrase }
  },

  (clause) => {
    if (
      identified(clause) ||
      !['compare', 'choose', 'review', 'explain', 'translate', 'other', 'find', 'send'].includes(clause.kind)
    )
      return null
    const several = ['compare', 'review'].includes(clause.kind) ? counted.exec(clause.object)?.[1] : undefined
    const talk = ['explain', 'review', 'translate'].includes(clause.kind) ? talks.exec(clause.object)?.[1] : undefined
    const phrase = things.exec(clause.object)?.[1] ?? talk ?? several
    if (phrase === undefined || new RegExp(`${placeNoun}$`, 'u').test(phrase)) return null
    // “推荐一本书” leaves the choice to the work; only “这本书” points at one.
    const seeks = clause.kind === 'choose' || clause.kind === 'find'
    return seeks && !/^[这那该]/u.test(phrase) ? null : { kind: 'which', phrase }
  },

  (clause) => {
    if (clause.kind !== 'send' && clause.kind !== 'write') return null
    const role = roles.exec(clause.text)?.[1]
    if (role !== undefined && !identified(clause)) return { kind: 'recipient', phrase: role }
    return clause.kind === 'send' && mails.test(clause.object) && !/(?:给|向)/u.test(clause.text)
      ? { kind: 'recipient', phrase: '' }
      : null
  },

  (clause) =>
    clause.kind === 'translate' && !/(?:成|为|到)\s*\p{L}*(?:文|语|话|English)/u.test(clause.text)
      ? { kind: 'language', phrase: clause.object }
      : null,

  (clause) => {
    if (clause.kind !== 'buy' && clause.kind !== 'book') return null
    if (
      !new RegExp(groupMeal, 'u').test(clause.object) ||
      /[\d一二两三四五六七八九十百]+\s*(?:个?人|份|杯|盒|位|个)/u.test(clause.text)
    )
      return null
    return { kind: 'people', phrase: clause.object }
  },

  (clause, known) => {
    if (known.date !== null) return null
    const needs =
      (clause.kind === 'book' && !new RegExp(groupMeal, 'u').test(clause.object)) ||
      (clause.kind === 'plan' && new RegExp(eventNoun, 'u').test(clause.object)) ||
      (clause.kind === 'buy' && /票$/u.test(clause.object))
    return needs ? { kind: 'date', phrase: clause.object } : null
  },
]

/** Puts an answer into the clause that was waiting for it. */
export function fill(clause: Clause, slot: Slot, value: string): Clause {
  const whole = { ...clause, ...filled(clause, slot, value) }
  return { ...whole, text: spaced(whole.text), object: spaced(whole.object) }
}

const single = new RegExp(`^一${measure}`, 'u')

function filled(clause: Clause, slot: Slot, value: string): Partial<Clause> {
  const put = (to: string): Partial<Clause> => ({
    text: clause.text.includes(slot.phrase) ? clause.text.replace(slot.phrase, () => to) : `${clause.text}（${value}）`,
    object: clause.object.replace(slot.phrase, () => to),
  })
  switch (slot.kind) {
    case 'place':
      return put(`${value}的${slot.phrase.replace(single, '')}`)
    case 'destination':
      return put(`${/^[去到]/u.test(value) ? '' : '去'}${value}的${slot.phrase.replace(single, '')}`)
    case 'date':
      return choosesDate(clause)
        ? { text: clause.text.replace(/一?个?(?:合适的)?(?:日期|时间|日子)/u, () => value), object: value }
        : { text: `${clause.text}（${value}）`, object: `${value}${clause.object.replace(single, '')}` }
    case 'which':
    case 'recipient':
      return slot.phrase === ''
        ? { text: `${clause.text}给${value}`, object: `${clause.object}给${value}` }
        : put(value)
    case 'people':
    case 'amount':
      return { text: `${clause.text}（${/^\d+$/.test(value) && slot.kind === 'people' ? `${value}人` : value}）` }
    case 'language':
      return { text: `${clause.text}成${value}` }
    case 'text':
      return { names: namesIn(value) }
  }
}
