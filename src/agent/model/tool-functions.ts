import { isRecord } from '../contracts/forgiving.ts'
import type { ToolCard } from '../contracts/input.ts'
import { cut } from '../domain/cut.ts'
import { memoized } from '../domain/memoized.ts'
import { parseObject } from './json-text.ts'
import { descriptionOf } from './tool-block.ts'

/**
 * Length of a function's description, in characters. OpenAI refuses the whole request for a longer
 * one.
 */
const descriptionMost = 1_024
/** Most characters of the note of a cut. */
const noteMost = 60
/** A foreign schema that is longer is left to the tool to check. */
const schemaMost = 16_000

const line = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
}

/**
 * Function that calls the tools shown by name only, so that the list of functions stays the same.
 */
const callToolCard: ToolCard = {
  name: 'call_tool',
  description:
    'Calls a tool that is listed by its name only, after find_tool has shown how it is used.',
  origin: {
    server: 'Clew',
    schema: {
      type: 'object',
      properties: {
        tool: { type: 'string' },
        input: { type: 'object', description: 'As the tool takes it.' },
      },
      required: ['tool', 'input'],
    },
  },
}

/** Returns the functions: each tool that is shown in full, and one for all others. */
export function functionsOf(
  cards: readonly ToolCard[],
  without: ReadonlySet<string> = new Set(),
): ToolCard[] {
  const offered = cards.filter(({ name, nameOnly }) => !nameOnly && !without.has(name))
  return cards.some(({ nameOnly }) => nameOnly) ? [...offered, callToolCard] : offered
}

/** Function by which a tool is called; of the same card the same object. */
export const functionOf = (card: ToolCard, isStrict: boolean) =>
  isStrict ? strictFunction(card) : plainFunction(card)
const strictFunction = memoized(
  (card: ToolCard) => makeFunction(card, { strict: true }),
  new WeakMap(),
)
const plainFunction = memoized((card: ToolCard) => makeFunction(card, {}), new WeakMap())

/**
 * Clew's tools take one line or text, with the grammar in the description; a server's take what its
 * schema says.
 */
function makeFunction(card: ToolCard, strict: { strict?: true }) {
  const { name, origin, fields = line } = card
  const described = cut(card.description, descriptionMost)
  const whole = descriptionOf({ ...card, description: described }, false)
  const room = described.length - (whole.length - descriptionMost) - noteMost
  const description =
    whole.length <= descriptionMost
      ? whole
      : descriptionOf({ ...card, description: cut(described, room) }, false)
  // Strict mode takes only a part of JSON Schema, so a server's schema goes without it and is
  // checked by the tool.
  const taken =
    origin === undefined
      ? { parameters: fields, ...strict }
      : { parameters: parametersOf(origin.schema) }
  return { type: 'function' as const, function: { name, description, ...taken } }
}

/**
 * Endpoints take objects only, not of any length, and no choice at the top (C994); the tool checks
 * that.
 */
function parametersOf(whole: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { oneOf: _, anyOf: __, allOf: ___, not: ____, ...schema } = whole
  const isUsable = schema.type === 'object' && JSON.stringify(schema).length <= schemaMost
  if (!isUsable) return { type: 'object', properties: {} }
  return isRecord(schema.properties) ? { ...schema } : { ...schema, properties: {} }
}

/**
 * A past call as the endpoint knows it: an object of the server's schema, or one that holds the
 * line.
 */
export function calledAs(tool: string, input: string, cards: readonly ToolCard[] = []) {
  const text = input.toWellFormed()
  const card = cards.find(({ name, origin, fields }) => name === tool && (origin ?? fields))
  const given = card === undefined ? null : parseObject(text)
  if (card?.nameOnly)
    return { name: callToolCard.name, arguments: JSON.stringify({ tool, input: given ?? text }) }
  return { name: tool, arguments: given === null ? JSON.stringify({ input: text }) : text }
}

/** The other way round: which tool a call means. */
export function meantBy(
  name: string,
  input: Record<string, unknown>,
): { tool: string; input: unknown } {
  const isIndirect = name === callToolCard.name && typeof input.tool === 'string'
  return isIndirect ? { tool: String(input.tool), input: input.input ?? {} } : { tool: name, input }
}
