import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Attributes, Context, Span, SpanContext, SpanOptions } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Log } from '../agent/ports/log.ts'

export interface ExportOptions {
  url: string
  headers: Readonly<Record<string, string>>
  resource: Attributes
  /** Share of traces that are kept, 0 to 1. */
  share: number
  log: Log
}

/**
 * Starts a span. `identity` gives it an id derived from its subject; without one the id is random.
 */
export type StartSpan = (
  name: string,
  options: SpanOptions,
  parent: Context,
  identity?: SpanContext,
) => Span

/**
 * Longest attribute, in characters: a queue of 2,048 spans with long prompts has to fit into
 * memory.
 */
const attributeMost = 32_768

/**
 * Exports spans to an OTLP endpoint, in batches. Spans beyond the queue are dropped; work never
 * waits for the export.
 */
export function createExport({ url, headers, resource, share, log }: ExportOptions) {
  const ids = createIds()
  const exporter = telling(new OTLPTraceExporter({ url, headers: { ...headers } }), log)
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.instance.id': randomUUID(), ...resource }),
    ),
    sampler: new TraceIdRatioBasedSampler(share),
    idGenerator: ids,
    spanLimits: { attributeValueLengthLimit: attributeMost },
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('clew')
  const startSpan: StartSpan = (name, options, parent, identity) =>
    ids.as(identity ?? null, () => tracer.startSpan(name, options, parent))
  const stop = async () =>
    await Promise.race([provider.shutdown().catch(() => undefined), aSecond()])
  return { startSpan, stop }
}

/** Waits one second in which the process ran; time in which it was blocked does not count. */
async function aSecond() {
  for (let tenths = 0; tenths < 10; tenths++) await wait(100, undefined, { ref: false })
}

function createIds() {
  const random = new RandomIdGenerator()
  let given: SpanContext | null = null
  return {
    generateTraceId: () => given?.traceId ?? random.generateTraceId(),
    generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    as<T>(identity: SpanContext | null, start: () => T) {
      given = identity
      try {
        return start()
      } finally {
        given = null
      }
    },
  }
}

/** Logs once when the endpoint fails, and once when it is back. */
function telling(exporter: SpanExporter, log: Log): SpanExporter {
  let isAway = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result
        if (error !== undefined && !isAway)
          log.warn(
            { problem: error.message },
            'OTLP endpoint refuses spans; dropping them until it recovers',
          )
        if (error === undefined && isAway) log.info({}, 'OTLP endpoint accepts spans again')
        isAway = error !== undefined
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}
