import { fullStops, withoutEnding } from '../../locales/sentence-end.ts'
import { languages, texts } from '../../locales/texts.ts'
import { present } from '../domain/present.ts'
import {
  clausesOf,
  isHan,
  isQuestion,
  plainSigns,
  readClause,
  vocabularyOf,
  wordsIn,
} from './parts.ts'

/**
 * `choice` is what the line says; `ambiguous`: it may be any of these, or its own words. Null: it
 * is none of them.
 */
export type ChoiceRead =
  | { kind: 'choice'; choice: string }
  | { kind: 'ambiguous'; choices: string[] }

/**
 * Reads a line as one of the choices of a question: by its name, or by its number. A number is
 * first the choice that it names (“3” of 3, 5 and 8; “2” for “2 seats”), then the one in that
 * place.
 */
export function choiceIn(choices: readonly string[], text: string): ChoiceRead | null {
  const exact = choices.find((choice) => choice === text) ?? named(choices, text)
  if (exact !== undefined) return { kind: 'choice', choice: exact }
  const place = placeIn(text, choices.length)
  if (place === null) return null
  if (place.kind === 'place') return choiceAt(choices, place.index)
  return byNumber(choices, place.number)
}

const bare = (text: string) =>
  withoutEnding(
    plainSigns(text.normalize('NFKC'))
      .toLowerCase()
      .trim()
      .replace(/^["'“”‘’「『]|["'“”‘’」』]$/g, ''),
    fullStops,
  ).trim()

const courtesy = vocabularyOf('beside')
const choosing = vocabularyOf('choosing')

/** “porto.”, “Porto, please”. */
function named(choices: readonly string[], text: string): string | undefined {
  const said = bare(text)
  const whole = choices.find((choice) => bare(choice) === said)
  if (whole !== undefined || isQuestion(text)) return whole
  const clauses = clausesOf(text) ?? []
  const more = clauses.filter((clause) => readClause(clause, courtesy).rest !== '')
  const [clause] = more
  if (clause === undefined || more.length > 1) return undefined
  const words = withoutSigns(bare(clause)).replace(/^please /u, '')
  const polite = [words, readClause(words, choosing).rest].map((one) =>
    one.replace(/(?: please| thanks| thank you| it is|，?谢谢|吧)$/u, ''),
  )
  return choices.find((choice) => polite.includes(bare(choice)))
}

const agreeing = [...wordsIn('beside'), ...wordsIn('yes')].filter((word) => /^\p{So}$/u.test(word))

/** Leaves out signs that only agree: “Porto 👍”. */
const withoutSigns = (text: string): string =>
  agreeing.reduce((left, sign) => left.replaceAll(sign, ' '), text).trim()

type Place = { kind: 'place'; index: number } | { kind: 'number'; number: number }

const around = vocabularyOf('aroundPlace', 'byPlace', 'choosing', 'places', 'last')

/** “2”, “2.”, “#2”, “option 2”, “the second one”, “第二个”. */
function placeIn(text: string, count: number): Place | null {
  if (isQuestion(text) || text.length > 60) return null
  const said = bare(text)
  // “One second, please” asks for time.
  if (/^one second\b/.test(said)) return null
  const number = /^(?:#\s?)?(\d{1,3})\s?[.)、:]?$/.exec(said)?.[1]
  if (number !== undefined) return { kind: 'number', number: Number(number) }
  const digits = /\d{1,3}/.exec(said)?.[0]
  const words = (digits === undefined ? said : said.replace(digits, ' ')).replace(/[,，]/g, ' ')
  const { found, rest } = readClause(words, around)
  if (rest !== '') return null
  const [ordinal, ...others] = found.filter(({ kind }) => kind === 'places' || kind === 'last')
  if (digits !== undefined) {
    if (ordinal !== undefined) return null
    // “option 3”, “第3个”; “3个” and “take 3” may be an amount.
    const isPlace = found.some(({ kind }) => kind === 'byPlace')
    return isPlace
      ? { kind: 'place', index: Number(digits) - 1 }
      : { kind: 'number', number: Number(digits) }
  }
  if (ordinal === undefined || others.length > 0) return null
  if (ordinal.kind === 'last') return { kind: 'place', index: count - 1 }
  const index = places.map((list) => list.indexOf(ordinal.word)).find((at) => at !== -1) ?? -1
  // A Chinese number is a place behind 第 alone.
  return isHan(said) && !said.includes('第') ? null : { kind: 'place', index }
}

const places = languages.map((one) => texts(one).said.places)

function choiceAt(choices: readonly string[], index: number): ChoiceRead | null {
  const choice = choices[index]
  return choice === undefined ? null : { kind: 'choice', choice }
}

const numbersIn = (choice: string) => (choice.match(/\d+/g) ?? []).map(Number)

/**
 * By name where exactly one choice begins with the number; else by place, where no other choice has
 * the number in it.
 */
function byNumber(choices: readonly string[], number: number): ChoiceRead | null {
  const led = choices.filter(
    (choice) => Number(/^\s*(\d+)/.exec(choice)?.[1] ?? Number.NaN) === number,
  )
  if (led.length === 1) return choiceAt(led, 0)
  const holding = led.length > 0 ? led : choices.filter((one) => numbersIn(one).includes(number))
  const place = choices[number - 1]
  // Where all choices are amounts, another amount may be meant as one.
  const isAmount = led.length === 0 && choices.every((one) => /^\s*\d/.test(one))
  const meant = [
    ...new Set(present([...holding, place === undefined || led.length > 0 ? null : place])),
  ]
  if (meant.length === 1 && !isAmount) return choiceAt(meant, 0)
  if (meant.length === 0) return null
  return { kind: 'ambiguous', choices: meant }
}
