import { isIP } from 'node:net'
import { z } from 'zod'
import { distance, nearest } from './agent/commands/nearest.ts'
import { strategyNames } from './agent/domain/task.ts'
import { runTypes } from './agent/drive/run-types.ts'
import { maybeTags, type Provider, providerSettings, providers } from './agent/model/providers.ts'
import { promptLayouts } from './agent/model/rules.ts'
import { batchSizeNames } from './agent/strategies/batch-sizes.ts'
import { channelSettings, ownChannels, ownPlatforms } from './compose/own-channels.ts'
import {
  amount,
  answers,
  approvalList,
  currency,
  flag,
  folders,
  hours,
  list,
  optional,
  pairs,
  part,
  prices,
  url,
  whole,
  windows,
  workers,
  zone,
} from './config/values.ts'

/**
 * Most workers with Slack's Socket Mode: Slack lets an app have ten sockets, and this process has
 * one or two.
 */
export const slackWorkersMost = 8

/** Values of OpenTelemetry's setting for which traces are kept. */
const samplers = ['always_on', 'always_off', 'traceidratio'].flatMap((one) => [
  one,
  `parentbased_${one}`,
])
const roles = [...ownPlatforms, 'worker', 'scheduler'] as const

/** Every setting, with its default. `.env.example` has one line for each, in this order. */
const Settings = z.object({
  PORT: whole(0, 65_535).default(3000),
  HOST: z
    .string()
    .refine((text) => !/^[\d.]+$/.test(text) || isIP(text) !== 0, 'is no address such as 127.0.0.1')
    .default('127.0.0.1'),
  HEALTH_PORT: whole(0, 65_535).optional(),
  WEB_PROXIES: whole(0, 10).default(0),
  WEB_URL: z
    .url({ protocol: /^https?$/, error: 'is not an address such as https://clew.example.org' })
    .refine(
      (text) => new URL(text).href === `${new URL(text).origin}/`,
      'has more than a name and a port',
    )
    .optional(),
  WEB_TOKEN: z.string().min(8, 'is shorter than 8 characters').optional(),
  CONNECTORS_FILE: optional,
  ADMIN_TOKEN: z.string().min(24, 'is shorter than 24 characters').optional(),
  DATA_DIR: z.string().default('.clew'),
  REDIS_URL: optional,
  STORE_STRICT: flag.default(false),
  CLEW_ACCEPT_LOSS: flag.default(false),
  RECORD: optional,
  TESTS: optional,
  RETENTION_DAYS: whole(0, 36_500).default(0),
  AUDIT_DAYS: whole(0, 36_500).default(365),
  AUDIT_HEAD_TO: z
    .string()
    .regex(/^[^/\s]+\/\S+$/, 'is not workspace/channel, for example slack:T012/C345')
    .optional(),
  ROLES: list.pipe(z.array(z.enum(roles))).default([...roles]),
  WORKERS: workers.optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_HEADERS: pairs.default({}),
  OTEL_SERVICE_NAME: z.string().default('clew'),
  OTEL_RESOURCE_ATTRIBUTES: pairs.default({}),
  OTEL_TRACES_SAMPLER: z.enum(samplers).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: part.default(1),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: flag.default(false),
  OTEL_SDK_DISABLED: flag.default(false),
  DEFAULT_LOCALE: z.enum(['en', 'zh']).default('en'),
  DEFAULT_TIME_ZONE: zone.default('UTC'),

  ...channelSettings,

  OPENAI_API_KEY: optional,
  OPENAI_BASE_URL: url,
  OPENAI_MODEL: optional,
  OPENAI_API: z.enum(['chat', 'responses']).default('chat'),
  OPENAI_REASONING_EFFORT: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
  OPENAI_TIMEOUT_SECONDS: whole(1, 3600).default(120),
  AGENT_MODELS: list.default([]),
  AGENT_MODELS_DECIDING: list.default([]),
  AGENT_MODELS_SEEING: list.default([]),
  AGENT_MODELS_SUMMING_UP: list.default([]),
  ANTHROPIC_API_KEY: optional,
  ANTHROPIC_BASE_URL: url,
  GOOGLE_API_KEY: optional,
  GOOGLE_BASE_URL: url,
  AWS_BEARER_TOKEN_BEDROCK: optional,
  AWS_REGION: optional,
  BEDROCK_BASE_URL: url,
  MISTRAL_API_KEY: optional,
  MISTRAL_BASE_URL: url,
  DEEPSEEK_API_KEY: optional,
  DEEPSEEK_BASE_URL: url,
  XAI_API_KEY: optional,
  XAI_BASE_URL: url,
  GROQ_API_KEY: optional,
  GROQ_BASE_URL: url,
  OPENAI_COMPATIBLE_API_KEY: optional,
  OPENAI_COMPATIBLE_BASE_URL: url,
  AGENT_DECISION_MODEL: optional,
  AGENT_TRANSCRIBE_MODEL: optional,
  REHEARSAL_PACE_MS: whole(0, 60_000).default(700),

  AGENT_LOOP_ENABLED: flag.default(true),
  AGENT_ALLOWED_RUN_TYPES: list.pipe(z.array(z.string())),
  AGENT_DECISION_TIMEOUT_SECONDS: whole(1, 600).default(30),
  AGENT_DECISION_FALLBACK_MODE: z
    .enum(['reply_only', 'reply-only'])
    .default('reply_only')
    .transform(() => 'reply_only'),
  AGENT_STRATEGY: z.string(),
  PLAN_FIRST: flag.default(false),
  AGENT_ON_PAUSE: z.enum(['ask', 'auto']).default('ask'),
  AGENT_FOLLOW_UP: whole(0, 10).default(0),
  AGENT_THREAD_TOKENS: whole(0, 200_000).default(6_000),
  AGENT_PROMPT_LAYOUT: z.enum(promptLayouts).default('shared'),
  AGENT_CALLS_END_ITEMS: flag.default(true),
  AGENT_REPLAN_SKIPS: whole(0, 1000).default(100),
  AGENT_BATCH_THINK_PLANS: flag.default(true),
  AGENT_MAX_STEPS: whole(1, 1000).default(100),
  AGENT_MAX_ROUNDS: whole(1, 100).default(5),
  AGENT_ROUND_SECONDS: whole(1, 3600).default(60),
  AGENT_BATCH_SIZE: z.enum(batchSizeNames).optional(),
  AGENT_MAX_ITERATIONS: whole(1, 10_000).default(200),
  AGENT_STEP_TRANSITIONS: flag.default(true),
  AGENT_MAX_MODEL_CALLS: whole(1, 100_000).default(250),
  AGENT_MAX_TOOL_CALLS: whole(1, 100_000).default(250),
  AGENT_MAX_TOKENS: whole(1, 1_000_000_000).default(1_000_000),
  AGENT_MAX_COST: amount.optional(),
  MODEL_PRICES: prices.default({}),
  MODEL_CURRENCY: currency.default('USD'),
  MODEL_WINDOWS: windows.default({}),
  AGENT_PERSON_MESSAGES_PER_MINUTE: whole(0, 100_000).default(0),
  AGENT_PERSON_TOKENS_PER_DAY: whole(1, 1_000_000_000).optional(),
  AGENT_PERSON_COST_PER_DAY: amount.optional(),
  AGENT_CHANNEL_TOKENS_PER_DAY: whole(1, 1_000_000_000).optional(),
  AGENT_CHANNEL_COST_PER_DAY: amount.optional(),
  AGENT_TOKENS_PER_DAY: whole(1, 1_000_000_000).optional(),
  AGENT_COST_PER_DAY: amount.optional(),
  AGENT_PERSON_TOKENS_PER_MONTH: whole(1, 1_000_000_000).optional(),
  AGENT_PERSON_COST_PER_MONTH: amount.optional(),
  AGENT_CHANNEL_TOKENS_PER_MONTH: whole(1, 1_000_000_000).optional(),
  AGENT_CHANNEL_COST_PER_MONTH: amount.optional(),
  AGENT_TOKENS_PER_MONTH: whole(1, 1_000_000_000).optional(),
  AGENT_COST_PER_MONTH: amount.optional(),
  AGENT_MAX_MINUTES: whole(1, 100_000).default(60),
  AGENT_MAX_TOOL_FAILURES: whole(1, 100).default(3),
  AGENT_MAX_CONTRACT_FAILURES: whole(1, 100).default(2),
  AGENT_TOOL_TIMEOUT_SECONDS: whole(1, 3600).default(60),
  AGENT_TOOL_APPROVAL: approvalList.default({}),
  AGENT_ANSWERS_TO: answers.default({ usual: 'auto', channels: {} }),
  AGENT_ON_MESSAGE: z.enum(['enqueue', 'interrupt']).default('enqueue'),
  AGENT_HOME: optional,
  AGENT_RUNS_AT_ONCE: whole(1, 100_000).default(500),

  DELIVER_AT_MOST_ONCE: flag.default(false),
  QUESTION_ANSWERED_BY: z.enum(['anyone', 'owner']).default('anyone'),
  QUESTION_REMINDER_HOURS: whole(0, 1000).default(4),
  UNATTENDED_QUESTION_HOURS: whole(1, 10_000).default(24),
  WORKING_HOURS: hours.default([9, 18]),
  TODO_REACTIONS: list.default(['📌', 'pushpin']),
  TODO_SCOPE: z.enum(['channel', 'user', 'workspace']).default('channel'),

  MEMORY: flag.default(true),
  MEMORY_PROPOSAL_DAYS: whole(1, 365).default(7),

  FETCH_WEB: flag.default(false),
  MCP_CONFIG: optional,

  CODING_FOLDER: optional,
  CODING_AGENT: optional,
  CODING_MODE: optional,
  CODING_REPO: optional,
  CODING_TESTS: optional,
  CODING_PUSH: flag.default(false),
  CODING_VARIABLES: list.default([]),
  CODING_POLL_MS: whole(10, 600_000).default(5_000),
  CODING_TIMEOUT_SECONDS: whole(1, 86_400).default(600),
  CODING_MAX_RETRIES: whole(0, 20).default(3),
  CODING_MAX_FAILED_STEPS: whole(1, 20).default(3),
  INDEX_FOLDERS: folders.default([]),

  SEARCH_PROVIDER: z.enum(['none', 'searxng', 'brave', 'tavily']).default('none'),
  SEARXNG_URL: url,
  BRAVE_API_KEY: optional,
  TAVILY_API_KEY: optional,

  ENCRYPTION_KEY: z
    .string()
    .refine(
      (text) => Buffer.from(text, 'base64').length === 32,
      'is not 32 bytes in base64 (openssl rand -base64 32)',
    )
    .optional(),
  LINK_HOSTS: list.default([]),

  ALLOWED_USERS: list.default([]),
  ALLOWED_CHANNELS: list.default([]),
  ALLOW_OUTSIDERS: list.default([]),
  ADMIN_USERS: list.default([]),
})
export type Config = z.infer<typeof Settings>
export const settingNames = Object.keys(Settings.shape)

