import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { ContractName } from '../../../src/agent/contracts.ts'
import { answerOf, httpError, type Reply, text } from './replies.ts'
import { type FakeRequest, readRequest } from './request.ts'
import { asChatBody, asksForPieces, asResponse } from './responses.ts'
import { writeResponseStream, writeStream } from './stream.ts'
import { validateBody } from './validate.ts'

type Answerer = (request: FakeRequest) => Reply | Promise<Reply>

export interface FakeOpenAiOptions {
  /** The only key that is let in; any when it is left out. */
  apiKey?: string
  /** What becomes of functions: done, done unless they are strict, refused with 400, or ignored in favour of a few words. */
  functions?: 'forced' | 'loose' | 'refused' | 'ignored'
  /** Whether `response_format` is known: all of it, JSON objects alone, or nothing. */
  responseFormat?: 'known' | 'object' | 'refused'
  /** What the list of models comes to; one model when it is left out. */
  models?: Reply
  /** Default: a free one. */
  port?: number
  /** Whether `requests` has what was asked; thousands of long prompts are better forgotten. Default: yes. */
  remembers?: boolean
  /** Contract for which requests of programs other than Clew count; without it they are turned away. */
  others?: ContractName
}

export interface FakeOpenAi {
  /** For `OPENAI_BASE_URL`. */
  readonly url: string
  /** Every request that the API would have accepted and that came to the script, in order. */
  readonly requests: readonly FakeRequest[]
  /** Why requests were turned away before the script: what the real API would say. */
  readonly refused: readonly string[]
  /** Adds replies for the next requests of a contract. They are used up in order. */
  on(contract: ContractName, ...replies: (Reply | Answerer)[]): void
  /** Answers every request for which no reply is left in the script. */
  answer(answerer: Answerer): void
  /** Resolves when the script has been asked `count` times in all. */
  received(count: number): Promise<void>
  /** Throws unless every reply was used, every request was expected, and none was turned away. */
  assertDone(): void
  close(): Promise<void>
}

/**
 * An OpenAI-compatible endpoint on a loopback port that plays a script and refuses what the real one refuses.
 *
 * ```ts
 * const server = await startOpenAi()
 * server.on('plan', value({ status: 'planned', plan: ['Look it up'] }))
 * server.on('thought', rawArguments('{"status":'), held(value(…)))
 * …
 * server.assertDone()
 * await server.close()
 * ```
 *
 * A request without a reply gets 500 and makes `assertDone` throw.
 */
