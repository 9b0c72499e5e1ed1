import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Conversation } from '../../src/agent/domain/conversation.ts'
import type { Delivery, DeliveryBody } from '../../src/agent/domain/delivery.ts'
import type { InboundEvent } from '../../src/agent/domain/event.ts'
import type { ProgressView } from '../../src/agent/domain/progress.ts'
import type { AnsweredQuestion, Question } from '../../src/agent/domain/question.ts'
import type { Channel, Intake } from '../../src/agent/ports/channel.ts'

/** A channel with the platform behind it, or a stand-in that speaks the platform's real protocol. */
export interface ChannelHarness {
  channel: Channel
  /** Has a thread in which everything below happens. */
  conversation: Conversation
  /** What the thread shows now, oldest first, without progress: one text a delivery. */
  shown(): Promise<string[]>
  /** The progress that the thread shows now, one text a run. */
  progress(): Promise<string[]>
  /** Whom the thread's texts call out to. */
  mentions(): Promise<string[]>
  /** From now on the platform cannot be reached; `mend` ends it. */
  cut(): void
  mend(): void
  /** A person writes in the thread; `gesture` names the platform's event. True when the platform takes it as delivered. */
  say(text: string, gesture: string): Promise<boolean>
  stop(): Promise<void>
}

/** What every channel promises the core (ports/channel.ts). `make` starts one, already listening, that hands on to `intake`. */
export function channelContract(
  name: string,
  make: (intake: Intake) => Promise<ChannelHarness>,
): void {
  describe(`${name} as a channel`, () => {
    let harness: ChannelHarness
    let events: InboundEvent[]
    let accept: Intake
    beforeEach(async () => {
      events = []
      accept = async () => ({
        kind: 'accepted',
        conversationId: harness.conversation.id,
        messageId: 'm',
        entryId: 'e',
      })
      harness = await make((event) => {
        events.push(event)
        return accept(event)
      })
    })
    afterEach(() => harness.stop())

    const deliver = (id: string, body: DeliveryBody) =>
      harness.channel.send(deliveryOf(id, body, harness.conversation.id), harness.conversation)

    it('shows deliveries in order, each once however often it is sent (P2)', async () => {
      for (const id of ['one', 'two', 'one', 'two', 'three']) {
        expect(await deliver(id, says(id))).toMatchObject({ kind: 'sent', ref: expect.any(String) })
      }
      expect(await harness.shown()).toEqual(['one', 'two', 'three'])
    })

    it('takes every kind of delivery', async () => {
      const bodies: DeliveryBody[] = [
        says('hello'),
        { kind: 'final', messageId: 'm2', text: 'done', runId: 'r' },
        { kind: 'question', question, runId: 'r' },
        { kind: 'answered', answered, runId: 'r' },
        { kind: 'private', to: 'ana', text: 'for Ana' },
        { kind: 'receipt', messageId: 'm1', outcome: { kind: 'joined', runId: 'r' } },
      ]
      for (const [index, body] of bodies.entries()) {
        expect((await deliver(`d${index}`, body)).kind).toBe('sent')
      }
    })

    it('never throws when the platform is away, and loses nothing', async () => {
      harness.cut()
      const sent = await deliver('late', says('late'))
      expect(['later', 'unknown']).toContain(sent.kind)
      const progressed = await harness.channel.show(
        progressOf('r', 'running', 1),
        harness.conversation,
      )
      expect(['later', 'unknown']).toContain(progressed.kind)
      harness.mend()
      expect((await deliver('late', says('late'))).kind).toBe('sent')
      expect(await harness.shown()).toEqual(['late'])
    })

    it('finds what it has shown and nothing else (P2)', async () => {
      await deliver('there', says('there'))
      const find = (id: string) =>
        harness.channel.find(
          deliveryOf(id, says(id), harness.conversation.id),
          harness.conversation,
        )
      expect(await find('there')).toMatchObject({ ref: expect.any(String) })
      expect(await find('elsewhere')).toBeNull()
    })

    it('replaces the progress of a run by the newest one (C49)', async () => {
      for (const index of [0, 1, 2]) {
        expect(
          (await harness.channel.show(progressOf('r', 'running', index), harness.conversation))
            .kind,
        ).toBe('sent')
      }
      const shown = await harness.progress()
      expect(shown).toHaveLength(1)
      expect(shown[0]).toMatch(/2 of 3|2\/3/)
    })

    it('opens a thread for a conversation that has none, and the same one when it is tried again (R106)', async () => {
      const conversation: Conversation = {
        ...harness.conversation,
        id: 'c_new',
        address: { ...harness.conversation.address, thread: null },
      }
      const delivery = deliveryOf('opening', says('opening'), conversation.id)
      const first = await harness.channel.send(delivery, conversation)
      const again = await harness.channel.send(delivery, conversation)
      expect(first).toMatchObject({ kind: 'sent', thread: expect.any(String) })
      expect(again).toEqual(first)
    })

    it('calls nobody out, whatever a text says (S1)', async () => {
      await deliver(
        'loud',
        says('<!channel> <!here> <@U1> @everyone @here <@&2> <!subteam^S1> <@123>'),
      )
      expect(await harness.mentions()).toEqual([])
    })

    it('hands on what people say and has it acknowledged only when it is stored (P4)', async () => {
      accept = () => Promise.reject(new Error('the store is away'))
      expect(await harness.say('Hello', 'g1')).toBe(false)
      accept = async () => ({ kind: 'accepted', conversationId: 'c', messageId: 'm', entryId: 'e' })
      expect(await harness.say('Hello', 'g1')).toBe(true)
      // A platform that acknowledges nothing may try again by itself meanwhile.
      expect(events.length).toBeGreaterThanOrEqual(2)
      expect(new Set(events.map(({ keys }) => keys.join())).size, 'it is one gesture').toBe(1)
      expect(events.at(-1)).toMatchObject({
        workspace: harness.conversation.address.workspace,
        channel: harness.conversation.address.channel,
        thread: harness.conversation.address.thread,
        author: { bot: false },
        content: { kind: 'message', text: 'Hello' },
      })
    })

    it('gives one gesture the same keys however often it arrives, and two gestures different ones (P3, R116)', async () => {
      for (const gesture of ['g1', 'g1', 'g2']) await harness.say('Hello', gesture)
      const [first, again, other] = events.map(({ keys }) => keys)
      expect(again).toEqual(first)
      expect(other?.some((key) => first?.includes(key))).toBe(false)
    })

    it('says whether it is well', async () => {
      expect(harness.channel.health().ok).toBe(true)
      await harness.channel.stop()
      expect(harness.channel.health().ok).toBe(false)
    })
  })
}

const says = (text: string): DeliveryBody => ({
  kind: 'message',
  messageId: `m-${text}`,
  text,
  runId: null,
})

const question: Question = {
  version: 1,
  id: 'q',
  runId: 'r',
  text: 'Which city?',
  choices: ['Lisbon', 'Porto'],
  askedAt: 1,
  askedOf: null,
}
const answered: AnsweredQuestion = {
  question,
  answer: 'Lisbon',
  author: { id: 'ana', name: 'Ana' },
  at: 2,
}

function deliveryOf(id: string, body: DeliveryBody, conversationId: string): Delivery {
  return { version: 1, id: `d_${id}`, conversationId, at: 1, body }
}

function progressOf(runId: string, status: ProgressView['status'], index: number): ProgressView {
  const items = ['Collect', 'Compare', 'Book'].map((text, place) => ({ text, done: place < index }))
  const now = { kind: 'thinking' as const }
  return {
    runId,
    title: 'The offsite',
    status,
    items,
    index,
    done: index,
    now,
    lastResult: null,
    lastChange: null,
  }
}