/** Parts from outside that the settings can name: strategies and run types. */
export interface Named {
  readonly strategies?: readonly { readonly name: string }[]
  readonly runTypes?: readonly { readonly type: string }[]
}

/** Settings that name a part, with the parts that exist. */
function namesOf({ strategies = [], runTypes: more = [] }: Named) {
  const types = [...runTypes, ...more].map(({ type }) => type)
  return {
    AGENT_ALLOWED_RUN_TYPES: list.pipe(z.array(z.enum(types))).default(types),
    AGENT_STRATEGY: z
      .enum([...strategyNames, ...strategies.map(({ name }) => name), 'auto'])
      .default('auto'),
  }
}

/**
 * Prefixes of names that can only be meant for Clew. Such a name that is not a setting is reported
 * as a mistake.
 */
const ours = new RegExp(
  `^(?:AGENT|MCP|SEARCH|QUESTION|STORE|TODO|REHEARSAL|CODING|MEMORY|CONNECTORS|${ownChannels.map(({ platform }) => platform.toUpperCase()).join('|')})_`,
)

/** Thrown if settings cannot be used. `problems` names each one and what would be right. */
export class ConfigError extends Error {
  readonly code = 'bad_settings'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/**
 * Reads the settings. A blank value counts as unset.
 *
 * @param fromFile names in the `.env` file: there every unknown one is a mistake.
 * @param outside parts that the settings may name besides Clew's own.
 * @throws ConfigError that names every bad setting at once.
 */
export function readConfig(
  env: Record<string, string | undefined>,
  fromFile: readonly string[] = [],
  outside: Named = {},
): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const problems = Object.keys(given).flatMap(
    (name) => misspelt(name, env, fromFile.includes(name)) ?? [],
  )
  // Read once, for which generated code does not pay.
  const parsed = Settings.extend(namesOf(outside)).safeParse(given, { jitless: true })
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => describe(issue, given)))
  if (parsed.success) problems.push(...contradictions(parsed.data))
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems)
  return parsed.data
}