export async function startOpenAi(options: FakeOpenAiOptions = {}): Promise<FakeOpenAi> {
  const script = new Map<ContractName, (Reply | Answerer)[]>()
  const requests: FakeRequest[] = []
  const refused: string[] = []
  const unexpected: string[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  let answerer: Answerer | null = null
  let received = 0

  async function replyTo(
    json: unknown,
    headers: IncomingHttpHeaders,
  ): Promise<[Reply, FakeRequest | null]> {
    if (headers.authorization !== `Bearer ${options.apiKey}` && options.apiKey !== undefined)
      return [turnAway(401, 'invalid_api_key', null, 'Incorrect API key provided.'), null]
    const validated = validateBody(json)
    if (!validated.ok)
      return [turnAway(400, 'invalid_request', validated.param, validated.message), null]
    const request = readRequest(received + 1, validated.body, headers, options.others)
    if (request === null) return [turnAway(400, 'unknown_contract', 'tools', 'no contract'), null]
    const unable = abilityProblem(options, request)
    if (unable !== null) return [unable, request]
    received += 1
    if (options.remembers !== false) requests.push(request)
    for (const one of waiting) if (received >= one.count) one.resolve()
    const next = script.get(request.contract)?.shift() ?? answerer
    if (next === null) {
      unexpected.push(`request ${request.number} (${request.contract})`)
      return [
        httpError(500, { message: 'the script is at its end', code: 'script_ended' }),
        request,
      ]
    }
    return [typeof next === 'function' ? await next(request) : next, request]
  }

  function turnAway(status: number, code: string, param: string | null, message: string): Reply {
    refused.push(`${status} ${param ?? ''} ${message}`)
    return httpError(status, { code, param, message, type: 'invalid_request_error' })
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing, { replyTo, models: options.models }).catch((error: unknown) => {
      unexpected.push(`the fake itself failed: ${String(error)}`)
      outgoing.destroy()
    })
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('the fake endpoint has no port')

  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    refused,
    on(contract, ...replies) {
      script.set(contract, [...(script.get(contract) ?? []), ...replies])
    },
    answer(given) {
      answerer = given
    },
    received(count) {
      return new Promise((resolve) => {
        if (received >= count) resolve()
        else waiting.push({ count, resolve })
      })
    },
    assertDone() {
      const left = [...script].filter(([, replies]) => replies.length > 0)
      const unused = left.map(
        ([contract, replies]) =>
          `${replies.length} unused repl${replies.length === 1 ? 'y' : 'ies'} to ${contract}`,
      )
      const problems = [
        ...unused,
        ...unexpected.map((one) => `no reply for ${one}`),
        ...refused.map((one) => `refused: ${one}`),
      ]
      if (problems.length > 0)
        throw new Error(`the fake endpoint is not done: ${problems.join('; ')}`)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What an endpoint that can do less answers before any model runs. In the words of ones that exist. */
function abilityProblem(
  { functions = 'forced', responseFormat = 'known' }: FakeOpenAiOptions,
  { form, body }: FakeRequest,
): Reply | null {
  if (form === 'function' && functions === 'loose')
    return httpError(422, {
      message: 'body.tools.0.function.strict: extra inputs are not permitted',
    })
  if (isFunction(form) && functions === 'refused')
    return httpError(400, { message: `${body.model} does not support tools`, type: 'api_error' })
  if (isFunction(form) && functions === 'ignored')
    return text('Sure, let me think about that for you.')
  if (form === 'schema' && responseFormat === 'object')
    return httpError(400, { message: "'response_format.type' must be 'json_object' or 'text'" })
  if ((form === 'json' || form === 'schema') && responseFormat === 'refused')
    return httpError(400, { message: "'response_format.type' must be 'json_schema' or 'text'" })
  return null
}

const isFunction = (form: FakeRequest['form']): boolean =>
  form === 'function' || form === 'plain_function'

type ReplyTo = (json: unknown, headers: IncomingHttpHeaders) => Promise<[Reply, FakeRequest | null]>

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { replyTo, models }: { replyTo: ReplyTo; models: Reply | undefined },
): Promise<void> {
  if (incoming.url === '/v1/models' && models?.kind === 'raw')
    return void outgoing.writeHead(models.status, models.headers).end(models.body)
  if (incoming.url === '/v1/models' && models !== undefined) return void incoming.socket.destroy()
  if (incoming.url === '/v1/models')
    return void outgoing.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        object: 'list',
        data: [{ id: 'fake-large', object: 'model', created: 1, owned_by: 'me' }],
      }),
    )
  const isResponses = incoming.url === '/v1/responses'
  if (incoming.method !== 'POST' || !(isResponses || incoming.url === '/v1/chat/completions'))
    return void outgoing.writeHead(404).end('{}')
  let json: unknown
  try {
    json = await readJson(incoming)
  } catch {
    json = null
  }
  let [reply, request] = await replyTo(isResponses ? asChatBody(json) : json, incoming.headers)
  while (reply.kind === 'later') {
    await reply.until()
    reply = reply.reply
  }
  if (reply.kind === 'hang') return
  if (reply.kind === 'cut') return void incoming.socket.destroy()
  if (reply.kind === 'half') {
    outgoing.writeHead(200, {
      'content-type': 'application/json',
      'content-length': reply.body.length,
    })
    outgoing.write(reply.body.slice(0, reply.body.length / 2), () => incoming.socket.destroy())
    return
  }
  const answer = reply.kind === 'raw' ? reply : request === null ? null : answerOf(reply, request)
  if (answer === null) throw new Error(`no answer can be made of ${reply.kind}`)
  if (
    !isResponses &&
    request?.body.stream === true &&
    answer.status === 200 &&
    reply.kind !== 'raw'
  )
    return await writeStream(outgoing, answer, {
      reply,
      countsTokens: request.body.stream_options?.include_usage === true,
    })
  if (isResponses && asksForPieces(json) && answer.status === 200 && reply.kind !== 'raw')
    return await writeResponseStream(outgoing, asResponse(answer), reply)
  const { status, headers, body } = isResponses ? asResponse(answer) : answer
  outgoing.writeHead(status, headers).end(body)
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  // Like the real endpoint, refuse bytes that are no UTF-8 and text with halves of surrogate pairs.
  const source = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  const value: unknown = JSON.parse(source, (_, held: unknown) => {
    if (typeof held === 'string' && !held.isWellFormed()) throw new SyntaxError('a lone surrogate')
    return held
  })
  return value
}
