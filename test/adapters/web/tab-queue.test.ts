import { expect, it } from 'vitest'
import { createTabQueue } from '../../../src/adapters/web/tab-queue.ts'

const news = (conversationId: string, ...gone: string[]) =>
  ({ kind: 'news', workspace: 'web:local', conversationId, gone }) as const
const event = (n: number) => ({ kind: 'event', event: { id: `1-${n}`, body: '{}' } }) as const

it('hands over all that waits, news of one conversation as one (C265)', async () => {
  const queue = createTabQueue(10)
  const said = news('a', 'q|1')
  for (const told of [said, event(1), news('b'), news('a', 'q|2'), news('a')]) queue.push(told)
  expect(await queue.next()).toEqual([news('a', 'q|1', 'q|2'), event(1), news('b')])
  expect(said.gone, 'other tabs were told the same').toEqual(['q|1'])
  const next = queue.next()
  queue.push(news('a', 'q|3'))
  expect(await next).toEqual([news('a', 'q|3')])
})

it('has a tab that is too slow fetch everything anew, up to the newest that it missed', async () => {
  const queue = createTabQueue(3)
  for (const n of [1, 2, 3, 4]) queue.push(event(n))
  queue.push(event(5))
  expect(await queue.next()).toEqual([{ kind: 'reset', id: '1-4' }, event(5)])
  queue.push(event(6))
  queue.push(null)
  expect(await queue.next(), 'the end').toBe(null)
})
