import type { Finding } from '../adapters/channel-kit/findings.ts'
import type { Clock } from '../agent/ports/clock.ts'
import { findLocalModels, type LocalServer } from '../compose/local-models.ts'
import { modelOf } from '../compose/model.ts'
import { ownChannels } from '../compose/own-channels.ts'
import type { Environment } from '../compose/team.ts'
import { type Config, ConfigError, readConfig, usesRehearsal } from '../config.ts'
import { type Look, withinLimit } from '../doctor/examine.ts'
import { examineModel } from '../doctor/model.ts'
import type { Texts } from '../locales/texts.ts'
import type { EnvLines } from './env-file.ts'
import {
  choiceOf,
  labelOf,
  type Offer,
  offersFor,
  settingsOf,
  usualModelOf,
} from './model-choice.ts'

/** Terminal of the person who sets Clew up. */
export interface Terminal {
  say(line: string): void
  show(findings: readonly Finding[]): void
  /** Asks for one line, and gives it without its outer blanks. */
  ask(question: string): Promise<string>
}

export interface GuideOptions {
  terminal: Terminal
  words: Texts['setupGuide']
  env: Environment
  /** Names in the `.env` file; there every unknown one is a mistake. */
  inFile: readonly string[]
  servers: readonly LocalServer[]
  clock: Clock
  /** Puts settings that work into `.env`. */
  write(settings: EnvLines): void
}

/**
 * `clew setup`: asks for a model and for each channel, tries what was typed against the real
 * service, and writes what works at once. What is set and works already is shown and not asked for.
 *
 * @returns false if the settings that are there already cannot be read; they are named then.
 */
export async function guide(options: GuideOptions): Promise<boolean> {
  const { terminal, words } = options
  terminal.say(words.intro)
  try {
    let env = await guideToModel(options)
    for (const channel of ownChannels) env = await guideToChannel(channel, { ...options, env })
    return true
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    terminal.say(words.wrong)
    for (const problem of error.problems) terminal.say(`  ${problem}`)
    return false
  }
}

const isBad = ({ verdict }: Finding) => verdict === 'bad'

/** Longest trial, in ms. A local model may have to be loaded first. */
const limitMs = 60_000

/** Tries settings, and shows what the doctor finds with them. */
async function tried(
  { terminal, words, env, inFile, clock }: GuideOptions,
  settings: EnvLines,
  lookWith: (config: Config) => Look,
): Promise<readonly Finding[]> {
  terminal.say(words.trying)
  const look = lookWith(readConfig({ ...env, ...settings }, inFile))
  const findings = await withinLimit(look, { clock, limitMs })
  terminal.show(findings)
  return findings
}

async function guideToModel(options: GuideOptions): Promise<Environment> {
  const { terminal, words, env, inFile, servers, clock } = options
  const look = (config: Config) => (stop: AbortSignal) => examineModel(config, { clock, stop })
  terminal.say(`\n${words.model}`)
  const isSet = !usesRehearsal(readConfig(env, inFile))
  if (isSet && !(await tried(options, {}, look)).some(isBad)) return env
  const offers = offersFor(await findLocalModels(servers), env, words)
  for (const [index, { label }] of offers.entries()) terminal.say(`  ${index + 1}  ${label}`)
  terminal.say(words.modelOrElse(offers.length))
  return await untilTaken(options, {
    ask: () => askForModel(offers, options),
    isTaken: async (settings) => !(await tried(options, settings, look)).some(isBad),
    left: isSet ? words.later : words.noModel,
    taken: null,
  })
}

interface Round {
  /** Settings to try; null: the person leaves it for later. */
  ask(): Promise<EnvLines | null>
  isTaken(settings: EnvLines): Promise<boolean>
  /** Words where the person leaves it, and where settings were written. */
  left: string
  taken: string | null
}

/** Asks until settings work, which are written then, or until the person leaves it. */
async function untilTaken(
  options: GuideOptions,
  { ask, isTaken, left, taken }: Round,
): Promise<Environment> {
  const { terminal, words, env, write } = options
  for (let settings = await ask(); settings !== null; settings = await ask()) {
    if (await isTaken(settings)) {
      const named = await withFirstModel(settings, options)
      write(named)
      if (taken !== null) terminal.say(taken)
      return { ...env, ...named }
    }
    terminal.say(words.again)
  }
  terminal.say(left)
  return env
}

async function askForModel(
  offers: readonly Offer[],
  options: GuideOptions,
): Promise<EnvLines | null> {
  const { terminal, words } = options
  for (;;) {
    const typed = await terminal.ask(words.modelPrompt)
    if (typed === '') return null
    const choice = choiceOf(typed, offers)
    if (choice?.kind === 'settings') return choice.settings
    if (choice !== null) return await withModelNamed(choice, options)
    terminal.say(words.unclear)
  }
}

async function withModelNamed(
  { provider, key }: Extract<ReturnType<typeof choiceOf>, { kind: 'provider' }>,
  { terminal, words }: GuideOptions,
): Promise<EnvLines> {
  const usual = usualModelOf(provider)
  const model = await terminal.ask(words.modelName(labelOf(provider), usual))
  return settingsOf(provider, key, model || usual)
}

/** Names the model that an endpoint listed first, so that a later list changes nothing. */
async function withFirstModel(settings: EnvLines, { env, inFile }: GuideOptions) {
  if (settings.OPENAI_BASE_URL === undefined || settings.OPENAI_MODEL) return settings
  const first = await modelOf(readConfig({ ...env, ...settings }, inFile))
  return 'name' in first ? { ...settings, OPENAI_MODEL: first.name } : settings
}

async function guideToChannel(
  channel: (typeof ownChannels)[number],
  options: GuideOptions,
): Promise<Environment> {
  const { terminal, words, env, inFile } = options
  const look = (config: Config) => () => channel.examine(config)
  terminal.say(`\n${channel.label}`)
  const { before, questions, after } = await channel.guide(words)
  if (channel.isConnected(readConfig(env, inFile))) {
    if (!(await tried(options, {}, look)).some(isBad)) return env
  } else terminal.say(before)
  return await untilTaken(options, {
    ask: () => askForAll(questions, terminal),
    isTaken: async (settings) => takes(await tried(options, settings, look), settings),
    left: words.later,
    taken: after,
  })
}

async function askForAll(
  questions: readonly (readonly [setting: string, question: string])[],
  { ask }: Terminal,
): Promise<EnvLines | null> {
  const settings: Record<string, string> = {}
  for (const [name, question] of questions) {
    const typed = await ask(question)
    if (typed === '') return null
    settings[name] = typed
  }
  return settings
}

/**
 * True if the platform answered and takes the settings. What else is amiss there can be mended
 * later.
 */
const takes = (findings: readonly Finding[], settings: EnvLines) =>
  findings.some(({ verdict }) => verdict === 'good') &&
  !findings.some(
    (finding) => isBad(finding) && finding.env?.some((line) => line.slice(0, -1) in settings),
  )
