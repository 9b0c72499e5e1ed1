import type { SetupForm, SetupGiven, SetupSaved } from '../adapters/web/deps.ts'
import type { SetupFormView } from '../adapters/web/views.ts'
import type { Clock } from '../agent/ports/clock.ts'
import { findLocalModels, type LocalServer } from '../compose/local-models.ts'
import { ownChannels } from '../compose/own-channels.ts'
import type { Environment } from '../compose/team.ts'
import { ConfigError } from '../config.ts'
import { hidingSecrets } from '../doctor/secrets.ts'
import type { ReadEnvironment } from '../environment.ts'
import type { Texts } from '../locales/texts.ts'
import type { EnvLines } from './env-file.ts'
import { choiceOf, type Offer, offersFor, settingsOf, usualModelOf } from './model-choice.ts'

/** Access to the settings of the process, which can start Clew again. */
export interface OwnSettings {
  read: ReadEnvironment
  /** Puts settings into `.env`. */
  write(settings: EnvLines): { isThere: boolean }
  /** Why the last restart went on with the settings before. */
  problem: string | null
  /** Starts Clew again in this process, with these settings besides those of its start. */
  restart(settings: EnvLines): void
}

export interface FormDeps extends OwnSettings {
  clock: Clock
  servers: readonly LocalServer[]
}

/** `clew setup` as a form: its offers, questions and trials, one trial at a time (C563). */
export function createSetupForm(deps: FormDeps): SetupForm {
  const startedAt = deps.clock.now()
  const changed = new Set<string>()
  let turn: Promise<unknown> = Promise.resolve()
  return {
    startedAt,
    problem: deps.problem && hidingSecrets(deps.read().env)(deps.problem),
    isWaiting: () => changed.size > 0,
    steps: (words) => stepsOf(deps, words),
    async connect(part, given, words) {
      const asked = { part, given, words: words.setupGuide }
      const mine = turn.then(() => connect(deps, asked))
      turn = mine.catch(() => undefined)
      const outcome = await mine
      if (outcome.kind === 'tried' && outcome.saved?.problem === null)
        for (const name of outcome.saved.names) changed.add(name)
      return outcome
    },
    restart() {
      const { env } = deps.read()
      deps.restart(Object.fromEntries([...changed].map((name) => [name, env[name] ?? ''])))
    },
  }
}

type GuideWords = Texts['setupGuide']

async function stepsOf({ read, servers }: FormDeps, all: Texts): Promise<SetupFormView['steps']> {
  const { env } = read()
  const { setupGuide: words, page } = all
  const offers = offersFor(await findLocalModels(servers), env, words)
  const channels = ownChannels.map(async ({ platform: part, label: title, guide }) => {
    const { link, before: lead, questions, after } = await guide(words)
    const fields = questions.map(([name, label]) => {
      return { name, label, isSecret: true, isSet: isSet(env, name) }
    })
    return { part, title, link, lead, after, choices: [], fields }
  })
  const { model: title } = page.setup.parts
  const model = { ...modelStep(offers, env, words), title }
  return [model, ...(await Promise.all(channels))]
}

function modelStep(offers: readonly Offer[], env: Environment, words: GuideWords) {
  const named = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'AGENT_MODELS'].some((one) => isSet(env, one))
  return {
    part: 'model',
    link: null,
    lead: words.modelForms,
    after: null,
    choices: offers.map((offer) => ({ id: idOf(offer), label: offer.label })),
    fields: [
      { name: 'typed', label: words.keyOrAddress, isSecret: true, isSet: named },
      { name: 'model', label: words.whichModel, isSecret: false, isSet: named },
    ],
  }
}

const isSet = (env: Environment, name: string) => (env[name] ?? '').trim() !== ''
const idOf = ({ settings }: Offer) => Object.values(settings).join(' ')

interface Asked {
  part: string
  given: SetupGiven
  words: GuideWords
}

