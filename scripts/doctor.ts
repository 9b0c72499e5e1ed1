/**
 * `npm run doctor`: looks at the settings, the store, the model, the team's servers and files, Slack and Discord, says what is wrong and where to mend it.
 * Nothing is changed and nothing is posted. Exits 1 when something is wrong.
 */
import { existsSync, readFileSync } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import { bad, type Finding, good, note } from '../src/adapters/channel-kit/findings.ts'
import { examineDiscord } from '../src/adapters/discord/doctor.ts'
import { examineSlack } from '../src/adapters/slack/doctor.ts'
import type { FailureKind } from '../src/agent/domain/model-failure.ts'
import { runTypes } from '../src/agent/drive/run-types.ts'
import { adviceFor, type SettingNames } from '../src/agent/model/advice.ts'
import type { OpenAiOptions } from '../src/agent/model/openai.ts'
import { tryForms } from '../src/agent/model/try-forms.ts'
import { createSystemClock } from '../src/clock.ts'
import { type Config, ConfigError, readConfig, usesRehearsal } from '../src/config.ts'
import { readConnectors } from '../src/connectors.ts'
import { findLocalModel, type LocalServer, settingsFor, usualServers } from '../src/local-models.ts'
import { modelOf } from '../src/model.ts'
import { entriesOf, entryOptions } from '../src/model-list.ts'
import { openAiUrl, optionsOf } from '../src/model-options.ts'
import { connect } from '../src/store/redis/connection.ts'
import { checkRedis } from '../src/store/redis/startup-check.ts'
import { openTeam } from '../src/team.ts'
import { typeErrorsIn } from './tool-types.ts'

/** All findings, from the settings alone; the file is only for the names that stand in it. */
export async function examine(
  env: Record<string, string | undefined>,
  inFile: readonly string[],
  servers: readonly LocalServer[] = [],
): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(env, inFile)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const mend = 'In .env or the environment; .env.example has every setting.'
    return error.problems.map((line) => bad(line, mend))
  }
  const slack = await examineSlack({
    apiUrl: config.SLACK_API_URL,
    botToken: config.SLACK_BOT_TOKEN ?? null,
    appToken: config.SLACK_APP_TOKEN ?? null,
    signingSecret: config.SLACK_SIGNING_SECRET ?? null,
    installs: config.SLACK_CLIENT_ID !== undefined,
  })
  const discord = await examineDiscord({
    token: config.DISCORD_TOKEN ?? null,
    apiUrl: config.DISCORD_API_URL ?? null,
    guildIds: config.DISCORD_GUILD_IDS,
  })
  return [
    good('Settings: all understood.'),
    ...(await examineStore(config)),
    ...(await examineModel(config, servers)),
    ...(await examineFolders(config)),
    ...(await examineTeam(config, env)),
    ...examineConnectors(config, env),
    ...slack,
    ...discord,
  ]
}

async function examineStore(config: Config): Promise<Finding[]> {
  if (config.REDIS_URL === undefined)
    return [good(`Store: embedded, in ${config.DATA_DIR}; for one process and one small team.`)]
  const redis = connect(config.REDIS_URL, 'commands')
  try {
    const warnings = await checkRedis(redis, { strict: config.STORE_STRICT })
    const mend = 'In the configuration of your Redis or Valkey; compose.yaml has one that fits.'
    return [good('REDIS_URL: it answers.'), ...warnings.map((line) => bad(`REDIS_URL: ${line}`, mend))]
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it does not answer'
    return [bad(`REDIS_URL: ${reason}`, 'Start the server, or correct REDIS_URL.')]
  } finally {
    redis.disconnect()
  }
}

/** Folders that Clew reads or shares with a coding agent. */
async function examineFolders({ INDEX_FOLDERS, CODING_FOLDER }: Config): Promise<Finding[]> {
  const indexed = INDEX_FOLDERS.map(async ({ name, path }): Promise<Finding> => {
    if (await isFolder(path, constants.R_OK)) return good(`INDEX_FOLDERS: ${name} can be read.`)
    return bad(`INDEX_FOLDERS: ${path} is no folder that can be read.`, 'Correct it in .env.')
  })
  return await Promise.all([...indexed, ...(CODING_FOLDER === undefined ? [] : [examineShared(CODING_FOLDER)])])
}

async function examineShared(path: string): Promise<Finding> {
  if (await isFolder(path, constants.R_OK | constants.W_OK)) return good('CODING_FOLDER: it can be written.')
  if (!existsSync(path) && (await isFolder(dirname(path), constants.W_OK)))
    return note(
      `CODING_FOLDER: ${path} is not there yet; Clew and the runner create it.`,
      'Start the other side with npm run coding-runner; docs/coding.md says how.',
    )
  return bad(`CODING_FOLDER: ${path} cannot be written.`, 'Let the user that runs Clew write it.')
}

