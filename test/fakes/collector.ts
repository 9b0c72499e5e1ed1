import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Value = { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean }
type Pair = { key: string; value: Value }

interface RawSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Pair[]
  links?: { traceId: string; spanId: string }[]
  status: { code?: number; message?: string }
}

export interface CollectedSpan extends Omit<RawSpan, 'attributes'> {
  attributes: Record<string, string | number | boolean | undefined>
  /** Of the process that sent it. */
  resource: Record<string, string | number | boolean | undefined>
}

export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** The headers of each request. */
  readonly requests: readonly NodeJS.Dict<string | string[]>[]
  /** Requests that nobody has given up and that are not answered. */
  waiting(): number
  close(): Promise<void>
}

/**
 * An OTLP/HTTP collector on a loopback port that takes spans as JSON.
 *
 * @param statuses of its first answers; 200 after them. What it refuses it does not keep; with 0 it never answers.
 */
export async function startCollector(...statuses: number[]): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const requests: NodeJS.Dict<string | string[]>[] = []
  let waiting = 0
  const server = createServer(async (request, response) => {
    const body = await text(request)
    requests.push(request.headers)
    waiting += 1
    response.once('close', () => {
      waiting -= 1
    })
    const status = request.url === '/v1/traces' ? (statuses.shift() ?? 200) : 404
    if (status === 0) return
    if (status === 200) spans.push(...readSpans(body))
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    waiting: () => waiting,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Body {
  resourceSpans: { resource: { attributes: Pair[] }; scopeSpans: { spans: RawSpan[] }[] }[]
}

const readSpans = (body: string): CollectedSpan[] =>
  (JSON.parse(body) as Body).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap((scope) => scope.spans)
      .map((span) => ({
        ...span,
        attributes: valuesOf(span.attributes),
        resource: valuesOf(resource.attributes),
      })),
  )

const valuesOf = (pairs: Pair[]) =>
  Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue,
    ]),
  )
