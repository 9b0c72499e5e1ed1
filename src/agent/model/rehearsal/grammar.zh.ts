import { clauseOf, placeIn, plain, splitClauses, verbIn } from './clause.zh.ts'
import { date, measure } from './lexicon.zh.ts'
import { choosesDate, fill, open } from './open.zh.ts'
import type { Clause, Grammar, SlotKind } from './request.ts'
import { readScheduling } from './schedules.ts'
import { smallTalk, wait } from './talk.zh.ts'
import { bringsAlong, readable, shield, shorten, trimEnd, unquoted } from './text.ts'
import { readTodos } from './todos.zh.ts'

/** Reads Chinese requests: courtesies off, clauses apart, a kind of work for each. */
export const chinese: Grammar = {
  smallTalk,
  wait,
  read,
  open,
  fill,
  namesChoices: (clause) =>
    /还是|或者?/u.test(clause.object) || /(?:从|在).*[和、与].*(?:中|里|之间)/u.test(clause.text),
  choosesDate,
  placeIn,
  dateIn: (text) => date.exec(text)?.[0].trim() ?? null,
  answer,
  undecided,
  isFiller: (text) =>
    /^(?:好的?|行|可以|嗯+|是的?|对|没问题|谢谢.{0,2}|多谢|继续.{0,3}|不用了?|收到|明白|知道了|ok|OK|辛苦了|加油)[\s。！!，,~～吧啦呀]*$/u.test(
      text.trim(),
    ) || !/[\p{L}\p{N}]/u.test(text),
  isCorrection: (text) => /改成|改为|换成|改到|还是|不是.+是|而不是/u.test(text),
  isWork: (clause) =>
    clause.kind !== 'other' &&
    clause.object !== '' &&
    !/^(?:它|它们|这些|那些|这个|那个|一下|他们|她们)/u.test(clause.object),
  condition(text) {
    const said = trimEnd(plain(text))
    return asking.test(said) ? said : said.replace(/[？?]+$/u, '')
  },
  query,
  tag: (clause) => {
    const said = /标签(?:为|是|叫)?[“"「]?([\p{L}\p{N}-]{1,12})/u.exec(clause.text)?.[1]
    if (said !== undefined) return said
    const last = clause.purpose?.split('的').at(-1) ?? ''
    return /^\p{Script=Han}{2,6}$/u.test(last) && !date.test(last) ? last : null
  },
}

function read(text: string): Clause[] {
  const schedule = readScheduling(text, plain)
  if (schedule !== null) return [schedule]
  const { text: shielded, unshield } = shield(listed(readable(text)))
  const found = shielded
    .split(/[。！!？?；;\n]+/u)
    .map((one) => one.trim())
    .filter((one) => /[\p{L}\p{N}\ue000-\ue1f3]/u.test(one))
    .flatMap((sentence) => readSentence(sentence, shielded))
  return found.slice(0, 40).map((clause) => ({
    ...clause,
    text: unshield(clause.text),
    given: clause.given || bringsAlong(unshield(clause.text)),
    object: unshield(clause.object),
    purpose: clause.purpose === null ? null : unshield(clause.purpose),
    names: clause.names.map((name) => unquoted(unshield(name))),
    command: clause.command === null ? null : unshield(clause.command),
  }))
}

/** Lines behind bullets become one sentence. */
const listed = (text: string): string =>
  text
    .replace(/([：:])[^\S\n]*\n\s*(?:[-*•·]|\d{1,2}[.、)）])\s*/gu, '$1')
    .replace(/\n\s*(?:[-*•·]|\d{1,2}[.、)）])\s*/gu, /[：:]/u.test(text) ? '、' : '\n')

function readSentence(sentence: string, whole: string): Clause[] {
  const todos = readTodos(sentence)
  if (todos !== null) return [...todos.clauses, ...(todos.rest === '' ? [] : readSentence(todos.rest, whole))]
  const [head = '', ...tail] = sentence.split(/[：:](?!\d)\s*/u)
  const parts = splitClauses(head)
  const within = tail.length === 0 ? [] : splitClauses(tail.join('：'))
  const writes = /写|起草|拟|发|翻译|总结|通知|告诉/u.test(parts.at(-1) ?? '')
  if (within.length > 1 && !writes && within.every((part) => verbIn(part) !== null))
    return within.flatMap((part) => clauseOf(part) ?? [])
  const clauses = parts.flatMap((part, index) => {
    const behind = index === parts.length - 1 && tail.length > 0 ? `：${tail.join('：')}` : ''
    const again = index === 0 ? null : readTodos(part + behind)
    if (again !== null) return again.clauses
    const clause = clauseOf(part, behind)
    return clause === null ? [] : [clause]
  })
  if (clauses.length > 0 || !isQuestion(sentence, whole)) return clauses
  const text = trimEnd(plain(sentence)).replace(/[吗呢]$/u, '')
  return [{ kind: 'answer', text, object: text, purpose: null, given: false, names: [], reminds: false, command: null }]
}

const asking = /什么|怎么|怎样|如何|为何|哪|谁|多少|几[个点岁时天年月]|[吗呢][？?]*$|是否|有没有|是不是/u

const isQuestion = (sentence: string, whole: string): boolean =>
  asking.test(sentence) ||
  new RegExp(`${sentence.slice(-8).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*[？?]`, 'u').test(whole)

function answer(text: string, kind: SlotKind): { value: string; rest: string | null } {
  const flat = readable(text).replace(/\s+/g, ' ')
  const cut = /[，,；;。]\s*(?:并且|并|而且|但是|但|不过|同时|另外|还要|还有|也|顺便|最好)|。(?=.)/u.exec(
    kind === 'text' || kind === 'which' ? '' : flat,
  )
  const value = (cut === null ? flat : flat.slice(0, cut.index))
    .replace(
      /^(?:我觉得|我想|我们?选|我们?要|就选|就定在|就定|就在|就|选|定在|那就|那|应该是|应该|大概是?|可能是?|是|去|在|翻译成|译成|给|发给)(?=\S)/u,
      '',
    )
    .replace(/(?:吧|就好|就行|都行|好了|可以|谢谢|呀|啊)+[。！!]*$/u, '')
  return {
    value: shorten(trimEnd(value) || trimEnd(flat) || flat, kind === 'text' ? 400 : 40),
    rest: cut === null ? null : flat.slice(cut.index + cut[0].length),
  }
}

function undecided(text: string): 'you_choose' | 'unknown' | null {
  if (/随便|你(?:来)?(?:定|选|决定|看着办|挑)|都可以|都行|无所谓|听你的|任意/u.test(text)) return 'you_choose'
  return /^(?:我们?)?(?:还)?(?:不知道|不清楚|不确定|没想好|没定|没有?决定|待定|再说|以后再说|跳过)/u.test(text.trim())
    ? 'unknown'
    : null
}

function query(clause: Clause): string {
  const about = clause.object === '' ? clause.text : clause.object
  const words = about
    .replace(/(?:：|:(?!\/\/)|，).*$/su, '')
    .replace(new RegExp(`^(?:一下|关于|有关|一${measure}|个)`, 'u'), '')
    .replace(/["“”「」`]/gu, '')
  return shorten(words, 80) || shorten(clause.text, 80)
}