/**
 * Problem with a name that is not a setting (C66). The environment has many names that are none of
 * ours. So there it counts only if it is clearly meant for Clew, or resembles an unset setting.
 */
function misspelt(
  name: string,
  env: Record<string, string | undefined>,
  inFile: boolean,
): string | null {
  if (settingNames.includes(name)) return null
  const short = shortNames.get(name)
  const isOurs = inFile || ours.test(name)
  // Of another program's name only two letters may differ. Comparing them with all takes 0.3 s of a
  // start.
  const near = isOurs ? settingNames : settingNames.filter((setting) => isNear(name, setting))
  const meant = short ?? nearest(name, near)
  if (isOurs)
    return `${name} is not a setting; ${meant === null ? '' : `did you mean ${meant}? `}.env.example has all of them`
  if (meant === null || env[meant] !== undefined) return null
  if (short === undefined && distance(name, meant) > 2) return null
  return `${name} is not a setting; did you mean ${meant}? If it is another program's, set ${meant} too (blank: not set)`
}

/** False where surely more than two letters differ. */
const isNear = (name: string, setting: string) =>
  name.length >= 8 &&
  Math.abs(name.length - setting.length) <= 2 &&
  Array.from(name).filter((letter) => !setting.includes(letter)).length <= 2

/**
 * Names in which only underscores or one inner word are missing: DATADIR, or OPENAI_KEY for
 * OPENAI_API_KEY.
 */
