import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createAttachments } from '../../../src/adapters/attachments.ts'
import type { InboundEvent, InboxEntry } from '../../../src/agent/domain/event.ts'
import type { FileRef } from '../../../src/agent/domain/file-ref.ts'
import { createListener } from '../../../src/agent/model/listener.ts'
import { createEye } from '../../../src/agent/turn/look-at-images.ts'
import { noDocuments } from '../../fakes/documents.ts'
import { silent } from '../../support/silent.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const voice: FileRef = {
  name: 'voice-message.ogg',
  mimetype: 'audio/ogg',
  size: 3,
  url: 'u',
  seconds: 12.3,
}
const free = { tokens: null, cost: null }
const none = { person: free, channel: free, team: free }
const tokens = { type: 'tokens', input_tokens: 30, output_tokens: 5, total_tokens: 35 }

/** Words that a task gets for a file, what it took, and what the endpoint was asked. */
async function handIn(
  file: FileRef,
  answer: { status: number; body: object } | null,
  { day = null }: { day?: number | null } = {},
) {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    asked.push(`${request.url} ${Buffer.concat(chunks).toString('latin1')}`)
    response
      .writeHead(answer?.status ?? 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer?.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const clock = { now: () => 0 }
  const listener = createListener({
    apiKey: null,
    baseURL: `http://127.0.0.1:${port}/v1`,
    model: 'whisper-1',
    timeoutMs: 5_000,
    log: silent,
    clock,
  })
  const used = { promptTokens: 10, completionTokens: 0 }
  const period = { person: used, channel: null, team: null }
  const eye = createEye(
    {
      model: {},
      listener: answer === null ? undefined : listener,
      usage: {
        timeZone: 'UTC',
        currency: 'USD',
        day: { ...none, person: { tokens: day, cost: null } },
        month: none,
      },
      store: {
        usage: { ofDay: async () => ({ day: period, month: period }), figures: async () => [] },
      },
      clock,
    },
    { workspace: 'web:local', channel: 'web', thread: 't' },
    { id: 'e', event: { author: { id: 'ana' } } } as InboxEntry,
  )
  const read = createAttachments({
    platform: 'Chat',
    limits: { files: 2, bytes: 30_000_000 },
    documents: noDocuments,
    download: async () => Buffer.from('Ogg'),
  })
  const event = { content: { kind: 'message', text: '', files: [file] } } as unknown as InboundEvent
  const signal = AbortSignal.timeout(20_000)
  const words = await read(event, 'en', signal, undefined, undefined, eye.hear)
  return { words, asked, spent: eye.spent() }
}

it('writes down a voice message, and counts what that took (C886)', async () => {
  const body = { text: ' Book the harbour room. ', usage: tokens }
  const { words, asked, spent } = await handIn(voice, { status: 200, body })
  expect(words).toBe(
    'A voice message (12 s), as the model heard it:\n```\nBook the harbour room.\n```',
  )
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatch(/^\/v1\/audio\/transcriptions /)
  expect(asked[0]).toMatch(/filename="voice-message.ogg"[\s\S]{1,200}Ogg/)
  expect(asked[0]).toMatch(/name="model"\s+whisper-1/)
  expect(spent).toMatchObject({ promptTokens: 30, completionTokens: 5 })
})

it.each([
  [
    'none is set',
    null,
    {},
    'A voice message (12 s): I haven’t listened to it. Please write me what it says. An admin can turn listening on with AGENT_TRANSCRIBE_MODEL.',
  ],
  [
    'it fails',
    { status: 404, body: { error: { message: 'no such model' } } },
    {},
    'A voice message (12 s): I haven’t listened to it, because the service that turns speech into text didn’t take it. Please send it again later, or write me what it says.',
  ],
  [
    'nothing is left for the day',
    { status: 200, body: { text: 'unheard' } },
    { day: 10 },
    'A voice message (12 s): I haven’t listened to it, because the usage limit is reached. Please write me what it says.',
  ],
  [
    'nobody speaks',
    { status: 200, body: { text: ' ' } },
    {},
    'A voice message (12 s): I heard no words in it.',
  ],
])('says that it has not listened where %s (C886)', async (_, answer, limits, sentence) => {
  expect((await handIn(voice, answer, limits)).words).toBe(sentence)
})

it('writes down an audio file by its type (C886)', async () => {
  const { seconds: _, ...file } = { ...voice, name: 'call.m4a', mimetype: 'audio/mp4' }
  const { words } = await handIn(file, { status: 200, body: { text: 'Hello.' } })
  expect(words).toContain('File call.m4a, as the model heard it:')
})
