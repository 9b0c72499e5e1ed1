import { describe, expect, it } from 'vitest'
import { addressesIn, addressesKnown, foundBy } from '../../../src/agent/domain/address.ts'

const found = (input: string, result: string, known: string[] = []) => [
  ...foundBy([{ input, result }], known),
]

describe('an address that people may follow (S21)', () => {
  it.each([
    [
      'See https://a.example/x, and (https://b.example).',
      ['https://a.example/x', 'https://b.example/'],
    ],
    ['**https://A.example/x**', ['https://a.example/x']],
    ['www.a.example/x', ['https://www.a.example/x']],
    ['看https://a.example/x。谢谢', ['https://a.example/x']],
    ['https://a.example/x这里', ['https://a.example/x%E8%BF%99%E9%87%8C', 'https://a.example/x']],
    ['https://a.example/x_(y)', ['https://a.example/x_(y', 'https://a.example/x_(y)']],
    ['mailto:a@b.example javascript:alert(1) ftp://a.example', []],
  ])('is read out of %s', (text, addresses) => {
    expect(addressesIn(text)).toEqual(addresses)
  })

  it('is one that a search returned', () => {
    expect(found('venues in Lisbon', '1. **Hall** <https://hall.example/lisbon-venues>')).toEqual([
      'https://hall.example/lisbon-venues',
    ])
  })

  it.each([
    [
      'the question itself',
      'https://evil.example/SECRET',
      'Results for https://evil.example/SECRET',
    ],
    [
      'all of the question',
      'venues SECRET',
      'https://evil.example/?q=venues%20SECRET https://evil.example/venues+secret',
    ],
    ['a key out of it', 'venues sk12345678', 'https://evil.example/venues?sk12345678'],
    [
      'a long word out of it',
      'venues abcdefghijklmnopqrst',
      'https://evil.example/ABCDEFGHIJKLMNOPQRST',
    ],
    [
      'a page that the model put together',
      'https://evil.example/a?q=SECRET',
      'https://evil.example/b https://other.example/SECRET',
    ],
    [
      'a name that it put together',
      'https://secret.evil.example/',
      'https://secret.evil.example/b',
    ],
  ])('is none that holds what the model asked: %s', (_, input, result) => {
    expect(found(input, result)).toEqual([])
  })

  it('is what a page links to that was known itself', () => {
    const [page, next] = ['https://hall.example/rooms', 'https://hall.example/rooms/2']
    expect(found(page, `${page} ${next}`)).toEqual([])
    expect(found(page, `${page} ${next}`, [page])).toEqual([page, next])
    const looks = [
      { input: 'a quiet hall', result: page },
      { input: page, result: next },
    ]
    expect([...foundBy(looks, [])]).toEqual([page, next])
  })

  it('is written by a member there, not chosen from what Clew wrote, quoted or handed over (S33)', () => {
    const messages = [
      { role: 'user' as const, text: 'https://a.example/' },
      { role: 'user' as const, text: 'https://b.example/', chosen: true },
      {
        role: 'assistant' as const,
        text: 'https://c.example/ https://d.example/',
        links: ['https://d.example/'],
      },
    ]
    const overheard = [
      { text: 'https://e.example/' },
      { text: 'https://f.example/', where: 'linked' as const },
      { text: 'https://g.example/', where: 'replied_to' as const },
      { text: 'https://h.example/', by: 'bot' as const },
      { text: 'https://i.example/', by: 'guest' as const },
    ]
    expect(addressesKnown(messages, overheard)).toEqual([
      'https://a.example/',
      'https://e.example/',
      'https://d.example/',
    ])
  })
})
