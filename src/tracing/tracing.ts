import type { Channel } from '../agent/ports/channel.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Model } from '../agent/ports/model.ts'
import type { Commits } from '../agent/ports/store.ts'
import { type Tracer, untraced } from '../agent/ports/tracer.ts'
import type { Toolbox } from '../agent/tools/registry.ts'
import { type Config, placeOf } from '../config.ts'

/**
 * Tracing by OpenTelemetry (C188). Wraps parts where they are wired, and never changes what they
 * do.
 */
export interface Tracing {
  tracer: Tracer
  /** Notes in each delivery which commit made it: the sender has no other way to know. */
  commits(commits: Commits): Commits
  channel(channel: Channel): Channel
  model(model: Model): Model
  toolbox(toolbox: Toolbox): Toolbox
  /** Sends what is left, within a second. Never throws. */
  stop(): Promise<void>
}

const asItIs = <P>(part: P) => part
const off: Tracing = {
  tracer: untraced,
  commits: asItIs,
  channel: asItIs,
  model: asItIs,
  toolbox: asItIs,
  async stop() {},
}

/** Loads OpenTelemetry if an endpoint is set; otherwise tracing is a no-op. */
export async function openTracing(config: Config, log: Log): Promise<Tracing> {
  const url = endpointOf(config)
  if (url === null || config.OTEL_SDK_DISABLED) return off
  const [exports, spans, calls] = await Promise.all([
    import('./export.ts'),
    import('./spans.ts'),
    import('./calls.ts'),
  ])
  const { startSpan, stop } = exports.createExport({
    url,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    log,
    share: shareOf(config),
    resource: { ...config.OTEL_RESOURCE_ATTRIBUTES, 'service.name': config.OTEL_SERVICE_NAME },
  })
  const content = config.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT
    ? config.AGENT_PROMPT_LAYOUT
    : null
  const deps = { startSpan, content, providerOf: (model: string) => providerOf(config, model) }
  return {
    tracer: spans.tracerWith(startSpan),
    commits: (commits) => spans.commitsWith(startSpan, commits),
    channel: (channel) => calls.channelWith(deps, channel),
    model: (model) => calls.modelWith(deps, model),
    toolbox: (toolbox) => calls.toolboxWith(deps, toolbox),
    stop,
  }
}

/**
 * Endpoint for traces: the signal's own as it stands, else the general one with the signal's path.
 */
const endpointOf = ({
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own,
  OTEL_EXPORTER_OTLP_ENDPOINT: all,
}: Config) => own ?? (all === undefined ? null : `${all.replace(/\/$/, '')}/v1/traces`)

/**
 * Share of traces that are kept. Each process decides alike by a trace's id, so samplers that ask a
 * parent agree.
 */
function shareOf({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share }: Config): number {
  if (sampler.endsWith('always_off')) return 0
  return sampler.endsWith('traceidratio') ? share : 1
}

/**
 * Names of providers in the OpenTelemetry conventions. Any endpoint that speaks OpenAI's protocol
 * is `openai`.
 */
const providerNames = {
  anthropic: 'anthropic',
  google: 'gcp.gemini',
  bedrock: 'aws.bedrock',
  mistral: 'mistral_ai',
  deepseek: 'deepseek',
  xai: 'x_ai',
  groq: 'groq',
  'openai-compatible': 'openai',
} as const

function providerOf(config: Config, model: string): string {
  if (model === 'rehearsal') return 'rehearsal'
  const { AGENT_MODELS, AGENT_MODELS_DECIDING, AGENT_MODELS_SUMMING_UP } = config
  const places = [...AGENT_MODELS, ...AGENT_MODELS_DECIDING, ...AGENT_MODELS_SUMMING_UP].map(
    (entry) => placeOf(entry, config),
  )
  const provider = places.find(({ name }) => name === model)?.provider ?? null
  return provider === null ? 'openai' : providerNames[provider]
}
