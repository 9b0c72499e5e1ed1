import { clauseOf, placeIn, plain, verbOf } from './clause.en.ts'
import { date, determiner, nounsToo, pronoun, timedNoun, verbKinds } from './lexicon.en.ts'
import { aDate, fill, open } from './open.en.ts'
import type { Clause, Grammar, Kind, SlotKind } from './request.ts'
import { readScheduling } from './schedules.ts'
import { smallTalk, wait } from './talk.en.ts'
import { bringsAlong, capitalised, hides, readable, shield, shorten, trimEnd, unquoted } from './text.ts'
import { readTodos } from './todos.en.ts'

/** Reads English requests: courtesies off, clauses apart, a kind of work for each. */
export const english: Grammar = {
  smallTalk,
  wait,
  read,
  open,
  fill,
  namesChoices: (clause) =>
    /^(?:between|from|out of)\b|^(?:one|some|two|three|any|the best) of\b|\bor\b/i.test(clause.object),
  choosesDate: (clause) => aDate.test(clause.object),
  placeIn,
  dateIn: (text) => date.exec(text)?.[0] ?? null,
  answer,
  undecided,
  isFiller: (text) =>
    /^(?:ok(?:ay)?|yes|yep|sure|fine|good|great|perfect|thanks?(?: you)?|thx|cool|continue|go on|proceed|resume|please|no|nope|done|nice|hi|hello|hey)[\s.!]*$/i.test(
      text.trim(),
    ) || !/[\p{L}\p{N}]/u.test(text),
  isCorrection: (text) =>
    /\b(?:instead|rather|change (?:it|that|this)? ?to|make (?:it|that)|not .+ but|actually)\b/i.test(text),
  isWork: (clause) => clause.kind !== 'other' && clause.object !== '' && !pronoun.test(clause.object),
  condition(text) {
    const said = trimEnd(plain(text))
    return isQuestion(said) ? said : said.replace(/\?+$/, '')
  },
  query,
  tag,
}

function read(text: string): Clause[] {
  const schedule = readScheduling(text, plain)
  if (schedule !== null) return [schedule]
  const { text: shielded, unshield } = shield(listed(readable(text)))
  const found = sentences(shielded).flatMap((sentence) => readSentence(plain(sentence)))
  return borrowObjects(found)
    .slice(0, 40)
    .map((clause) => ({
      ...clause,
      text: unshield(clause.text),
      given: clause.given || bringsAlong(unshield(clause.text)),
      object: unshield(clause.object),
      purpose: clause.purpose === null ? null : unshield(clause.purpose),
      names: clause.names.map((name) => capitalised(unquoted(unshield(name)))),
      command: clause.command === null ? null : unshield(clause.command),
    }))
}

/** Lines behind bullets become one sentence with commas. */
function listed(text: string): string {
  return text
    .replace(/:[^\S\n]*\n\s*(?:[-*•–]|\d{1,2}[.)])[^\S\n]+/g, ': ')
    .replace(/\n\s*(?:[-*•–]|\d{1,2}[.)])[^\S\n]+/g, text.includes(':') ? ', ' : '\n')
}

/** A text that is brought along may have sentences of its own. */
const sentences = (text: string): string[] => (bringsText(text) ? [text] : separate(text))

function bringsText(text: string): boolean {
  const head = /^([^:\n]{1,200}):\s/.exec(text)?.[1]
  const last = head === undefined ? undefined : separate(head).at(-1)
  const kind =
    last === undefined
      ? undefined
      : splitClauses(last)
          .map((part) => readClause(part, '')?.kind)
          .at(-1)
  return kind !== undefined && ['explain', 'translate', 'review', 'send'].includes(kind)
}

const separate = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+|;\s+/)
    .map((one) => one.trim())
    .filter((one) => /[\p{L}\p{N}\ue000-\ue1f3]/u.test(one))

function readSentence(sentence: string): Clause[] {
  const todos = readTodos(sentence)
  if (todos !== null) return [...todos.clauses, ...(todos.rest === '' ? [] : readSentence(plain(todos.rest)))]
  if (isQuestion(sentence))
    return [clauseOf('answer', trimEnd(sentence.replace(/\?+$/, '')), trimEnd(sentence.replace(/\?+$/, '')))]
  const [head, ...tail] = sentence.split(/:\s+/)
  const parts = splitClauses(head ?? '')
  const within = splitClauses(tail.join(': '))
  if (within.length > 1 && within.every(beginsClause) && !isWriting(parts))
    return within.flatMap((part) => readClause(part, '') ?? [])
  const clauses = parts.flatMap((part, index) => {
    const behind = index === parts.length - 1 && tail.length > 0 ? `: ${tail.join(': ')}` : ''
    const again = index === 0 ? null : readTodos(part + behind)
    if (again !== null) return again.clauses.map((one) => meaning(one, parts[index - 1] ?? ''))
    const clause = readClause(part, behind)
    return clause === null ? [] : [clause]
  })
  return clauses
}

