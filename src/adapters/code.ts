/*
 * Inline code in a text: the part between two runs of backticks of the same length, as Discord,
 * Slack and CommonMark pair them.
 */

type Range = { from: number; to: number }

/** Finds runs of backticks, in order. */
function runsIn(text: string): Range[] {
  const runs: Range[] = []
  for (let from = text.indexOf('`'); from !== -1; ) {
    let to = from + 1
    while (text[to] === '`') to++
    runs.push({ from, to })
    from = text.indexOf('`', to)
  }
  return runs
}

/** Finds the ranges of code, including their backticks, in linear time (S11). */
export function codeIn(text: string): Range[] {
  const runs = runsIn(text)
  const nextOf = new Map<number, number>()
  const partners = new Array<number>(runs.length).fill(-1)
  for (let place = runs.length - 1; place >= 0; place--) {
    const { from, to } = runs[place] ?? { from: 0, to: 0 }
    partners[place] = nextOf.get(to - from) ?? -1
    nextOf.set(to - from, place)
  }
  const found: Range[] = []
  for (let place = 0; place < runs.length; place++) {
    const [opens, closes] = [runs[place], runs[partners[place] ?? -1]]
    if (opens === undefined || closes === undefined || text[opens.from - 1] === '\\') continue
    found.push({ from: opens.from, to: closes.to })
    place = partners[place] ?? place
  }
  return found
}

/** Changes a text outside its code. */
export const outsideCode = (text: string, change: (words: string) => string) =>
  eachPart(text, change, (code) => code)

/** Returns code without its backticks, as CommonMark reads it. */
function contentOf(code: string): string {
  let fence = 0
  while (code[fence] === '`') fence++
  const content = code.slice(fence, code.length - fence)
  const isPadded = content.startsWith(' ') && content.endsWith(' ') && content.trim() !== ''
  return isPadded ? content.slice(1, -1) : content
}

/**
 * Placeholder for code while the words around it change. Texts never contain these two characters
 * (U+FDD0, U+FDD1).
 */
export const codeMark = '\ufdd0'
const masked = /\ufdd0(\d+)\ufdd1/g
/** Place before code that something else would keep from opening: a backslash, or more code. */
const attached = /(?<=[\\\ufdd1])(?=\ufdd0)/g

/** Turns content into inline code, or returns `null` if it cannot be code. */
export type AsCode = (content: string) => string | null

/**
 * Changes the words of a text as a whole, with its inline code masked.
 *
 * @param words may quote a part of the words as code of its own; it gets the mask of it.
 * @param show renders inline code; returns `null` for code that counts as words.
 */
export function aroundCode(
  text: string,
  words: (masked: string, quote: AsCode) => string,
  show: AsCode,
): string {
  const kept: string[] = []
  const mask: AsCode = (content) => {
    const shown = show(content)
    return shown === null ? null : `${codeMark}${kept.push(shown) - 1}\ufdd1`
  }
  const lines = text.replace(/[\ufdd0\ufdd1]/g, '').split('\n')
  const hidden = lines.map((line) =>
    eachPart(
      line,
      (part) => part,
      (code) => mask(contentOf(code)) ?? code,
    ),
  )
  return words(hidden.join('\n'), mask)
    .replace(attached, ' ')
    .replace(masked, (_, place) => kept[Number(place)] ?? '')
}

function eachPart(
  text: string,
  words: (part: string) => string,
  code: (part: string) => string,
): string {
  let shown = ''
  let done = 0
  for (const { from, to } of codeIn(text)) {
    shown += words(text.slice(done, from)) + code(text.slice(from, to))
    done = to
  }
  return shown + words(text.slice(done))
}
