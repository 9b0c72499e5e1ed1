import type { AgentSettings } from '../agent/agent.ts'
import type { Limits } from '../agent/domain/budget.ts'
import { platformOf } from '../agent/domain/conversation.ts'
import type { ProfileIn } from '../agent/domain/profile.ts'
import type { UsageLimits } from '../agent/domain/usage.ts'
import type { Access } from '../agent/intake.ts'
import type { ChannelTraits } from '../agent/ports/channel.ts'
import { batchSizes } from '../agent/strategies/batch-sizes.ts'
import { type Config, hasCoding } from '../config.ts'
import { ownChannels } from './own-channels.ts'

const minuteMs = 60 * 1000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Converts the operator's settings into the agent's terms and units. */
export function settingsOf(
  config: Config,
  profileIn?: ProfileIn,
): Omit<AgentSettings, 'timesIn' | 'isAlone'> {
  return {
    defaults: { locale: config.DEFAULT_LOCALE, timeZone: config.DEFAULT_TIME_ZONE },
    access: accessOf(config, profileIn),
    limits: limitsOf(config),
    interrupt: config.AGENT_ON_MESSAGE === 'interrupt',
    toolTimeoutMs: config.AGENT_TOOL_TIMEOUT_SECONDS * 1000,
    reminder: {
      afterMs: config.QUESTION_REMINDER_HOURS * hourMs,
      hours: {
        fromHour: config.WORKING_HOURS[0],
        toHour: config.WORKING_HOURS[1],
        days: [1, 2, 3, 4, 5],
      },
    },
    unattendedQuestionMs: config.UNATTENDED_QUESTION_HOURS * hourMs,
    whoMayAnswer: config.QUESTION_ANSWERED_BY,
    answersTo: { ...config.AGENT_ANSWERS_TO, profileIn },
    atMostOnce: config.DELIVER_AT_MOST_ONCE,
    admins: config.ADMIN_USERS,
    usage: usageLimitsOf(config),
    onPause: config.AGENT_ON_PAUSE,
    planFirst: config.PLAN_FIRST,
    messagesPerMinute: config.AGENT_PERSON_MESSAGES_PER_MINUTE,
    followUp: config.AGENT_FOLLOW_UP,
    strategy: config.AGENT_STRATEGY,
    threadTokens: config.AGENT_THREAD_TOKENS,
    decision: {
      loopEnabled: config.AGENT_LOOP_ENABLED,
      allowedTypes: config.AGENT_ALLOWED_RUN_TYPES.filter((type) => isConfigured(type, config)),
      beginsWork:
        config.AGENT_DECISION_MODEL === undefined && config.AGENT_MODELS_DECIDING.length === 0,
      timeoutMs: config.AGENT_DECISION_TIMEOUT_SECONDS * 1000,
    },
    worker: config.ROLES.includes('worker'),
    scheduler: config.ROLES.includes('scheduler'),
    runsAtOnce: config.AGENT_RUNS_AT_ONCE,
    retentionMs: config.RETENTION_DAYS * dayMs,
    auditMs: config.AUDIT_DAYS * dayMs,
    auditHeads: headsPlace(config.AUDIT_HEAD_TO),
  }
}

/** Allowances of a day and a month (S8, C131). */
export function usageLimitsOf(config: Config): UsageLimits {
  const of = (payer: 'PERSON_' | 'CHANNEL_' | '', period: 'DAY' | 'MONTH') => ({
    tokens: config[`AGENT_${payer}TOKENS_PER_${period}`] ?? null,
    cost: config[`AGENT_${payer}COST_PER_${period}`] ?? null,
  })
  const all = (period: 'DAY' | 'MONTH') => ({
    person: of('PERSON_', period),
    channel: of('CHANNEL_', period),
    team: of('', period),
  })
  return {
    day: all('DAY'),
    month: all('MONTH'),
    timeZone: config.DEFAULT_TIME_ZONE,
    currency: config.MODEL_CURRENCY,
  }
}

/** Limits of one run. */
function limitsOf(config: Config): Limits {
  return {
    maxSteps: config.AGENT_MAX_STEPS,
    maxModelCalls: config.AGENT_MAX_MODEL_CALLS,
    maxToolCalls: config.AGENT_MAX_TOOL_CALLS,
    maxTokens: config.AGENT_MAX_TOKENS,
    maxWallMs: config.AGENT_MAX_MINUTES * minuteMs,
    maxToolFailures: config.AGENT_MAX_TOOL_FAILURES,
    maxContractFailures: config.AGENT_MAX_CONTRACT_FAILURES,
    maxUnavailable: 5,
    maxCost: config.AGENT_MAX_COST,
    maxRounds: config.AGENT_MAX_ROUNDS,
    maxRoundMs: config.AGENT_ROUND_SECONDS * 1000,
    thinkPlans: config.AGENT_BATCH_THINK_PLANS,
    callsEndItems: config.AGENT_CALLS_END_ITEMS,
    replanSkips: config.AGENT_REPLAN_SKIPS,
    maxIterations: config.AGENT_MAX_ITERATIONS,
    transitions: config.AGENT_STEP_TRANSITIONS,
    maxRetries: config.CODING_MAX_RETRIES,
    maxFailedSteps: config.CODING_MAX_FAILED_STEPS,
    ...(config.AGENT_BATCH_SIZE === undefined ? {} : batchSizes[config.AGENT_BATCH_SIZE]),
  }
}

/** People and channels that may use Clew. */
export const accessOf = (config: Config, profileIn: ProfileIn = () => null): Access => ({
  users: config.ALLOWED_USERS,
  channels: config.ALLOWED_CHANNELS,
  outsiders: config.ALLOW_OUTSIDERS,
  profileIn,
  admins: config.ADMIN_USERS,
})

/**
 * Traits of the page: it shows times in each reader's zone. A thread is private to one person until
 * another writes in it.
 */
const web: ChannelTraits = { platform: 'web', times: 'zoned', isAlone: () => true }
const own: readonly ChannelTraits[] = [web, ...ownChannels.map(({ traits }) => traits)]

/**
 * Traits of a workspace's platform.
 *
 * @param outside platforms besides Clew's own.
 */
export const traitsFrom =
  (outside: readonly ChannelTraits[]) =>
  (workspace: string): Partial<ChannelTraits> =>
    [...own, ...outside].find(({ platform }) => platform === platformOf(workspace)) ?? {}

/** True if the kind of work has what it needs outside Clew. Most kinds need nothing. */
function isConfigured(type: Config['AGENT_ALLOWED_RUN_TYPES'][number], config: Config): boolean {
  if (type === 'fetch_web') return config.FETCH_WEB
  if (type === 'index_repo') return config.INDEX_FOLDERS.length > 0
  return type !== 'coding' || hasCoding(config)
}

function headsPlace(text: string | undefined): AgentSettings['auditHeads'] {
  const [workspace = '', channel = ''] = text?.split('/') ?? []
  return text === undefined ? null : { workspace, channel }
}