/** Tries what was typed, and writes it if it works. */
async function connect(
  deps: FormDeps,
  asked: Asked,
): Promise<Awaited<ReturnType<SetupForm['connect']>>> {
  const { env, inFile } = deps.read()
  const channel = ownChannels.find(({ platform }) => platform === asked.part)
  if (channel === undefined && asked.part !== 'model') return { kind: 'unknown' }
  const settings =
    channel === undefined
      ? await modelFrom(asked, env, deps.servers)
      : await tokensFrom(channel, asked, env)
  if (settings === null) return { kind: channel === undefined ? 'unclear' : 'missing' }
  const misbegun = channel === undefined ? [] : await misbegunIn(channel, settings, asked.words)
  if (misbegun.length > 0) return { kind: 'unreadable', problems: misbegun }
  const hide = hidingSecrets(env, settings)
  const from = { env, inFile, clock: deps.clock }
  // Clients of models and platforms are loaded with it.
  const { tryChannel, tryModel } = await import('./trials.ts')
  try {
    const trial =
      channel === undefined
        ? await tryModel(settings, from)
        : await tryChannel(channel, settings, from)
    const saved = trial.works ? save(trial.settings, deps) : null
    return { kind: 'tried', findings: trial.findings, hide, saved }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { kind: 'unreadable', problems: error.problems.map(hide) }
  }
}

async function modelFrom(
  { given, words }: Asked,
  env: Environment,
  servers: readonly LocalServer[],
): Promise<EnvLines | null> {
  const { choice, typed = '', model = '' } = given
  if (choice) {
    const offers = offersFor(await findLocalModels(servers), env, words)
    return offers.find((offer) => idOf(offer) === choice)?.settings ?? null
  }
  if (typed.trim() === '' && model !== '') return otherModel(env, model)
  const read = choiceOf(typed, [])
  if (read?.kind === 'settings')
    return model === '' ? read.settings : { ...read.settings, OPENAI_MODEL: model }
  return read && settingsOf(read.provider, read.key, model || usualModelOf(read.provider))
}

/** Another model of the endpoint or provider that is set (C563); null where none is. */
function otherModel(env: Environment, model: string): EnvLines | null {
  const [first = ''] = (env.AGENT_MODELS ?? '').split(',')
  const [, provider] = /^\s{0,9}(\w{1,40}):/.exec(first) ?? []
  if (provider !== undefined) return { AGENT_MODELS: `${provider}:${model}` }
  const isEndpoint = isSet(env, 'OPENAI_API_KEY') || isSet(env, 'OPENAI_BASE_URL')
  return isEndpoint ? { OPENAI_MODEL: model } : null
}

/** Tokens that were typed; null if one is missing. What is set already need not be typed again. */
async function tokensFrom(
  { guide }: (typeof ownChannels)[number],
  { given, words }: Asked,
  env: Environment,
): Promise<EnvLines | null> {
  const names = (await guide(words)).questions.map(([name]) => name)
  const typed = names.flatMap((name) => (given[name] ? [[name, given[name]] as const] : []))
  const isWhole = names.every((name) => given[name] || isSet(env, name))
  return isWhole && typed.length > 0 ? Object.fromEntries(typed) : null
}

/** Tokens that do not begin as the question for them says, a sentence each (C702). */
async function misbegunIn(
  { guide }: (typeof ownChannels)[number],
  settings: EnvLines,
  words: GuideWords,
): Promise<string[]> {
  const { questions } = await guide(words)
  return questions.flatMap(([name, label]) => {
    const [, begins = ''] = /[(（]([a-z]+-)…[)）]/.exec(label) ?? []
    return (settings[name] ?? begins).startsWith(begins) ? [] : [words.begins(name, begins)]
  })
}

function save(settings: EnvLines, { read, write }: FormDeps): SetupSaved {
  const names = Object.keys(settings)
  try {
    const { isThere: isCopied } = write(settings)
    const { env } = read()
    const overruled = names.filter((name) => (env[name] ?? '') !== settings[name])
    return { names, isCopied, overruled, problem: null }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { names, isCopied: false, overruled: [], problem }
  }
}
