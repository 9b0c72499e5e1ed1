import { expect, it } from 'vitest'
import { nameOf, nameWithin, waitsOf } from '../../../src/adapters/web/names.ts'
import { asOperator } from '../../../src/adapters/web/operator.ts'
import { texts } from '../../../src/locales/texts.ts'

const page = { en: texts('en').page, zh: texts('zh').page }

it('calls who gave no name “you” to themselves and unnamed to others, in the reader’s language', () => {
  for (const name of ['You', '你', page.en.unnamed, page.zh.unnamed]) {
    const author = { id: 'ana', name }
    expect([nameOf(author, 'ana', page.en), nameWithin(author, 'ana', page.zh)]).toEqual([
      'You',
      '你',
    ])
    expect([nameOf(author, 'ben', page.en), nameWithin(author, 'ben', page.en)]).toEqual([
      'No name given',
      'someone who gave no name',
    ])
    expect(nameOf(author, 'ben', page.zh)).toBe('未署名')
  }
  expect(nameOf({ id: 'ana', name: 'Ana' }, 'ana', page.en), 'who gave one').toBe('Ana')
})

it('says in a thread of another platform that somebody answered on the page', () => {
  const thread = { address: { workspace: 'slack:T1', channel: 'C1', thread: '1' }, locale: 'en' }
  const named = (name: string) =>
    asOperator({ id: 'ana', name, bot: false, operator: true }, thread).name
  expect([named('You'), named('Ana')]).toEqual([
    'No name given (on Clew’s page)',
    'Ana (on Clew’s page)',
  ])
})

it('says whose answer is waited for, and “your” only to who may give it (C830)', () => {
  const line = (mine: boolean, askedOf: string | null) => waitsOf({ mine, askedOf }, page.en)
  expect(line(true, 'Pia')).toBe('Waiting for your answer')
  expect(line(false, 'Pia')).toBe('Waits for Pia’s answer')
  expect(line(false, page.zh.unnamed)).toBe(
    'Waits for an answer from the person who asked (no name given)',
  )
  expect(line(false, null)).toBe('Waits for an admin’s answer')
})
