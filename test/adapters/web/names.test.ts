import { expect, it } from 'vitest'
import { nameOf, nameWithin } from '../../../src/adapters/web/names.ts'
import { asOperator } from '../../../src/adapters/web/operator.ts'
import { texts } from '../../../src/locales/texts.ts'

const page = { en: texts('en').page, zh: texts('zh').page }

it('calls who gave no name “you” to themselves and somebody to others, in the reader’s language', () => {
  for (const name of ['You', '你', page.en.unnamed, page.zh.unnamed]) {
    const author = { id: 'ana', name }
    expect([nameOf(author, 'ana', page.en), nameWithin(author, 'ana', page.zh)]).toEqual([
      'You',
      '你',
    ])
    expect([nameOf(author, 'ben', page.en), nameWithin(author, 'ben', page.en)]).toEqual([
      'Somebody',
      'somebody',
    ])
    expect(nameOf(author, 'ben', page.zh)).toBe('有人')
  }
  expect(nameOf({ id: 'ana', name: 'Ana' }, 'ana', page.en), 'who gave one').toBe('Ana')
})

it('says in a thread of another platform that somebody answered on the page', () => {
  const thread = { address: { workspace: 'slack:T1', channel: 'C1', thread: '1' }, locale: 'en' }
  const named = (name: string) =>
    asOperator({ id: 'ana', name, bot: false, operator: true }, thread).name
  expect([named('You'), named('Ana')]).toEqual([
    'Somebody (on Clew’s page)',
    'Ana (on Clew’s page)',
  ])
})