function shortFor(setting: string): string[] {
  const words = setting.split('_')
  const inner = words.slice(1, -1)
  return [words.join(''), ...inner.map((_, at) => words.toSpliced(at + 1, 1).join('_'))]
}

/** Settings by such names; the first of several. */
const shortNames = new Map(
  settingNames
    .toReversed()
    .flatMap((setting) => shortFor(setting).map((short) => [short, setting] as const)),
)

function describe(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  const name = String(issue.path[0] ?? '')
  // Values of secrets are never shown (S7).
  const value = /KEY|TOKEN|SECRET|URL|ENDPOINT|HEADERS/.test(name)
    ? 'its value'
    : `"${given[name]}"`
  const why =
    issue.code === 'invalid_value'
      ? `is none of ${issue.values.join(', ')}`
      : lowerFirst(issue.message)
  return `${name}: ${value} ${why}`
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** True if the stand-in answers: no model was set up, or it was asked for by name. */
export function usesRehearsal(config: Config): boolean {
  if (config.OPENAI_MODEL === 'rehearsal') return true
  // People in a workspace expect an answer, or to hear that no model is connected (R44).
  if (ownChannels.some((channel) => channel.isConnected(config))) return false
  return (
    config.OPENAI_API_KEY === undefined &&
    config.OPENAI_BASE_URL === undefined &&
    config.AGENT_MODELS.length === 0
  )
}

/**
 * Provider and name of a model in a list: `anthropic:claude-sonnet-4-5`. Without a provider, it is
 * at the OpenAI-compatible endpoint.
 */
export function placeOf(
  entry: string,
  config: Config,
): { provider: Provider | null; name: string } {
  const provider = providers.find((one) => entry.startsWith(`${one}:`))
  if (provider === undefined || keyOfTag(entry, config) !== null)
    return { provider: null, name: entry }
  return { provider, name: entry.slice(provider.length + 1) }
}

/**
 * Key setting that is missing for the provider whose name the entry begins with. Such an entry
 * means a model of OPENAI_BASE_URL, such as Ollama's `mistral:7b` (C355). Null for other entries.
 */
export function keyOfTag(entry: string, config: Config): string | null {
  const tagged = maybeTags.find((one) => entry.startsWith(`${one}:`))
  if (tagged === undefined || config.OPENAI_BASE_URL === undefined) return null
  const { key } = providerSettings[tagged]
  return config[key] === undefined ? key : null
}

/** Problems with lists of models, one line each. */
function modelContradictions(config: Config): string[] {
  const { AGENT_MODELS: all, AGENT_MODELS_DECIDING: deciding } = config
  const special = [...deciding, ...config.AGENT_MODELS_SEEING, ...config.AGENT_MODELS_SUMMING_UP]
  const first = all.length > 0 ? decidingAlone(config) : []
  const missing = [...new Set([...first, ...all, ...special])].flatMap((entry) => {
    const { provider } = placeOf(entry, config)
    const needed =
      provider === null
        ? openAiNeeds(config)
        : providerSettings[provider].needs.filter((name) => config[name] === undefined)
    return needed.map((name) => `AGENT_MODELS: ${entry} needs ${name}`)
  })
  return all.length === 0 && special.length > 0
    ? ['AGENT_MODELS: is missing; the lists for a purpose add to it', ...missing]
    : missing
}

const openAiNeeds = ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: at }: Config) =>
  key === undefined && at === undefined ? ['OPENAI_API_KEY or OPENAI_BASE_URL'] : []

const costSettings = [
  'AGENT_MAX_COST',
  ...(['PERSON_', 'CHANNEL_', ''] as const).flatMap((payer) =>
    (['DAY', 'MONTH'] as const).map((period) => `AGENT_${payer}COST_PER_${period}` as const),
  ),
] as const

/** The model that decides, if no list says so. */
const decidingAlone = ({ AGENT_MODELS_DECIDING: list, AGENT_DECISION_MODEL: one }: Config) =>
  list.length === 0 && one !== undefined ? [one] : []

