import type { InboundEvent } from '../../src/agent/domain/event.ts'
import type { Change } from '../../src/agent/ports/store.ts'
import type { Tool } from '../../src/agent/ports/tool.ts'
import { createSystemClock } from '../../src/clock.ts'
import { type Around, startClew } from '../../src/compose/clew.ts'
import { readConfig } from '../../src/config.ts'
import { acts, asks, closes, createFakeModel, decides, ends, plans } from '../fakes/model.ts'
import { choices, type Report, words } from './answer-race-shared.ts'
import { waitedFor } from './processor-time.ts'
import { silent } from './silent.ts'

/* The Clew of the race, in a process of its own. It tells its address, and for each message what it has seen since the first. */

/** Asks once, does its one call when it is answered, and ends; what comes too late to count is an ordinary message. */
function chooser() {
  const model = createFakeModel()
  model.answer(({ contract, input }) => {
    if (contract === 'decision')
      return input.message.includes('Book room')
        ? decides.run(input.message, input.message)
        : decides.reply('Noted.')
    if (contract === 'plan') return plans('Book')
    if (contract === 'replan')
      return input.observations.length > 0
        ? ends('Booked.')
        : { status: 'replanned', plan: ['Book'], response: null }
    if (contract !== 'thought') return null
    if (input.clarifications.length === 0) return asks('Which room?', [...choices])
    return input.observations.length === 0 ? acts(input.goal, 'book') : closes('ok')
  })
  return model
}

const booking = (calls: string[]): Tool => ({
  ...{ name: 'book', description: 'Books a room.', effect: 'keyed' },
  async run(_, { effectId }) {
    calls.push(effectId)
    return { ok: true, text: 'booked' }
  },
})

/** Sees which answer to a question is stored first, and when the commit is made that takes the question out of the queue. */
function watch() {
  const taken: Record<string, number> = {}
  const gone: Record<string, number> = {}
  const won: string[] = []
  const kept: [number, number][] = []
  let isOn = false
  const accepted = (event: InboundEvent, conversationId: string) => {
    const isAnswer =
      event.content.kind === 'answer' ||
      (event.content.kind === 'message' && event.content.text === words)
    if (isOn && isAnswer) taken[conversationId] ??= Date.now()
  }
  const committed = ({ answered, conversationId = '' }: Change) => {
    if (!isOn || answered === undefined || gone[conversationId] !== undefined) return
    gone[conversationId] = Date.now()
    won.push(answered.answer === words ? 'words' : answered.answer === choices[0] ? 'API' : 'click')
  }
  const wrap: NonNullable<Around['wrap']> = (_, port) =>
    new Proxy(port, {
      get(target, key, receiver) {
        const method: unknown = Reflect.get(target, key, receiver)
        if (typeof method !== 'function' || (key !== 'accept' && key !== 'commit')) return method
        return async (...args: unknown[]) => {
          const answer: unknown = await Reflect.apply(method, target, args)
          if (key === 'accept')
            accepted(args[0] as InboundEvent, (answer as { conversationId: string }).conversationId)
          else if ((answer as { kind: string }).kind === 'committed') committed(args[1] as Change)
          return answer
        }
      },
    })
  return {
    wrap,
    report: () => ({ taken, gone, won, kept }),
    start() {
      if (isOn) return
      isOn = true
      const waited = waitedFor()
      setInterval(() => kept.push([Date.now(), waited()]), 10).unref()
    },
  }
}

const calls: string[] = []
const seen = watch()
const clew = await startClew(readConfig(JSON.parse(process.env.CLEW_BENCH ?? '{}')), {
  clock: createSystemClock(),
  log: silent,
  model: chooser(),
  tools: [booking(calls)],
  wrap: seen.wrap,
})
process.on('message', () => {
  seen.start()
  process.send?.({ calls, ...seen.report() } satisfies Report)
})
process.on('SIGTERM', async () => {
  await clew.stop()
  process.exit(0)
})
process.on('disconnect', () => process.exit(0))
process.send?.(clew.url)