/** What follows the colon is then a text, not work: “write an announcement: find us in room 3, bring cake”. */
const isWriting = (parts: readonly string[]): boolean =>
  /^(?:write|draft|compose)\b/i.test(parts.at(-1) ?? '') ||
  ['send', 'explain', 'translate', 'review'].includes(readClause(parts.at(-1) ?? '', '')?.kind ?? '')

/** “… and add it to my to-dos”: “it” is what the clause before was about. */
function meaning(clause: Clause, before: string): Clause {
  const name = readClause(before, '')?.object ?? ''
  return name === '' ? clause : { ...clause, names: clause.names.map((one) => (pronoun.test(one) ? name : one)) }
}

const isQuestion = (text: string): boolean =>
  /^(?:what|which|who|whose|whom|when|where|why|how|is|are|was|were|does|do you|did|has|have you|should|may|am)\b/i.test(
    text,
  ) ||
  (/\?$/.test(text) && verbOf(text) === null)

/** “compare the venues, then book one and tell the team” → three parts. */
function splitClauses(sentence: string): string[] {
  const parts: string[] = []
  let rest = sentence
  let from = 0
  for (const match of sentence.matchAll(
    /,?\s+(?:and|then|but|or)\s+(?:then\s+|also\s+|after that,?\s+|finally\s+)?|,\s*/gi,
  )) {
    const behind = plain(sentence.slice(match.index + match[0].length))
    if (match.index < from || !beginsClause(behind)) continue
    parts.push(sentence.slice(from, match.index))
    from = match.index + match[0].length
    rest = sentence.slice(from)
  }
  return [...parts, rest].map((part) => plain(part)).filter((part) => part !== '')
}

function beginsClause(text: string): boolean {
  const verb = verbOf(text)
  if (verb === null) return /^(?:write down|jot down|note down)\b/i.test(text)
  const behind = text.slice(verb.length).trim()
  const [next = ''] = behind.split(/[\s,.]/, 1)
  if (next === '') return false
  return !nounsToo.has(verb.toLowerCase()) || determiner.test(next) || hides(next) || /^\p{Lu}/u.test(next)
}

/** Null for statements: they are background, not work. */
function readClause(part: string, behind: string): Clause | null {
  const text = trimEnd(part.replace(/\?+$/, ''))
  const verb = verbOf(text)
  if (verb === null)
    return orderWithUnknownVerb(text) ? clauseOf('other', text + behind, text.replace(/^\S+\s*/, '') + behind) : null
  const kind = kindOf(verb, text)
  const object = text
    .slice(verb.length)
    .trim()
    .replace(kind === 'send' ? /^$/ : /^(?:me|us)\s+/i, '')
  const order =
    kind === 'find' || kind === 'book' || kind === 'buy' || kind === 'write' || kind === 'plan'
      ? `${verb} ${object}`
      : text
  const clause = clauseOf(kind, order + behind, object + behind)
  return { ...clause, given: clause.given || behind !== '' }
}

const bookable = new RegExp(`^get\\s+(?:(?:me|us)\\s+)?(?:a|an|the|two|some)\\s+${timedNoun}(?![\\p{L}’'])`, 'iu')

function kindOf(verb: string, text: string): Kind {
  const kind = verbKinds.get(verb.toLowerCase().replace(/\s+/g, ' ')) ?? 'other'
  if (kind === 'write' && /\b(?:a|the|me a|us a) (?:short )?list of\b/i.test(text)) return 'list'
  if (kind === 'write' && /\b(?:a|the) (?:\S+ )?plan\b/i.test(text)) return 'plan'
  if (kind === 'list' && /^give (?:me|us) (?:a|an|the) (?:summary|overview|explanation|recap)/i.test(text))
    return 'explain'
  if (/^get\b/i.test(verb) && bookable.test(text)) return 'book'
  if (/^make\s+(?:the|this|that|it|these|my|our)\b/i.test(text)) return 'other'
  if (kind === 'explain' && /^tell/i.test(verb) && /^tell (?:me|us) (?:when|if)\b/i.test(text)) return 'find'
  return kind
}

