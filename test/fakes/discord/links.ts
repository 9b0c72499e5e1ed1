/** What Discord makes of a text at one place, in the order in which its clients try it. */
const rules: readonly { pattern: RegExp; link: number | null }[] = [
  { pattern: /```(?:[a-z0-9_+\-.#]+?\n)?\n*[^\n][\s\S]*?\n*```/iy, link: null },
  { pattern: /(`+)([\s\S]*?[^`])\1(?!`)/y, link: null },
  { pattern: /\\[^0-9A-Za-z\s]/y, link: null },
  { pattern: /<([a-z][a-z0-9+.-]*:\/\/[^ >]+)>/iy, link: 1 },
  { pattern: /\[(?:[^[\]]|\[[^\]]*\])*\]\(\s*<?([a-z][a-z0-9+.-]*:[^)\s>]+)>?[^)]*\)/iy, link: 1 },
  { pattern: /[a-z][a-z0-9+.-]*:\/\/[^\s<]+/iy, link: 0 },
]

/** Every address that can be followed in a text, as Discord's clients read it: not in code, not where it is escaped. */
export function linksIn(text: string): string[] {
  const links: string[] = []
  for (let at = 0; at < text.length; ) {
    const found = rules.flatMap(({ pattern, link }) => {
      pattern.lastIndex = at
      const match = pattern.exec(text)
      return match === null
        ? []
        : [{ length: match[0].length, address: link === null ? null : (match[link] ?? '') }]
    })[0]
    if (found?.address) links.push(found.address)
    at += found?.length ?? 1
  }
  return links
}
