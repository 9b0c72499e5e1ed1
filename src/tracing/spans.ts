import { AsyncLocalStorage } from 'node:async_hooks'
import * as otel from '@opentelemetry/api'
import { platformOf } from '../agent/domain/conversation.ts'
import { uuidFrom } from '../agent/domain/id.ts'
import type { Run } from '../agent/domain/run.ts'
import type { Change, Commits } from '../agent/ports/store.ts'
import type { Traced, Tracer } from '../agent/ports/tracer.ts'
import type { StartSpan } from './export.ts'

/*
 * turn → run → step → model call, tool → commit → delivery, as one trace.
 *
 * Span ids of a turn and of a run derive from their own ids. So any process, also after a crash,
 * adds to the same trace without being told. Both become spans at the commit that ends them, so
 * work that was cut off and repeated appears once. A delivery carries the span of the commit that
 * made it.
 */

/** The work in progress on this call stack. */
interface Active {
  context: otel.Context
  /** Item whose commits belong to this work. */
  item: string
  attributes: otel.Attributes
  /** Commit that consumed an input. */
  taken: Change | null
  hasParts: boolean
}

const active = new AsyncLocalStorage<Active>()
const beginning = (context: otel.Context, item: string, attributes: otel.Attributes): Active => ({
  context,
  item,
  attributes,
  taken: null,
  hasParts: false,
})

/**
 * Runs the work in a span of its own, below the active one. A thrown error is the span's error.
 *
 * @param came true if the work had a result. Without a result and without parts there is no span.
 */
export async function within<T>(
  startSpan: StartSpan,
  { name, ...options }: otel.SpanOptions & { name: string },
  work: (span: otel.Span) => Promise<T>,
  came: (result: T) => boolean = () => true,
): Promise<T> {
  const above = active.getStore() ?? beginning(otel.ROOT_CONTEXT, '', {})
  above.hasParts = true
  const span = startSpan(
    name,
    { ...options, attributes: { ...above.attributes, ...options.attributes } },
    above.context,
  )
  const own = beginning(otel.trace.setSpan(above.context, span), above.item, above.attributes)
  let isKept = true
  try {
    const result = await active.run(own, () => work(span))
    isKept = own.hasParts || came(result)
    return result
  } catch (error) {
    fail(span, error instanceof Error ? error.name : 'error')
    throw error
  } finally {
    if (isKept) span.end()
  }
}

/** Sets the kind of failure as one of few words: its message may quote what people wrote. */
export function fail(span: otel.Span, type: string) {
  span.setAttribute('error.type', type)
  span.setStatus({ code: otel.SpanStatusCode.ERROR, message: type })
}

const hex = (...parts: string[]) => uuidFrom(...parts).replaceAll('-', '')

/**
 * Context of a turn's or a run's span, with ids derived from its names.
 *
 * @param cause the inbox entry or request that everything in the trace follows from.
 */
const nameOf = (
  workspace: string,
  cause: string,
  kind: 'turn' | 'run',
  id: string,
): otel.SpanContext => ({
  traceId: hex('trace', workspace, cause),
  spanId: hex(kind, workspace, id).slice(0, 16),
  traceFlags: otel.TraceFlags.SAMPLED,
  isRemote: true,
})
const turnName = (workspace: string, entryId: string) => nameOf(workspace, entryId, 'turn', entryId)
const runName = ({ workspace, requestId, id }: Run) => nameOf(workspace, requestId, 'run', id)
const below = (name: otel.SpanContext) => otel.trace.setSpanContext(otel.ROOT_CONTEXT, name)

export const inThread = (id: string | null): otel.Attributes =>
  id === null ? {} : { 'gen_ai.conversation.id': id }

export const tracerWith =
  (startSpan: StartSpan): Tracer =>
  async (what, work) => {
    if (what.kind === 'step') return await within(startSpan, { name: 'step' }, work, what.came)
    if (what.kind === 'turn') return await takeTurn(startSpan, what, work)
    const { run } = what
    const attributes = { ...inThread(run.conversationId), 'clew.run.id': run.id }
    return await active.run(beginning(below(runName(run)), run.id, attributes), work)
  }

/**
 * Runs a turn in a span. An input that stays in line, or whose commit is refused, is taken again;
 * the span covers the last time.
 */
