import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { fillIn } from '../adapters/variables.ts'
import { type WebDeps, webChannel, webWorkspace } from '../adapters/web/deps.ts'
import { createConnectors } from '../agent/connectors.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Store } from '../agent/ports/store.ts'
import type { Wakeups } from '../agent/ports/wakeups.ts'
import type { RunType } from '../agent/run-inputs.ts'
import { type Config, ConfigError } from '../config.ts'
import { settingsOf } from './settings.ts'
import type { Environment } from './team.ts'

/** Least length of a secret, in characters: a shorter one can be guessed. */
const secretLeast = 24

/**
 * Path of a channel, such as `slack:T024BE7LD/C061EG9SL`: the workspace, then the channel as in an
 * address.
 */
const ChannelPath = z.string().transform((text, context) => {
  const [, workspace, channel] = /^([a-z][\w-]*:[^/\s]+)\/(\S+)$/.exec(text) ?? []
  if (workspace !== undefined && channel !== undefined) return { workspace, channel }
  context.addIssue({ code: 'custom', message: 'is no place such as slack:T024BE7LD/C061EG9SL' })
  return z.NEVER
})

const Entry = z.strictObject({
  secret: z.string().min(secretLeast, `is shorter than ${secretLeast} characters`),
  runTypes: z.array(z.string()).min(1).default(['agent_task']),
  channels: z.array(ChannelPath).default([]),
})
const File = z.strictObject({
  connectors: z.record(
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'is not lower-case letters, digits and -, at most 32'),
    Entry,
  ),
})

type ConnectorEntry = NonNullable<WebDeps['connectors']>['shown'][number]

/**
 * Reads the file of the connectors, with `${NAME}` filled in from the environment (S20).
 *
 * @throws ConfigError that says where the file is wrong, and never quotes it.
 */
export function readConnectors(
  path: string,
  runTypes: readonly RunType[],
  env: Environment,
): ConnectorEntry[] {
  const refuse = (problems: readonly string[]): never => {
    throw new ConfigError(problems.map((problem) => `CONNECTORS_FILE: ${path}: ${problem}`))
  }
  const { filled, missing } = fillIn(jsonIn(path) ?? refuse(['cannot be read as JSON']), env)
  if (missing.length > 0) return refuse([`needs the environment variables ${missing.join(', ')}`])
  const read = File.safeParse(filled)
  if (!read.success)
    return refuse(
      read.error.issues.map((issue) => `${issue.path.join('.') || 'the top'}: ${reasonOf(issue)}`),
    )
  const all = Object.entries(read.data.connectors).map(
    ([name, { secret, ...rest }]): ConnectorEntry => ({ secret, connector: { name, ...rest } }),
  )
  const unknown = all.flatMap(({ connector: { name, runTypes: types } }) =>
    types
      .filter((type) => !runTypes.some((one) => one.type === type))
      .map((type) => `${name}.runTypes: there is no run type "${type}"`),
  )
  const twins = all.filter(({ secret }, at) => all.findIndex((one) => one.secret === secret) !== at)
  const problems = [
    ...unknown,
    ...twins.map(({ connector }) => `${connector.name}.secret is another connector's, too`),
  ]
  return problems.length === 0 ? all : refuse(problems)
}

/** Reason of an issue. For an invalid key, it says what a valid name is. */
const reasonOf = (issue: z.core.$ZodIssue): string =>
  (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/**
 * Connectors from the settings' file; none without a file: then nobody can start work from outside.
 */
export function connectorsOf(
  config: Config,
  parts: {
    store: Store
    wakeups: Wakeups
    clock: Clock
    runTypes: readonly RunType[]
    env: Environment
  },
): Pick<WebDeps, 'connectors'> {
  const { CONNECTORS_FILE: path } = config
  if (path === undefined) return {}
  const allowedTypes = settingsOf(config).decision.allowedTypes
  const home = { workspace: webWorkspace, channel: webChannel }
  const shown = readConnectors(path, parts.runTypes, parts.env)
  return { connectors: { shown, ...createConnectors({ ...parts, allowedTypes, home }) } }
}