/** Models that are set but have no price, so that their calls would count as free. */
function unpriced(config: Config): string[] {
  const { AGENT_MODELS, AGENT_MODELS_DECIDING, AGENT_MODELS_SEEING, AGENT_MODELS_SUMMING_UP } =
    config
  const working =
    AGENT_MODELS.length > 0 || config.OPENAI_MODEL === undefined
      ? AGENT_MODELS
      : [config.OPENAI_MODEL]
  const special = [...AGENT_MODELS_DECIDING, ...AGENT_MODELS_SEEING, ...AGENT_MODELS_SUMMING_UP]
  const all = new Set([...working, ...special, ...decidingAlone(config)])
  const { MODEL_PRICES: prices } = config
  return [...all].filter(
    (entry) => (prices[entry] ?? prices[placeOf(entry, config).name]) === undefined,
  )
}

/**
 * C870: a coding agent works through files or is started by Clew, and the latter needs a
 * repository.
 */
function codingContradictions(config: Config): string[] {
  const { CODING_FOLDER: folder, CODING_AGENT: agent, CODING_REPO: repo } = config
  if (folder !== undefined && agent !== undefined)
    return [
      'CODING_AGENT: CODING_FOLDER is set too; keep the one by which your agent works (docs/coding.md)',
    ]
  if (agent !== undefined && repo === undefined)
    return ['CODING_AGENT: needs CODING_REPO, the git repository that it works on']
  const needless = (['CODING_MODE', 'CODING_REPO', 'CODING_TESTS', 'CODING_PUSH'] as const).filter(
    (name) => config[name],
  )
  return agent === undefined ? needless.map((name) => `${name}: needs CODING_AGENT`) : []
}

/** True if coding tasks can be done. */
export const hasCoding = ({ CODING_FOLDER, CODING_AGENT }: Config): boolean =>
  CODING_FOLDER !== undefined || CODING_AGENT !== undefined

/** Contradictions between settings that are each valid, one line each. */
function contradictions(config: Config): string[] {
  const problems: string[] = []
  const loopback = ['::1', 'localhost'].includes(config.HOST) || /^127\.[\d.]+$/.test(config.HOST)
  if (!loopback && config.WEB_TOKEN === undefined)
    problems.push(
      `HOST: ${config.HOST} can be reached by others, so set WEB_TOKEN to a secret of at least 8 characters`,
    )
  if (config.ADMIN_TOKEN !== undefined && config.ADMIN_TOKEN === config.WEB_TOKEN)
    problems.push('ADMIN_TOKEN: is WEB_TOKEN too, and so everybody’s who has the page')
  if (config.WORKERS !== undefined && !config.ROLES.includes('worker'))
    problems.push('WORKERS: ROLES has no worker, so there is nothing for workers to do')
  if (Number(config.WORKERS) > slackWorkersMost && config.SLACK_APP_TOKEN !== undefined)
    problems.push(
      `WORKERS: with SLACK_APP_TOKEN at most ${slackWorkersMost}, as Slack lets an app have ten connections`,
    )
  const needed = {
    none: null,
    searxng: 'SEARXNG_URL',
    brave: 'BRAVE_API_KEY',
    tavily: 'TAVILY_API_KEY',
  } as const
  const setting = needed[config.SEARCH_PROVIDER]
  if (setting !== null && config[setting] === undefined)
    problems.push(`SEARCH_PROVIDER: ${config.SEARCH_PROVIDER} needs ${setting}`)
  for (const name of costSettings) {
    if (config[name] === undefined) continue
    if (Object.keys(config.MODEL_PRICES).length === 0) problems.push(`${name}: needs MODEL_PRICES`)
    else
      problems.push(
        ...unpriced(config).map((entry) => `${name}: MODEL_PRICES has no price of ${entry}`),
      )
  }
  if (config.AGENT_TRANSCRIBE_MODEL !== undefined)
    problems.push(...openAiNeeds(config).map((name) => `AGENT_TRANSCRIBE_MODEL: needs ${name}`))
  problems.push(...codingContradictions(config))
  if (config.WORKING_HOURS[0] >= config.WORKING_HOURS[1])
    problems.push('WORKING_HOURS: the first hour must come before the second')
  if (config.WEB_URL !== undefined && config.WEB_TOKEN === undefined)
    problems.push('WEB_TOKEN: is missing; a page that others reach under WEB_URL needs it')
  const ofChannels = ownChannels.flatMap((channel) => channel.contradictions(config))
  return [...problems, ...modelContradictions(config), ...ofChannels]
}
