import { codeIn } from './code.ts'

/** Smallest limit that leaves room to close and reopen a code fence. */
const leastLimit = 40

/** Open code block: the lines that reopen and close it. */
interface Fence {
  opener: string
  closer: string
}

/**
 * Position of a cut: the end of the first part, the start of the second, and the fence that is open
 * there.
 */
interface Cut {
  end: number
  next: number
  fence: Fence | null
}

/**
 * Splits Markdown into parts of at most `limit` UTF-16 units, in order (R152). Cuts between
 * paragraphs if possible, else between lines, sentences or words. Never cuts inside a character, an
 * escape, an entity, a mention, a link or inline code, unless that alone is longer than a part. A
 * cut code block is closed and reopened with its language. The parts differ from the text only in
 * white space and fence lines at the cuts.
 *
 * @returns no parts for a blank text, and never a blank part.
 * @throws RangeError if the limit is below 40.
 */
export function splitMarkdown(text: string, limit: number): string[] {
  if (limit < leastLimit) throw new RangeError(`a part must have room for ${leastLimit} units`)
  if (text.trim() === '') return []
  if (text.length <= limit) return [text]

  const parts: string[] = []
  let fence: Fence | null = null
  let rest = text
  while (rest.trim() !== '') {
    const prefix = fence === null ? '' : `${fence.opener}\n`
    const cut = findCut(rest, fence, limit, limit - prefix.length)
    const body = rest.slice(0, cut.end)
    const part = prefix + (cut.fence === null ? body : `${body}\n${cut.fence.closer}`)
    // A part is blank if blank lines precede a word that is longer than a part.
    if (part.trim() !== '') parts.push(part)
    rest = rest.slice(cut.next)
    fence = cut.fence
    // The closing line of the fence is already written, so it is skipped here.
    const [first = ''] = rest.split('\n', 1)
    if (fence !== null && closes(first, fence)) {
      rest = rest.slice(first.length + 1)
      fence = null
    }
  }
  return parts
}

/** Finds the best place to end a part with room for `room` units of `rest`. */
function findCut(rest: string, before: Fence | null, limit: number, room: number): Cut {
  let fence = before
  let paragraph: Cut | null = null
  let line: Cut | null = null
  let start = 0
  while (start <= rest.length) {
    const newline = rest.indexOf('\n', start)
    const end = newline === -1 ? rest.length : newline
    const text = rest.slice(start, end)
    const after = fenceAfter(text, fence, limit)
    if (end + costOf(after) > room) {
      // A cut between lines is better, unless it leaves most of the part empty or makes no
      // progress.
      const near = paragraph !== null && paragraph.end >= room / 2 ? paragraph : line
      if (near !== null && (near.end >= room / 3 || fence !== null || opens(text, limit) !== null))
        return near
      return (
        insideLine(text, start, fence, room - costOf(fence)) ??
        near ??
        hardCut(text, start, fence, room - costOf(fence))
      )
    }
    if (newline === -1) return { end, next: end, fence: after }
    // A part that ends with an opening fence would show an empty block.
    const opened = fence === null && after !== null
    if (!opened && end > 0) {
      line = { end, next: end + 1, fence: after }
      // The search runs once per gap, not for each blank line.
      const blank =
        text.trim() === '' ? null : /^\n(?:[^\S\n]*\n)+/.exec(rest.slice(end, end + 200))
      if (after === null && blank !== null)
        paragraph = { end, next: end + blank[0].length, fence: null }
    }
    fence = after
    start = end + 1
  }
  return { end: rest.length, next: rest.length, fence }
}

const costOf = (fence: Fence | null) => (fence === null ? 0 : fence.closer.length + 1)

/** Patterns of tokens that lose their meaning when cut: escapes, entities, mentions, links. */
const atoms = [
  /\\[\s\S]/g,
  /&(?:#\d{1,7}|#x[\da-f]{1,6}|\w{2,30});/gi,
  /<[^<>\s][^<>\n]*>/g,
  /!?\[(?:[^[\]\n]|\[[^[\]\n]*\])*\]\((?:[^()\s]|\([^()\s]*\))*\)/g,
  /https?:\/\/[^\s)]+/gi,
]
/** Longest token that is kept whole, in UTF-16 units. */
const longestAtom = 1_000
/** Distance behind a cut up to which its line is searched for tokens, in UTF-16 units. */
const beyond = 1_600

