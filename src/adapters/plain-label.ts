import { aroundCode } from './code.ts'
import { defang } from './safety.ts'
import { shortened } from './text.ts'

const pair = /(\*\*|~~|\|\|)(?=\S)([^\n]{1,300}?)\1/g
const ownEmoji = /<a?(:\w{1,32}:)\d{1,20}>/g
/** Blanks, and characters without a width or a sign. */
const unseen = /[\s\p{Cf}\u2800\u3164]/gu

/** True if there is something to see in a text. */
export const isVisible = (text: string): boolean => text.replace(unseen, '') !== ''

/**
 * Label of a button or an option, which platforms show as it stands: without marks of Markdown,
 * with Discord's own emoji by name, and never blank (C1006).
 */
export function plainLabel(text: string, most: number): string {
  const shown = aroundCode(
    text,
    (words) => words.replace(pair, '$2').replace(ownEmoji, '$1'),
    // Without its marks an address in code is one like any other.
    (code) => defang(code, () => false),
  )
  return isVisible(shown) ? shortened(shown, most) : '…'
}
