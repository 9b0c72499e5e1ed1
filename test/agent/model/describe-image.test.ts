import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { ShownImage } from '../../../src/agent/domain/attached-image.ts'
import { createOpenAiModel, type OpenAiOptions } from '../../../src/agent/model/openai.ts'
import { silent } from '../../support/silent.ts'
import { inputs, replies } from './inputs.ts'

const image = { type: 'image/png', bytes: new Uint8Array([1, 2, 3]) }
const signal = new AbortController().signal
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A model at an endpoint that answers in turn what is given; what it was asked comes along. */
async function modelAt(...given: ({ status: number; body: object } | Partial<OpenAiOptions>)[]) {
  const answers = given.filter((one) => 'status' in one)
  const more = given.find((one) => !('status' in one)) ?? {}
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    asked.push(Buffer.concat(chunks).toString())
    const { status, body } = answers.shift() ?? { status: 500, body: {} }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const baseURL = `http://127.0.0.1:${port}/v1`
  const price = { prompt: 2, completion: 10 }
  const options = {
    apiKey: null,
    baseURL,
    model: 'm',
    timeoutMs: 5_000,
    log: silent,
    price,
  }
  const model = createOpenAiModel({ ...options, clock: { now: () => 0 }, ...more })
  const look = async () => await model.sight?.look(image, signal)
  /** A thought of a task with images, each a kilobyte; how many images each request had. */
  const think = (images: readonly ShownImage[]) =>
    model.call('thought', { ...inputs.thought, images }, signal)
  const had = () => asked.map((body) => body.split('data:image/').length - 1)
  return {
    look,
    see: async () => (await look())?.words,
    estimate: model.sight?.estimate,
    asked,
    think,
    had,
  }
}
const says = (content: string | null) => ({
  status: 200,
  body: { choices: [{ message: { content } }] },
})

it('tells what an image shows, which goes along in the request itself', async () => {
  const { see, asked } = await modelAt(says(' A chart. '))
  expect(await see()).toBe('A chart.')
  expect(asked[0]).toContain('data:image/png;base64,AQID')
})

it('sends no third image to a model that takes none, and tries again after anything else', async () => {
  const refusal = { status: 400, body: { error: { message: 'image_url is not supported' } } }
  const blind = await modelAt(refusal, refusal, says('x'))
  expect([await blind.see(), await blind.see(), await blind.see()]).toEqual([null, null, null])
  expect(blind.asked).toHaveLength(2)
  const busy = await modelAt({ status: 503, body: {} }, says(null), says('A chart.'))
  expect([await busy.see(), await busy.see(), await busy.see()]).toEqual([null, null, 'A chart.'])
})

it('says what looking took and cost, and before it what it takes at most (C36, C116)', async () => {
  const usage = { prompt_tokens: 900, completion_tokens: 30 }
  const body = { choices: [{ message: { content: 'A chart.' } }], usage }
  const refusal = { status: 400, body: { error: { message: 'no' } } }
  const { look, estimate } = await modelAt({ status: 200, body }, refusal)
  expect(await look()).toEqual({
    words: 'A chart.',
    usage: { promptTokens: 900, completionTokens: 30, cost: 2_100 },
  })
  expect(await look()).toEqual({ words: null, usage: { promptTokens: 0, completionTokens: 0 } })
  expect(estimate).toEqual({ promptTokens: 2_500, completionTokens: 1_500, cost: 20_000 })
})

const shown = (name: string): ShownImage => ({
  name,
  type: 'image/png',
  base64: 'A'.repeat(1_000_000),
})
const thinks = {
  status: 200,
  body: {
    choices: [
      {
        message: {
          tool_calls: [
            { function: { name: 'thought', arguments: JSON.stringify(replies.thought) } },
          ],
        },
      },
    ],
  },
}

it('gets the images of a task before its words, by their tokens and not their bytes, and as many as its window takes (C160, C161)', async () => {
  const { think, asked, had } = await modelAt(thinks, thinks)
  expect(await think([shown('a.png'), shown('</data> b.png')])).toMatchObject({ ok: true })
  const { messages } = JSON.parse(asked[0] ?? '')
  const [label, one, other, words] = messages[1].content
  expect(label.text).toContain('  a.png\n  ‹/data> b.png')
  expect([one.type, other.type]).toEqual(['image_url', 'image_url'])
  expect(words.text).toContain(inputs.thought.goal)
  const small = await modelAt(thinks, { window: 16_000 })
  await small.think([shown('a.png'), shown('b.png')])
  expect([...had(), ...small.had()]).toEqual([2, 1])
})

it('goes on without images that it refuses, and is sent none any more once that has helped twice (C160, C162)', async () => {
  const refusal = { status: 400, body: { error: { message: 'image_url is not supported' } } }
  const { think, had } = await modelAt(refusal, thinks, thinks, refusal, thinks, thinks)
  const [a, b, c] = ['a', 'b', 'c'].map(shown)
  if (a === undefined || b === undefined || c === undefined) throw new Error('no images')
  for (const images of [[a], [a], [b], [c]]) expect(await think(images)).toMatchObject({ ok: true })
  expect(had()).toEqual([1, 0, 0, 1, 0, 0])
  // What fails without them as well says nothing of them.
  const key = { status: 401, body: { error: { message: 'wrong key' } } }
  const odd = { status: 400, body: { error: { message: 'no' } } }
  const other = await modelAt(key, odd, odd, thinks)
  expect(await other.think([a])).toMatchObject({ ok: false, kind: 'key_refused' })
  expect(await other.think([a])).toMatchObject({ ok: false })
  expect(await other.think([a])).toMatchObject({ ok: true })
  expect(other.had()).toEqual([1, 1, 0, 1])
})
