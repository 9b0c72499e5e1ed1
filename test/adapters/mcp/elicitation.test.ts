import { expect, it } from 'vitest'
import { type Elicitation, nextStep } from '../../../src/adapters/mcp/elicitation.ts'
import type { ServiceAnswer } from '../../../src/agent/domain/service-question.ts'
import { texts } from '../../../src/locales/texts.ts'

const words = texts('en').core.service
const form = (properties: object, required: string[] = Object.keys(properties)) =>
  ({ message: 'Please.', requestedSchema: { type: 'object', properties, required } }) as Elicitation
const answer = (key: string, text: string, choice = -1): ServiceAnswer => ({
  ...{ step: 1, key, kind: 'answered', text, choice },
  author: { id: 'ana', name: 'Ana' },
})
const step = (asked: Elicitation, answers: readonly ServiceAnswer[] = []) =>
  nextStep(asked, { server: 'desk', key: 'k', answers, words })

it.each([
  ['password', { type: 'string' }],
  ['apiKey', { type: 'string', title: 'API key' }],
  ['code', { type: 'string', title: '验证码' }],
])('a form that asks for a secret (%s) is declined unasked (C855)', (name, schema) => {
  expect(step(form({ [name]: schema }))).toEqual({ reply: { action: 'decline' } })
})

it.each([
  ['email', { type: 'string' }, true],
  ['contact', { type: 'string', format: 'email' }, true],
  ['phone_number', { type: 'string' }, true],
  ['city', { type: 'string' }, false],
  ['出生日期', { type: 'string' }, true],
  ['message', { type: 'string' }, false],
])('%s is asked of the person alone if it is their own (C853)', (name, schema, alone) => {
  expect(step(form({ [name]: schema }))).toMatchObject({ asks: { alone } })
})

const tags = { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, maxItems: 2 }
it.each([
  [{ type: 'boolean' }, 'Yes', 0, true],
  [{ type: 'boolean' }, 'no', -1, false],
  [{ type: 'integer' }, '42', -1, 42],
  [{ type: 'number' }, '4.5', -1, 4.5],
  [{ type: 'string', minLength: 2 }, 'ok', -1, 'ok'],
  [{ type: 'string', oneOf: [{ const: 'x', title: 'Ex' }] }, 'Ex', 0, 'x'],
  [{ type: 'string', enum: ['x', 'y'] }, 'Y', -1, 'y'],
  [tags, 'A, c', -1, ['a', 'c']],
])('reads an answer to %o as its schema means it (C850)', (schema, text, choice, meant) => {
  const content = { one: meant }
  expect(step(form({ one: schema }), [answer('k:0', text, choice)])).toEqual({
    reply: { action: 'accept', content },
  })
})

it.each([
  [{ type: 'boolean' }, 'perhaps'],
  [{ type: 'integer' }, '4.5'],
  [{ type: 'number' }, ''],
  [{ type: 'string', minLength: 3 }, 'ok'],
  [{ type: 'string', enum: ['x', 'y'] }, 'z'],
  [tags, 'a, b, c'],
  [tags, 'a, d'],
])('asks %o again after an answer that does not fit (C850)', (schema, text) => {
  const { asks } = step(form({ one: schema }), [answer('k:0', text)]) as { asks: { text: string } }
  expect(asks.text).toContain('That doesn’t fit')
})

it('a page that is not of the web is declined, and words open none (C854)', () => {
  const page = (url: string) =>
    ({ mode: 'url', message: 'Sign.', elicitationId: 'e', url }) as Elicitation
  expect(step(page('javascript:alert(1)'))).toEqual({ reply: { action: 'decline' } })
  const asks = { alone: true, link: 'https://example.org/a' }
  expect(step(page('https://example.org/a'), [answer('k', 'what is it')])).toMatchObject({ asks })
})