async function takeTurn<T>(
  startSpan: StartSpan,
  { entry, conversationId }: Extract<Traced, { kind: 'turn' }>,
  work: () => Promise<T>,
): Promise<T> {
  const { workspace, content } = entry.event
  const name = turnName(workspace, entry.id)
  const own = beginning(below(name), conversationId, inThread(conversationId))
  const startTime = new Date()
  try {
    return await active.run(own, work)
  } finally {
    if (own.taken !== null) {
      const about = {
        'messaging.system': platformOf(workspace),
        'messaging.operation.type': 'process',
      }
      const attributes = { ...own.attributes, ...about, 'clew.input': content.kind }
      const options = { kind: otel.SpanKind.CONSUMER, startTime, attributes }
      const span = startSpan('turn', options, otel.ROOT_CONTEXT, name)
      if (own.taken.aside !== undefined) fail(span, 'set_aside')
      span.end()
    }
  }
}

export const commitsWith = (startSpan: StartSpan, commits: Commits): Commits => ({
  async commit(lease, change) {
    const own = active.getStore()
    // Work that was woken on the way belongs to items of its own.
    const isPart = own?.item === lease.item.id
    const committed = isPart
      ? await within(
          startSpan,
          { name: 'commit', ...commitOptions(lease.item.workspace, change) },
          async (span) => {
            const committed = await commits.commit(lease, {
              ...change,
              ...markedWith(span, change),
            })
            span.setAttribute('clew.commit.outcome', committed.kind)
            return committed
          },
        )
      : await commits.commit(lease, change)
    if (committed.kind !== 'committed') return committed
    if (isPart && (change.consume !== undefined || change.drop !== undefined)) own.taken = change
    for (const run of change.ended ?? []) endRun(startSpan, run, change)
    return committed
  },
})

/** Links a run's commit to the turns whose inputs it consumes, which have traces of their own. */
function commitOptions(workspace: string, { trace: entries = [] }: Change): otel.SpanOptions {
  const heard = entries.flatMap(({ entry: { what } }) =>
    what.kind === 'heard' ? [what.entryId] : [],
  )
  return {
    kind: otel.SpanKind.CLIENT,
    links: heard.map((entryId) => ({ context: turnName(workspace, entryId) })),
    attributes: { 'db.system.name': 'redis', 'db.operation.name': 'commit' },
  }
}

function markedWith(span: otel.Span, { deliveries }: Change): Pick<Change, 'deliveries'> {
  if (deliveries === undefined) return {}
  const { traceId, spanId, traceFlags } = span.spanContext()
  const traceparent = `00-${traceId}-${spanId}-0${traceFlags}`
  return { deliveries: deliveries.map((one) => ({ ...one, traceparent })) }
}

/**
 * Context of the commit that made a delivery, so that sending it is traced below. Null if that
 * commit was not traced.
 */
export function commitOf(traceparent = ''): otel.Context | null {
  const [, traceId = '', spanId = ''] = traceparent.split('-')
  const name = { traceId, spanId, traceFlags: otel.TraceFlags.SAMPLED, isRemote: true }
  return otel.isSpanContextValid(name) ? below(name) : null
}

/**
 * Ends the span of a run, which lasts from its beginning to its end across processes and waiting
 * for people.
 */
function endRun(startSpan: StartSpan, before: Run, { at, task, runs = [] }: Change) {
  let run = before
  for (const { id, patch } of runs) if (id === run.id) run = { ...run, ...patch }
  const attributes = {
    ...inThread(run.conversationId),
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'Clew',
    'clew.run.id': run.id,
    'clew.run.type': run.type,
    'clew.run.status': run.status,
    ...(task === undefined ? {} : usageOf(task.after.spent)),
  }
  // Only inputs of people are turns. A run from a schedule or a program begins its own trace.
  const isFromTurn = run.requestId.startsWith('e_')
  const parent = isFromTurn ? below(turnName(run.workspace, run.requestId)) : otel.ROOT_CONTEXT
  const startTime = new Date(run.startedAt ?? run.createdAt)
  const span = startSpan('invoke_agent Clew', { attributes, startTime }, parent, runName(run))
  if (run.status === 'failed' || run.status === 'given_up') fail(span, 'run_failed')
  span.end(new Date(at))
}

type Tokens = { promptTokens: number; completionTokens: number; cachedTokens?: number | undefined }
export const usageOf = ({ promptTokens, completionTokens, cachedTokens = 0 }: Tokens) => ({
  'gen_ai.usage.input_tokens': promptTokens,
  'gen_ai.usage.output_tokens': completionTokens,
  'gen_ai.usage.cache_read.input_tokens': cachedTokens,
})
