import type { ToolCard } from '../contracts/input.ts'
import { toolList } from '../model/tool-block.ts'
import type { Tool, ToolResult } from '../ports/tool.ts'

/**
 * Most of others' tools that a prompt shows in full: functions (endpoints take 128), and characters
 * of cards.
 */
const shownMost = { cards: 60, characters: 24_000, ofOne: 6_000 }
/** Number of cards that one call returns at most. */
const foundMost = 5

const description =
  'Shows how tools are used that are listed by their names only. The input is words of what is to be done, or a name.'

/**
 * The cards as prompts show them: where there are too many of others, the rest by their names
 * alone, and `find_tool` (C98).
 */
export function shownCards(cards: readonly ToolCard[]): ToolCard[] {
  let [shown, characters] = [0, 0]
  const all = cards.map((card) => {
    if (card.origin === undefined) return card
    const size = sizeOf(card)
    const fits =
      size <= shownMost.ofOne &&
      characters + size <= shownMost.characters &&
      shown < shownMost.cards
    if (!fits) return { ...card, nameOnly: true as const }
    shown += 1
    characters += size
    return card
  })
  return all.some(({ nameOnly }) => nameOnly) ? [...all, { name: finder, description }] : all
}

export const finder = 'find_tool'

const sizeOf = ({ description, origin }: ToolCard) =>
  description.length + JSON.stringify(origin).length

/** Brings the cards that `shownCards` left out; null where it left none out. */
export function finderOf(cards: readonly ToolCard[]): Tool | null {
  if (!shownCards(cards).some(({ nameOnly }) => nameOnly)) return null
  return { name: finder, effect: 'none', description, run: async (input) => found(cards, input) }
}

function found(cards: readonly ToolCard[], input: string): ToolResult {
  const words = input.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const best = cards
    .map((card) => ({ card, score: scoreOf(card, input.trim(), words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, foundMost)
  if (best.length === 0)
    return { ok: false, text: 'no tool fits these words; try others, or one of the listed names' }
  return { ok: true, text: toolList(best.map(({ card }) => card)) }
}

/** A name counts for more than what is said of the tool. */
function scoreOf(
  { name, description }: ToolCard,
  wanted: string,
  words: readonly string[],
): number {
  if (name === wanted) return Number.POSITIVE_INFINITY
  const [called, said] = [name.toLowerCase(), description.toLowerCase()]
  return words.reduce(
    (sum, word) => sum + (called.includes(word) ? 3 : 0) + (said.includes(word) ? 1 : 0),
    0,
  )
}