/** “Defrost the freezer”: an unknown first word with an object behind it. */
const orderWithUnknownVerb = (text: string): boolean =>
  /^(?!(?:i|we|it|he|she|they|you|there|this|that|these|those|the|a|an|my|our|your|his|her|its|their|no|not|if|when|because|since|after|before|while|some|all|in|on|at|for|with|by|from|to|of|as|under|only|never|always|is|are|was|were|nothing|everything|everyone|someone|keep|use|avoid|ensure|prefer|include|exclude|skip|don['’]t|do not|must|should)\b)[\p{L}-]+\s+(?:(?:up|out|off|down|over|away|back|through)\s+)?(?:the|a|an|my|our|all|this|these|those|your|every|\d+|some|any)\s+\S/iu.test(
    text,
  )

/** “find and compare hotels”: a verb alone shares the next one's object. */
function borrowObjects(clauses: readonly Clause[]): Clause[] {
  return clauses.map((clause, index) => {
    const next = clauses[index + 1]
    if (clause.object !== '' || next === undefined) return clause
    return { ...clause, object: next.object, text: `${clause.text} ${next.object}`, purpose: next.purpose }
  })
}

function answer(text: string, kind: SlotKind): { value: string; rest: string | null } {
  const flat = readable(text).replace(/\s+/g, ' ')
  const cut = /[,;.]\s+(?:and|but|also|plus)\s+|\s+(?:but|also)\s+|[.;]\s+(?=\p{Lu})/iu.exec(
    kind === 'text' || kind === 'which' ? '' : flat,
  )
  const value = (cut === null ? flat : flat.slice(0, cut.index))
    .replace(
      /^(?:i (?:think|guess|say|mean|would say)|i['’]d (?:say|go with|prefer|like)|let['’]?s (?:take|go with|say|do|have)|we (?:take|choose|chose|want|prefer|go with)|go with|take|maybe|probably|it['’]s|that would be|make it|please|the answer is|definitely|how about|for|into|to)\s+/i,
      '',
    )
    .replace(/(?:,?\s+(?:please|thanks|thank you|i think|i guess|would be (?:great|good|nice|best)))+[.!]*$/i, '')
  return {
    value: shorten(trimEnd(value) || trimEnd(flat) || flat, kind === 'text' ? 600 : 60),
    rest: cut === null ? null : flat.slice(cut.index + cut[0].length),
  }
}

function undecided(text: string): 'you_choose' | 'unknown' | null {
  if (
    /\b(?:you (?:choose|decide|pick)|your (?:choice|call)|up to you|any(?:thing|where|one| of them)?(?: is fine)?|whatever|whichever|surprise me|don['’]t (?:care|mind)|no preference|doesn['’]t matter)\b/i.test(
      text,
    )
  )
    return 'you_choose'
  if (
    /^(?:(?:i|we) (?:don['’]t|do not) know(?: yet)?|no idea|not sure(?: yet)?|unknown|not yet|dunno|no clue|idk|skip(?: (?:it|this|that))?|later)\b/i.test(
      text.trim(),
    )
  )
    return 'unknown'
  return null
}

function query(clause: Clause): string {
  const about = clause.object === '' ? clause.text : clause.object
  const words = about
    .replace(/:\s.*$/s, '')
    .replace(/^in \S+ (?:short |brief )?(?:sentences?|words|lines|paragraphs?)\s+/i, '')
    .replace(/^(?:out|about|for|up|whether|if|between|on)\s+/i, '')
    .replace(/^(?:one|some|two|three|any|the best) of\s+/i, '')
    .replace(/^(?:the|a|an|our|my|some|any)\s+/i, '')
    .replace(
      /\s+in\s+\S+\s+(?:short |brief )?(?:sentences?|words|lines|paragraphs?|bullet points?|bullets|points)\b.*$/i,
      '',
    )
    .replace(/["“”`]/g, '')
  return shorten(words, 120) || shorten(clause.text, 120)
}

function tag(clause: Clause): string | null {
  const said = /\b(?:tagged|with (?:the )?tag)\s+#?(\p{L}[\p{L}\p{N}-]*)/iu.exec(clause.text)?.[1]
  if (said !== undefined) return said.toLowerCase()
  const last = /(\p{Ll}[\p{Ll}-]{2,19})$/u.exec(clause.purpose?.replace(date, '').trim() ?? '')?.[1]
  return last === undefined || date.test(last) ? null : last
}
