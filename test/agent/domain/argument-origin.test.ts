import { expect, it } from 'vitest'
import { originsOf, type Sources } from '../../../src/agent/domain/argument-origin.ts'

const sources: Sources = [
  ['asker', ['Send 12,500 to  Ben Miller please']],
  ['records', ['The office is in Lisbon']],
  ['web', ['Rooms at hotel@example.org']],
]

it('says where each argument of a call stands, whatever its case, blanks and number forms (S71)', () => {
  const input = JSON.stringify({
    amount: 12_500,
    to: { name: 'BEN  miller', mail: 'hotel@example.org' },
    cities: ['lisbon', 'Porto'],
    note: '',
  })
  expect(originsOf(input, sources)).toEqual({
    ...{ amount: 'asker', 'to.name': 'asker', 'to.mail': 'web' },
    ...{ 'cities.0': 'records', 'cities.1': 'model', note: 'model' },
  })
})

it('takes a line as one argument, and the first source that has it', () => {
  expect(originsOf('ben miller', sources)).toEqual({ input: 'asker' })
  expect(originsOf('ben miller', [['tool', ['Ben Miller']], ...sources])).toEqual({ input: 'tool' })
  expect(originsOf('{broken', sources)).toEqual({ input: 'model' })
  expect(originsOf('', sources)).toEqual({ input: 'model' })
})
