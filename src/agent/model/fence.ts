import { cut, recallMost } from '../domain/cut.ts'

/** F1: length of one observation in a prompt, in characters. */
export const observationLimit = 10_000

/** A result as prompts show it; of a long one the beginning, and how to read on (C493). */
export const shownResult = (result: string, step: number): string =>
  cut(
    result,
    observationLimit,
    `: this is not the whole result. Call recall with "${step} from ${observationLimit}" to read on, ${recallMost} at a time`,
  )

/** Text, the entries of a list, or nothing. */
type Field = string | readonly string[] | null | undefined

/**
 * Marks text that others wrote, so that a model can tell it from its instructions (S4).
 *
 * Contract: only labels and the end of the fence stand at the beginning of a line (S45). Further
 * lines of a text are indented by two blanks, those of a list's entry by four; so no text can end
 * the fence or begin a field or an entry, whatever it holds.
 *
 * @param from who wrote it: a rule of the system prompt is tied to each of these.
 * @param fields label and text, or the entries of a list, shown in this order; what is null or an
 *   empty list is left out.
 */
export function fence(
  from: 'person' | 'overheard' | 'tool' | 'plan' | 'memory' | 'server',
  fields: Readonly<Record<string, Field>>,
): string {
  const lines = Object.entries(fields).flatMap(([label, value]) => {
    if (typeof value === 'string') return `${label}: ${indented(value, '  ')}`
    return value?.length
      ? [`${label}:`, ...value.map((entry) => `  ${indented(entry, '    ')}`)]
      : []
  })
  return [`<data from="${from}">`, ...lines, '</data>'].join('\n')
}

/** A question, if there is one, and its choices as fields, numbered as people see them (C495). */
export const asked = (question: string | null, choices: readonly string[] = []) => ({
  question,
  choices: choices.map((choice, at) => `${at + 1}. ${choice}`),
})

const indented = (text: string, by: string) => clean(text).replaceAll('\n', `\n${by}`)

/**
 * A name as people give it to themselves: one line, without the signs that set a name apart from
 * words.
 */
export const nameIn = (name: string): string =>
  clean(name)
    .replace(/[\s[\]:：]+/gu, ' ')
    .trim()
    .slice(0, 80)
    .toWellFormed()

/** Every sign that a reader may take for the end of a line. */
const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/**
 * Control characters, and what is not seen but read: tags, fillers, marks of direction. Joiners
 * stay: scripts and emoji need them.
 */
const unseen = /[[\p{Cc}\p{Cf}\u115f\u1160\u3164\uffa0\u{e0100}-\u{e01ef}]--[\n\t\u200c\u200d]]/gv
const anyAngle = /[<＜﹤‹〈⟨〈❬❮˂ᐸᚲ≺⋖]/gv
/**
 * Any sign of these three, and halves of surrogate pairs: most texts have none, and are left as
 * they are.
 */
const unclean = new RegExp(`${unseen.source}|${anyAngle.source}|[\\u2028\\u2029\\p{Cs}]`, 'v')

/**
 * Text that may stand in a prompt: no fence of ours and nothing that looks like one, no turn marker
 * of a chat template (`<|im_end|>`), nothing unseen, and no half of a surrogate pair, for which
 * endpoints refuse the whole request.
 */
export function clean(text: string): string {
  if (!unclean.test(text)) return text
  return withoutTags(text.toWellFormed().replace(lineEnds, '\n').replace(unseen, ''))
}

const tag = /^(?:\s*(?:[/∕⁄⧸╱]\s*)?data(?![a-z0-9])|\s*[|¦ǀ∣❘]|\s*(?:start|end)_of_turn)/

/** Longest beginning of a tag that is looked at, in characters. */
const tagMost = 24

/** Linear: behind each angle so much is read and no more. */
const withoutTags = (text: string) =>
  text.replace(anyAngle, (sign, at: number) =>
    tag.test(folded(text.slice(at + 1, at + 1 + tagMost))) ? '‹' : sign,
  )

/**
 * Letters as they look: in one width and style, without accents and joiners, in lower case; those
 * that look like the tag's and are others as the tag's.
 */
const folded = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\u200c\u200d]/gu, '')
    .replace(/[ԁɗđɖ]/g, 'd')
    .replace(/[аαɑ]/g, 'a')
    .replace(/[тτƭ]/g, 't')