async function isFolder(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode)
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Reads the team's files and starts its servers as Clew would, and ends them again. */
async function examineTeam(config: Config, env: Record<string, string | undefined>): Promise<Finding[]> {
  const team = await openTeam(config, { clock: createSystemClock(), log: silent, env, waitMs: 30_000 })
  if (team === null) return []
  const { servers, problems } = team.health()
  await team.stop()
  const wrong = config.AGENT_HOME === undefined ? null : await typeErrorsIn(config.AGENT_HOME)
  return [
    ...servers.map(
      ({ name, ok, tools, detail }): Finding =>
        ok
          ? good(`MCP server ${name}: ${tools} tools.`)
          : bad(`MCP server ${name}: ${detail}.`, 'Correct its entry, or start it by hand.'),
    ),
    ...(wrong ?? []).map((line) => bad(line, 'The types are those of clew/tool.')),
    ...problems.map((line) => bad(line, 'docs/agent-home.md has the form of each file.')),
  ]
}

/** Programs that may start work, from their file (S20). */
function examineConnectors({ CONNECTORS_FILE: path }: Config, env: Record<string, string | undefined>): Finding[] {
  if (path === undefined) return []
  try {
    const names = readConnectors(path, runTypes, env).map(({ connector }) => connector.name)
    return [good(`CONNECTORS_FILE: ${names.join(', ')} may start work.`)]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((line) => bad(line, 'docs/connectors.md has the form of the file.'))
  }
}

/** One real request in every form in which Clew can ask: what the model can do, or what is in its way (C91). */
async function examineModel(config: Config, servers: readonly LocalServer[]): Promise<Finding[]> {
  if (usesRehearsal(config)) {
    const offer = await findLocalModel(servers)
    const mend =
      offer === null
        ? 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for a local model.'
        : `${offer.server} runs on this machine: set ${settingsFor(offer)}.`
    return [note('Model: none; Clew rehearses.', mend)]
  }
  if (config.AGENT_MODELS.length > 0) return await examineList(config)
  if (config.OPENAI_API_KEY === undefined && config.OPENAI_BASE_URL === undefined)
    return [bad('Model: none is set.', 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for a local one.')]
  const { host } = new URL(config.OPENAI_BASE_URL ?? openAiUrl)
  const model = await modelOf(config)
  if ('failure' in model) return [failed(`Model: ${host}`, model.failure, { why: model.problem })]
  const names = new Set([model.name, config.AGENT_DECISION_MODEL ?? model.name])
  const deps = { log: silent, clock: createSystemClock() }
  return await Promise.all([...names].map((name) => examineForms({ ...optionsOf(config, name), ...deps }, host)))
}

/** C134: every model of the lists, each once. */
async function examineList(config: Config): Promise<Finding[]> {
  const entries = new Set(Object.values(entriesOf(config)).flat())
  return await Promise.all(
    [...entries].map(async (entry) => {
      try {
        const options = await entryOptions(entry, config, { log: silent, clock: createSystemClock() })
        const { host } = URL.parse(options.baseURL ?? openAiUrl) ?? { host: options.baseURL ?? '' }
        return await examineForms(options, host)
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        return bad(error.message, 'Then start again.')
      }
    }),
  )
}

async function examineForms(options: OpenAiOptions, host: string): Promise<Finding> {
  const { model: name, settings } = options
  const tried = await tryForms(options)
  const [best] = tried.filter(({ failure }) => failure === null)
  if (best === undefined)
    return failed(`Model: ${host}, asked for ${name},`, tried.at(-1)?.failure ?? 'unreachable', { settings })
  const marks = tried.map(({ form, failure }) => `${form} ${failure === null ? '✓' : '✗'}`).join(', ')
  return good(`Model: ${name} at ${host} answers. Forms: ${marks}; ${best.form} is used.`)
}

function failed(
  who: string,
  kind: FailureKind,
  { why, settings }: { why?: string; settings?: SettingNames | undefined } = {},
): Finding {
  const { does, mend } = adviceFor(kind, settings)
  return bad(`${who} ${does}${why === undefined ? '' : ` (${why})`}.`, mend)
}

const signs = { good: '✓', bad: '✗', note: '·' } as const

export function printed({ verdict, line, mend }: Finding): string {
  return mend === undefined ? `${signs[verdict]} ${line}` : `${signs[verdict]} ${line}\n    → ${mend}`
}

/** Prints what there is to say; settings come from the environment and, beneath it, from `.env` of this folder. */
export async function main(): Promise<void> {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  const findings = await examine({ ...file, ...process.env }, Object.keys(file), usualServers)
  for (const finding of findings) console.log(printed(finding))
  process.exitCode = findings.some(({ verdict }) => verdict === 'bad') ? 1 : 0
}

if (import.meta.main) await main()
