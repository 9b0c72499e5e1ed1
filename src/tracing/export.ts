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
  /** How many of all traces are kept, 0 to 1. */
  share: number
  log: Log
}

/** `identity` names the span, where its name follows from what it is of; else it gets one of its own. */
export type StartSpan = (
  name: string,
  options: SpanOptions,
  parent: Context,
  identity?: SpanContext,
) => Span

/** Prompts are long: a queue of 2,048 spans that holds them still has to fit into memory. */
const attributeMost = 32_768

/** Spans to an OTLP endpoint, in batches. What does not fit into the queue is dropped; work never waits for it. */
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

/** Of a process that gets to run: what kept it from that meanwhile does not count. */
async function aSecond() {
  for (let tenths = 0; tenths < 10; tenths++) await wait(100, undefined, { ref: false })
}

function createIds() {
  const random = new RandomIdGenerator()
  let given: SpanContext | null = null
  return {
    generateTraceId: () => given?.traceId ?? random.generateTraceId(),
    generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    as<T>(identity: SpanContext | null, start: () => T): T {
      given = identity
      try {
        return start()
      } finally {
        given = null
      }
    },
  }
}

/** An endpoint that is away is said once, and once when it is back. */
function telling(exporter: SpanExporter, log: Log): SpanExporter {
  let isAway = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result
        if (error !== undefined && !isAway)
          log.warn(
            { problem: error.message },
            'the OTLP endpoint does not take spans; they are dropped until it does',
          )
        if (error === undefined && isAway) log.info({}, 'the OTLP endpoint takes spans again')
        isAway = error !== undefined
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}
