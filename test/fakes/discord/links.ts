/** What Discord makes of a text at one place, in the order in which its clients try it. */
const rules: readonly { pattern: RegExp; link: number | null; code?: true }[] = [
  { pattern: /```(?:[a-z0-9_+\-.#]+?\n)?\n*[^\n][\s\S]*?\n*```/iy, link: null, code: true },
  { pattern: /(`+)([\s\S]*?[^`])\1(?!`)/y, link: null, code: true },
  { pattern: /\\[^0-9A-Za-z\s]/y, link: null },
  { pattern: /<([a-z][a-z0-9+.-]*:\/\/[^ >]+)>/iy, link: 1 },
  { pattern: /\[(?:[^[\]]|\[[^\]]*\])*\]\(\s*<?([a-z][a-z0-9+.-]*:[^)\s>]+)>?[^)]*\)/iy, link: 1 },
  { pattern: /[a-z][a-z0-9+.-]*:\/\/[^\s<]+/iy, link: 0 },
  // Cards of invites.
  { pattern: /discord(?:\.gg|(?:app)?\.com\/invite)\/[\w-]+/iy, link: 0 },
]

interface Read {
  text: string
  address: string | null
  isCode: boolean
}

/** A text in the pieces that Discord's clients make of it. */
function piecesOf(text: string): Read[] {
  const pieces: Read[] = []
  for (let at = 0; at < text.length; ) {
    const found = rules.flatMap(({ pattern, link, code = false }) => {
      pattern.lastIndex = at
      const match = pattern.exec(text)
      const address = match === null || link === null ? null : (match[link] ?? '')
      return match === null ? [] : [{ text: match[0], address, isCode: code }]
    })[0] ?? { text: text.charAt(at), address: null, isCode: false }
    pieces.push(found)
    at += found.text.length
  }
  return pieces
}

/** Every address that can be followed in a text: not in code, not where it is escaped. */
export const linksIn = (text: string): string[] =>
  piecesOf(text).flatMap(({ address }) => address || [])

/** A text without its code, in which Discord looks for names. */
export const wordsIn = (text: string): string =>
  piecesOf(text)
    .map(({ text: piece, isCode }) => (isCode ? ' ' : piece))
    .join('')