/**
 * Finds a cut inside a line: after a sentence, else before a word. Returns `null` if neither fits.
 */
function insideLine(line: string, start: number, fence: Fence | null, room: number): Cut | null {
  const most = room - start
  if (fence !== null || most <= 0) return null
  // Tokens are searched only if the line has a possible cut.
  let isWhole: ((at: number) => boolean) | undefined
  const usable = (at: number): boolean => {
    if (at <= 0 || at > most || startsFence(line.slice(at))) return false
    isWhole ??= atomsAround(line.slice(0, most + beyond))
    return isWhole(at)
  }
  for (const [pattern, least] of [
    [/[.!?…]["')\]]*(?= )|[。！？；]/g, most / 2],
    [/ +|[，、]/g, 0],
  ] as const) {
    const ends = Array.from(line.slice(0, most + 1).matchAll(pattern), ({ index, 0: mark }) =>
      mark.startsWith(' ') ? index : index + mark.length,
    )
    const at = ends.findLast((end) => end >= least && usable(end))
    if (at !== undefined) {
      const blanks = /^ */.exec(line.slice(at))?.[0].length ?? 0
      return { end: start + at, next: start + at + blanks, fence }
    }
  }
  return null
}

/**
 * Cuts a word that is longer than a part: between two characters, and outside a token if possible.
 */
function hardCut(line: string, start: number, fence: Fence | null, room: number): Cut {
  const most = Math.max(1, room - start)
  const at = (end: number): Cut => ({ end: start + end, next: start + end, fence })
  const near = line.slice(0, most + beyond)
  const isWhole = atomsAround(near)
  const characters = new Intl.Segmenter().segment(near)
  /** Returns the last boundary between characters up to `end`. */
  const between = (end: number) =>
    end < near.length ? (characters.containing(end)?.index ?? end) : near.length
  const last = (least: number, fits: (end: number) => boolean): number | null => {
    for (let end = between(most); end > least; end = between(end - 1))
      if (fits(end) && !startsFence(line.slice(end))) return end
    return null
  }
  const end = last(most / 2, isWhole) ?? last(0, isWhole) ?? last(0, () => true)
  if (end !== null) return at(end)
  // A single character with many marks is longer than a part; at least surrogate pairs stay whole.
  return at(/[\ud800-\udbff]/.test(line[most - 1] ?? '') ? Math.max(most - 1, 1) : most)
}

/** Creates a function that is true for positions outside the line's tokens. */
function atomsAround(line: string): (at: number) => boolean {
  const inside = new Uint8Array(line.length)
  const ranges = [
    ...atoms.flatMap((atom) =>
      Array.from(line.matchAll(atom), ({ index, 0: found }) => ({
        from: index,
        to: index + found.length,
      })),
    ),
    ...codeIn(line),
  ]
  for (const { from, to } of ranges) if (to - from <= longestAtom) inside.fill(1, from + 1, to)
  return (at) => inside[at] !== 1
}

const startsFence = (text: string) => /^(?:```|~~~)/.test(text.trimStart())

function fenceAfter(line: string, fence: Fence | null, limit: number): Fence | null {
  if (fence === null) return opens(line, limit)
  return closes(line, fence) ? null : fence
}

/**
 * Parses the fence that a line opens. If its line is too long to repeat in every part, it is
 * reopened without its language.
 */
function opens(line: string, limit: number): Fence | null {
  const [, indent = '', marks = '', info = ''] = /^([^\S\n]*)(`{3,}|~{3,})(.*)/s.exec(line) ?? []
  if (marks === '' || (marks.startsWith('`') && info.includes('`'))) return null
  const closer = indent + marks
  if (closer.length > limit / 4) return null
  return { opener: line.length > limit / 4 ? closer : line, closer }
}

function closes(line: string, { closer }: Fence): boolean {
  const marks = closer.trim()
  const found = /^\s*(`{3,}|~{3,})\s*$/.exec(line)?.[1] ?? ''
  return found[0] === marks[0] && found.length >= marks.length
}

/** Shortens a text to at most `most` UTF-16 units, cut between characters, with an ellipsis. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const start = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')
  return `${start.trimEnd()}…`
}
