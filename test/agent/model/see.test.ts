import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import { silent } from '../../support/silent.ts'

const image = { type: 'image/png', bytes: new Uint8Array([1, 2, 3]) }
const signal = new AbortController().signal
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A model at an endpoint that answers in turn what is given; what it was asked comes along. */
async function modelAt(...answers: { status: number; body: object }[]) {
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
  const options = { apiKey: null, baseURL, model: 'm', decisionModel: null, timeoutMs: 5_000, log: silent }
  const model = createOpenAiModel({ ...options, clock: { now: () => 0 } })
  return { see: async () => await model.see?.(image, signal), asked }
}
const says = (content: string | null) => ({ status: 200, body: { choices: [{ message: { content } }] } })

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
