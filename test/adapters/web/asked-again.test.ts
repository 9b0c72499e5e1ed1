import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Answer, Api } from '../../../src/adapters/web/page/api.ts'
import {
  fetchList,
  fetchNeeds,
  fetchView,
  refreshing,
  type Session,
} from '../../../src/adapters/web/page/fetches.ts'
import type { State } from '../../../src/adapters/web/page/state.ts'
import { createStore } from '../../../src/adapters/web/page/store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const away: Answer<never> = { kind: 'away', cause: 'store' }

/** A page with the thread `open` before it, on a server that answers what the test says; `asked` are the paths of its requests. */
function openPage() {
  const server = { answer: away as Answer<object> }
  const asked: string[] = []
  const store = createStore({
    ...{
      route: { view: 'thread', id: 'open' },
      person: { id: 'ana', name: '' },
      view: null,
      live: {},
      pressed: {},
    },
    ...{ draft: null, needs: null, connection: 'ok' },
  } as unknown as State)
  const ask = async (_method: string, path: string) => {
    asked.push(path.replace(/\?.*/, ''))
    return server.answer
  }
  const session = {
    ...{
      store,
      api: { ask } as unknown as Api,
      outbox: { items: () => [] },
      listed: 50,
      needed: 20,
      shown: 200,
    },
    ...{ takenOff: new Set(), isHeard: true },
  } as unknown as Session
  return { session, server, asked }
}

it.each([
  ['list', fetchList, '/api/conversations'],
  ['queue', fetchNeeds, '/api/needs-you'],
  ['open thread', fetchView, '/api/conversations/open'],
])(
  'asks again for the %s until it is answered, once however many wait for it (C282)',
  async (_, fetch, path) => {
    const { session, server, asked } = openPage()
    const refresh = refreshing(
      () => fetch(session),
      () => session.isHeard,
    )
    for (let times = 0; times < 5; times += 1) refresh()
    await vi.advanceTimersByTimeAsync(100_000)
    const before = asked.length
    expect(before).toBeGreaterThan(4)
    expect(before, 'after a longer pause each time, half a minute in the end').toBeLessThan(9)
    server.answer = { kind: 'refused', code: 'unknown', message: 'no' }
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toEqual(new Array(before + 1).fill(path))
  },
)

it('asks nothing again while it is cut off (C282)', async () => {
  const { session, asked } = openPage()
  const refresh = refreshing(
    () => fetchNeeds(session),
    () => session.isHeard,
  )
  refresh()
  await vi.advanceTimersByTimeAsync(100)
  session.isHeard = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(1)
})
