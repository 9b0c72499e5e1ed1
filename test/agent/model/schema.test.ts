import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { contractNames } from '../../../src/agent/contracts.ts'
import { schemaOf } from '../../../src/agent/model/schema.ts'
import { strictProblems } from '../../fakes/openai/strict-schema.ts'
import { replies } from './inputs.ts'

describe('the schema of a contract', () => {
  it.each(contractNames)('%s keeps the rules of strict functions', (contract) => {
    expect(strictProblems(schemaOf(contract))).toEqual([])
    expect(JSON.stringify(schemaOf(contract))).not.toMatch(
      /"(?:\$schema|const|default|minLength|maxLength)"/,
    )
  })

  it.each(contractNames)('%s accepts its replies and nothing open', (contract) => {
    const accepts = new Ajv().compile(schemaOf(contract))
    expect(accepts(replies[contract])).toBe(true)
    expect(accepts({ ...replies[contract], more: 1 })).toBe(false)
    for (const key of Object.keys(replies[contract]))
      expect(accepts({ ...replies[contract], [key]: undefined }), key).toBe(false)
  })
})

describe('the rules of strict functions', () => {
  const text = { type: 'string' }
  const closed = (properties: Record<string, unknown>) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  })
  const deep = (levels: number): Record<string, unknown> =>
    levels === 0 ? text : closed({ inner: deep(levels - 1) })

  it.each([
    ['an open object', { type: 'object', properties: { a: text }, required: ['a'] }],
    ['an optional key', { ...closed({ a: text }), required: [] }],
    ['a required key that does not exist', { ...closed({ a: text }), required: ['a', 'b'] }],
    [
      'an open object further in',
      closed({ a: { type: 'array', items: { type: 'object', properties: {}, required: [] } } }),
    ],
    ['a length', closed({ a: { type: 'string', minLength: 1 } })],
    ['a default', closed({ a: { type: 'string', default: 'x' } })],
    ['$schema', { $schema: 'x', ...closed({}) }],
    ['oneOf', closed({ a: { oneOf: [text] } })],
    ['a union at the root', { ...closed({}), anyOf: [text] }],
    ['a root that is a list', { type: 'array', items: text }],
    ['a list of anything', closed({ a: { type: 'array' } })],
    ['a key of any type', closed({ a: {} })],
    ['eleven levels', deep(11)],
    ['text', 'object'],
  ])('refuse %s', (_, schema) => {
    expect(strictProblems(schema)).not.toEqual([])
  })

  it('accept unions, lists and null further in', () => {
    expect(
      strictProblems(
        closed({
          a: { anyOf: [closed({ b: text }), { type: 'null' }] },
          c: { type: ['string', 'null'] },
        }),
      ),
    ).toEqual([])
  })
})
