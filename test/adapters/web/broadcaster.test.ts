import { describe, expect, it } from 'vitest'
import { createBroadcaster, type TabNotice } from '../../../src/adapters/web/broadcaster.ts'
import {
  compareEventIds,
  type EventLog,
  type LoggedEvent,
} from '../../../src/adapters/web/events.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { silent } from '../../support/silent.ts'

/** A log whose waiting reads answer when the test says so, so that the common reader can be late. */
function createLateLog() {
  const all: LoggedEvent[] = []
  const waiting: (() => void)[] = []
  const log: EventLog = {
    async append(_key, body) {
      const id = `${all.length + 1}-0`
      all.push({ id, body })
      return id
    },
    find: async () => null,
    async read({ after, waitMs, signal }) {
      if (waitMs > 0)
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      return { events: all.filter(({ id }) => compareEventIds(id, after) > 0), lost: false }
    },
    position: async () => all.at(-1)?.id ?? '0-0',
    close: async () => {},
  }
  return { log, answer: () => waiting.splice(0).map((resolve) => resolve()) }
}

describe('the broadcaster', () => {
  it('tells a tab nothing twice when it caught up before the common reader did', async () => {
    const { log, answer } = createLateLog()
    const broadcaster = createBroadcaster({ events: log, clock: createManualClock(), log: silent })
    const heard: TabNotice[] = []
    broadcaster.subscribe(null, () => {})
    const settle = () => new Promise((resolve) => setTimeout(resolve, 5))
    await settle()
    await log.append(null, 'one')
    await log.append(null, 'two')
    broadcaster.subscribe('0-0', (told) => told !== null && heard.push(told))
    await settle()
    answer()
    await settle()
    expect(heard.flatMap((item) => (item.kind === 'event' ? [item.event.body] : []))).toEqual([
      'one',
      'two',
    ])
    await broadcaster.stop()
  })
})
