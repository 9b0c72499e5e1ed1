import {
  bad,
  cited,
  type Finding,
  type FindingText,
  good,
  note,
} from '../adapters/channel-kit/findings.ts'
import type { ContractInputs } from '../agent/contracts.ts'
import type { FailureKind } from '../agent/domain/model-failure.ts'
import { adviceFor, type SettingNames } from '../agent/model/advice.ts'
import { createOpenAiModel, type OpenAiOptions } from '../agent/model/openai.ts'
import type { Clock } from '../agent/ports/clock.ts'
import { silent } from '../agent/ports/log.ts'
import { kindOf } from '../agent/ports/model.ts'
import {
  findLocalModel,
  type LocalModel,
  type LocalServer,
  settingsFor,
} from '../compose/local-models.ts'
import { modelOf } from '../compose/model.ts'
import { entriesOf, entryOptions } from '../compose/model-list.ts'
import { openAiUrl, optionsOf } from '../compose/model-options.ts'
import { type Config, ConfigError, usesRehearsal } from '../config.ts'

interface Options {
  clock: Clock
  servers?: readonly LocalServer[]
  stop: AbortSignal
}

/**
 * Tries one real request, in the first form that the endpoint takes: the model answers, or what is
 * in its way (C91).
 */
export async function examineModel(config: Config, options: Options): Promise<Finding[]> {
  if (usesRehearsal(config)) return [offered(await findLocalModel(options.servers ?? []))]
  if (config.AGENT_MODELS.length > 0) return await examineList(config, options)
  if (config.OPENAI_API_KEY === undefined && config.OPENAI_BASE_URL === undefined)
    return [
      bad((words) => [words.noModelSet, words.noModelSetMend], {
        env: ['OPENAI_API_KEY='],
        manual: 'connect/with-a-key',
      }),
    ]
  const { host } = new URL(config.OPENAI_BASE_URL ?? openAiUrl)
  const model = await modelOf(config)
  if ('failure' in model) return [failed(() => host, model.failure)]
  const names = new Set([model.name, config.AGENT_DECISION_MODEL ?? model.name])
  const asked = [...names].map((name) => ({
    ...optionsOf(config, name),
    log: silent,
    clock: options.clock,
  }))
  return await Promise.all(asked.map((one) => examineAnswer(one, host, options.stop)))
}

/** C95: with the two lines that connect what runs on this machine. */
function offered(offer: LocalModel | null): Finding {
  const env =
    offer === null
      ? ['OPENAI_API_KEY=']
      : [`OPENAI_BASE_URL=${offer.url}`, `OPENAI_MODEL=${offer.model}`]
  return note(
    (words) => [
      words.noModel,
      offer === null ? words.noModelMend : words.offer(offer.server, settingsFor(offer)),
    ],
    { env, manual: 'connect/with-a-key' },
  )
}

/** C134: every model of the lists, each once. */
async function examineList(config: Config, { clock, stop }: Options): Promise<Finding[]> {
  const entries = new Set(Object.values(entriesOf(config)).flat())
  return await Promise.all(
    [...entries].map(async (entry) => {
      try {
        const options = await entryOptions(entry, config, { log: silent, clock })
        const { host } = URL.parse(options.baseURL) ?? { host: options.baseURL }
        return await examineAnswer(options, host, stop)
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        return cited(error.message, (words) => words.startAgain)
      }
    }),
  )
}

const hello: ContractInputs['chat'] = {
  message: 'Say hello in one word.',
  author: { id: 'doctor', name: 'Doctor' },
  facts: [],
  recentMessages: [],
  recentRuns: [],
  runTypes: [],
  locale: 'en',
  timeZone: 'UTC',
  now: '2026-01-01T09:00+00:00',
}

async function examineAnswer(
  options: OpenAiOptions,
  host: string,
  stop: AbortSignal,
): Promise<Finding> {
  const { model: name, settings } = options
  const model = createOpenAiModel(options)
  const failure = kindOf(await model.call('chat', hello, stop))
  return failure === null
    ? good((words) => words.modelAnswers(name, host))
    : failed((words) => words.askedFor(host, name), failure, settings)
}

const failed = (who: FindingText, kind: FailureKind, settings?: SettingNames) =>
  bad(
    (words, all) => {
      const { does, afterTrial } = adviceFor(kind, settings, words)
      return [words.modelFails(who(words, all), does), afterTrial]
    },
    { manual: 'connect/when-it-does-not-work' },
  )
