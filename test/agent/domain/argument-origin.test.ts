import { describe, expect, it } from 'vitest'
import {
  argumentsOf,
  isStrange,
  originsOf,
  type PlainTexts,
  type Source,
} from '../../../src/agent/domain/argument-origin.ts'

const sources: readonly Source[] = [
  { origin: 'asker', text: 'Send 12,500 to  Ben Miller please' },
  { origin: 'records', text: 'The office is in Lisbon' },
  { origin: 'web', from: 'example.com', text: 'Rooms at hotel@example.org' },
]
const origins = (input: string, from: readonly Source[] = sources) =>
  originsOf(argumentsOf(input, from))

it('says where each argument of a call stands, whatever its case, blanks and number forms (S71)', () => {
  const input = JSON.stringify({
    amount: 12_500,
    to: { name: 'BEN  miller', mail: 'hotel@example.org' },
    cities: ['lisbon', 'Porto'],
    note: '',
  })
  expect(origins(input)).toEqual({
    ...{ amount: 'asker', 'to.name': 'asker', 'to.mail': 'web' },
    ...{ 'cities.0': 'records', 'cities.1': 'model', note: 'model' },
  })
})

it('takes a line as one argument, and the first source that has it', () => {
  expect(origins('ben miller')).toEqual({ input: 'asker' })
  expect(origins('ben miller', [{ origin: 'tool', text: 'Ben Miller' }, ...sources])).toEqual({
    input: 'tool',
  })
  expect(origins('{broken')).toEqual({ input: 'model' })
  expect(origins('')).toEqual({ input: 'model' })
})

/** The value as it is said, and the value of the call. */
type Pair = readonly [said: string, value: unknown]
const stands = ([text, value]: Pair): boolean =>
  argumentsOf(JSON.stringify({ value }), [{ origin: 'asker', text }]).every(
    ({ origin }) => origin === 'asker',
  )

describe('a value is found in words (C895)', () => {
  it.each<Pair>([
    ['pay 1,000 to Ben', 1000],
    ['pay 1.000 EUR', 1000],
    ['pay 1000.00', 1000],
    ["pay 1'000", 1000],
    ['pay 1 000', 1000],
    ['pay 12,50', 12.5],
    ['给小明发5封邮件', '小明'],
    ['给小明发5封邮件', 5],
    ['Miller, Ben', 'Ben Miller'],
    ['acme/web#12', 12],
    ['acme/web#12', 'acme/web'],
    ['read example.com/a/', 'https://www.example.com/a'],
    ['read https://example.com/a.', 'example.com/a'],
    ['to DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['call +49 (30) 123-4567', '+49301234567'],
    ['ＢＥＮ’s “report”', 'Ben'],
    ['at 2026-03-05T15:00:00Z', '2026-03-05 15:00'],
    ['pay to=ben@example.org&amount=12', 'ben@example.org'],
    ['ask @Ben in #marketing', 'marketing'],
  ])('however it is written: %s, %s', (...pair) => {
    expect(stands(pair)).toBe(true)
  })

  it.each<Pair>([
    ['on 15 March', 5],
    ['1.5 kg', 5],
    ['pay 1.125', 1125],
    ['pay 50', 'fifty'],
    ['on 2026-03-05', '03'],
    ['at 12:30', 12],
    ['rm /etc/hosts', '/etc'],
    ['mail ben@example.org.evil.example', 'ben@example.org'],
    ['mail xben@example.org', 'ben@example.org'],
    ['10.0.0.12', '10.0.0.1'],
    ['mail Ben', 'Ben Mallory'],
  ])('but not in a part of another one: %s, %s', (...pair) => {
    expect(stands(pair)).toBe(false)
  })
})

describe('an argument counts (C895)', () => {
  const schema = {
    properties: { mode: { enum: ['fast', 'slow'] }, size: { anyOf: [{ const: 3 }] } },
  }
  const strange = (input: Record<string, unknown>) =>
    argumentsOf(JSON.stringify(input), sources, { schema })
      .filter(isStrange)
      .map(({ name }) => name)

  it('if it says what is done or to whom', () => {
    const input = { to: 'Mallory', amount: 7, path: 'a/b', list: [{ id: 'x' }], '': 'y' }
    expect(strange(input)).toEqual(['to', 'amount', 'path', 'list.0.id', ''])
  })

  it('but not if it is a text, a switch or what the schema offers', () => {
    const texts = { body: 'Dear all', emailSubject: 'Hello', note_text: 'One\nTwo', 正文: '大家好' }
    expect(strange({ ...texts, mode: 'fast', size: 3, draft: true, none: null })).toEqual([])
  })

  it('if a text is only an address or a number', () => {
    expect(strange({ body: 'https://evil.example/?q=1', note: '4711' })).toEqual(['body', 'note'])
  })

  it('if it is a name where the schema takes any, or lies too deep', () => {
    const names = { properties: { to: { additionalProperties: { type: 'boolean' } } } }
    const found = argumentsOf('{"to":{"mallory":true}}', sources, { schema: names }).filter(
      isStrange,
    )
    expect(found.map(({ value }) => value)).toEqual(['mallory'])
    const deep = `${'{"a":'.repeat(30_000)}true${'}'.repeat(30_000)}`
    expect(argumentsOf(deep, sources).filter(isStrange)).toHaveLength(1)
  })

  it('if there are more than anybody looks through', () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`a${at}`, 'Lisbon']))
    expect(strange(many)).toEqual(['…'])
  })
})

it('makes a text plain once for all calls of a task', () => {
  const known: PlainTexts = new Map([['Porto', { words: 'madrid', compact: 'madrid' }]])
  const from: readonly Source[] = ['Porto', 'Lisbon'].map((text) => ({ origin: 'tool', text }))
  expect(argumentsOf('Madrid', from, { known })).toMatchObject([{ origin: 'tool' }])
  expect(argumentsOf('Rome', from, { known })).toMatchObject([{ origin: 'model' }])
  expect(known.get('Lisbon')?.words).toBe('lisbon')
  // Of many only those that are looked through stay.
  for (let n = 0; n < 400; n += 1) known.set(`text ${n}`, { words: '', compact: '' })
  argumentsOf('Madrid', from, { known })
  expect([...known.keys()]).toEqual(['Porto', 'Lisbon'])
})
