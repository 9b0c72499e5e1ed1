import type { Finding } from '../adapters/channel-kit/findings.ts'
import { findLocalModels, type LocalServer } from '../compose/local-models.ts'
import { ownChannels } from '../compose/own-channels.ts'
import type { Environment } from '../compose/team.ts'
import { ConfigError, readConfig, usesRehearsal } from '../config.ts'
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
import { isBad, type Trial, type TrialDeps, tryChannel, tryModel } from './trials.ts'

/** Terminal of the person who sets Clew up. */
export interface Terminal {
  say(line: string): void
  show(findings: readonly Finding[]): void
  /** Asks for one line, and gives it without its outer blanks. */
  ask(question: string): Promise<string>
}

export interface GuideOptions extends TrialDeps {
  terminal: Terminal
  words: Texts['setupGuide']
  servers: readonly LocalServer[]
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

/** Tries settings, and shows what is found with them. */
async function shown(
  { terminal, words }: GuideOptions,
  attempt: () => Promise<Trial>,
): Promise<Trial> {
  terminal.say(words.trying)
  const trial = await attempt()
  terminal.show(trial.findings)
  return trial
}

async function guideToModel(options: GuideOptions): Promise<Environment> {
  const { terminal, words, env, inFile, servers } = options
  const attempt = (settings: EnvLines) => shown(options, () => tryModel(settings, options))
  terminal.say(`\n${words.model}`)
  const isSet = !usesRehearsal(readConfig(env, inFile))
  if (isSet && !(await attempt({})).findings.some(isBad)) return env
  const offers = offersFor(await findLocalModels(servers), env, words)
  for (const [index, { label }] of offers.entries()) terminal.say(`  ${index + 1}  ${label}`)
  terminal.say([words.modelTypes(offers.length), words.modelForms, words.modelOrNone].join('\n'))
  return await untilTaken(options, {
    ask: () => askForModel(offers, options),
    attempt,
    left: isSet ? words.later : words.noModel,
    taken: null,
  })
}

interface Round {
  /** Settings to try; null: the person leaves it for later. */
  ask(): Promise<EnvLines | null>
  attempt(settings: EnvLines): Promise<Trial>
  /** Words where the person leaves it, and where settings were written. */
  left: string
  taken: string | null
}

/** Asks until settings work, which are written then, or until the person leaves it. */
async function untilTaken(
  options: GuideOptions,
  { ask, attempt, left, taken }: Round,
): Promise<Environment> {
  const { terminal, words, env, write } = options
  for (let settings = await ask(); settings !== null; settings = await ask()) {
    const trial = await attempt(settings)
    if (trial.works) {
      write(trial.settings)
      if (taken !== null) terminal.say(taken)
      return { ...env, ...trial.settings }
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

async function guideToChannel(
  channel: (typeof ownChannels)[number],
  options: GuideOptions,
): Promise<Environment> {
  const { terminal, words, env, inFile } = options
  const attempt = (settings: EnvLines) =>
    shown(options, () => tryChannel(channel, settings, options))
  terminal.say(`\n${channel.label}`)
  const { link, before, questions, after } = await channel.guide(words)
  if (channel.isConnected(readConfig(env, inFile))) {
    if (!(await attempt({})).findings.some(isBad)) return env
  } else terminal.say(`${before}\n   ${link}`)
  return await untilTaken(options, {
    ask: () => askForAll(questions, options),
    attempt,
    left: words.later,
    taken: after,
  })
}

async function askForAll(
  questions: readonly (readonly [setting: string, question: string])[],
  { terminal, words }: GuideOptions,
): Promise<EnvLines | null> {
  const settings: Record<string, string> = {}
  for (const [name, question] of questions) {
    const typed = await terminal.ask(`${question}${words.orLater}`)
    if (typed === '') return null
    settings[name] = typed
  }
  return settings
}
