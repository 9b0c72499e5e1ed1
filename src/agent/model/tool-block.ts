import type { ToolCard } from '../contracts/input.ts'
import { cut } from '../domain/cut.ts'
import { memoized } from '../domain/memoized.ts'
import { clean, fence } from './fence.ts'

export function toolList(cards: readonly ToolCard[]): string {
  const tools = cards.filter(({ nameOnly }) => !nameOnly).map(toolLines)
  return ['Tools:', ...(tools.length === 0 ? ['(none)'] : tools), ...namesOnly(cards)].join('\n')
}

const toolLines = memoized(
  (card: ToolCard) => `- ${card.name}: ${descriptionOf(card).replaceAll('\n', '\n  ')}`,
  new WeakMap(),
)

/** The line of the tools that are named only; none when there are none. */
export function namesOnly(cards: readonly ToolCard[]): string[] {
  const names = cards.filter(({ nameOnly }) => nameOnly).map(({ name }) => name)
  return names.length === 0
    ? []
    : [`More tools, which find_tool shows before they are used: ${names.join(', ')}`]
}

/** Length of a server's description and schema of a tool, in characters. */
const foreignMost = { description: 1_500, schema: 4_000 }

/**
 * Returns a tool's description, in Clew's words or, as data, in those of the server that runs it
 * (S4).
 */
export function descriptionOf({ description, origin }: ToolCard, withSchema = true): string {
  if (origin === undefined) return clean(description)
  const { server, schema } = origin
  const words = fence('server', {
    description: cut(description, foreignMost.description),
    schema: withSchema ? cut(JSON.stringify(schema), foreignMost.schema) : null,
  })
  return `A tool of the server "${cut(server, 64)}". The input is one JSON object.\n${words}`
}
