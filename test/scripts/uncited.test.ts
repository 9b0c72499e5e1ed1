import { describe, expect, it } from 'vitest'
import { citationsIn, definedIn, numbersIn } from '../../scripts/uncited.ts'

// The numbers here are beyond any that exist, so that this file cites nothing.
describe('numbersIn', () => {
  it('fills ranges in, with either dash and with or without the second letter', () => {
    expect(numbersIn('R901–R903, C911-C912 P921-922')).toEqual([
      'R901',
      'R902',
      'R903',
      'C911',
      'C912',
      'P921',
      'P922',
    ])
  })

  it('leaves the letters out', () => {
    expect(numbersIn('R901b, C902a, b')).toEqual(['R901', 'C902'])
  })

  it('takes whole words only', () => {
    expect(numbersIn('xR901 R90123 (R902) r903 R904 - 906')).toEqual(['R902', 'R904'])
  })
})

describe('definedIn', () => {
  it('takes each number that begins a line of the list, and none that a line mentions', () => {
    expect(
      definedIn('- **R901** It runs (C911).\n- **C911** See **R902**.\n\n**R903** is no line.\n'),
    ).toEqual(['R901', 'C911'])
  })
})

it('takes lettered lines for the one number that they share', () => {
  expect(definedIn('- **C901a** It runs.\n- **C901b** It stops.\n')).toEqual(['C901', 'C901'])
})

describe('citationsIn', () => {
  it('reads titles and comments', () => {
    const source = [
      "describe('the loop (R901)', () => {",
      "  it('stops (R902, C911)', () => {}) // R903",
      '  it.each([1, 2])(`stops at %i (R904)`, () => {})',
      "  describeWith('redis-server', 'the store (R905)', () => {})",
      '})',
      '/** R906 */',
    ].join('\n')
    expect([...citationsIn(source)].sort()).toEqual([
      'C911',
      'R901',
      'R902',
      'R903',
      'R904',
      'R905',
      'R906',
    ])
  })

  it('reads the names of table rows, as far as they are in brackets', () => {
    const source =
      "it.each([\n  ['blank (R901, C911)', 'R902'],\n  ['R903', 1],\n  { name: 'huge (R904)' },\n])('%s', f)"
    expect([...citationsIn(source)].sort()).toEqual(['C911', 'R901', 'R904'])
  })

  it('reads neither code nor other strings', () => {
    expect(citationsIn("const R901 = 'R902'\nexpect(a).toBe('R903')").size).toBe(0)
  })
})
