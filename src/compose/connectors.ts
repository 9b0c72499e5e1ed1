import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { fillIn } from '../adapters/variables.ts'
import { type KnownSource, type WebDeps, webChannel, webWorkspace } from '../adapters/web/deps.ts'
import { isSender, senderNames, type senders } from '../adapters/web/event-senders.ts'
import { createConnectors } from '../agent/connectors.ts'
import type { ChannelAddress } from '../agent/domain/conversation.ts'
import { channelSource, placeSources, sourceOf } from '../agent/domain/event-source.ts'
import { createHooks, isAmong } from '../agent/hooks.ts'
import type { ChannelTraits } from '../agent/ports/channel.ts'
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
const Name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'is not lower-case letters, digits and -, at most 32')

const HookName = Name.refine((name) => name !== channelSource, 'names what is said in a channel')

/** A source of events (C640). Its secret may be one that the sender chose. */
const Hook = z.strictObject({
  from: z.custom<keyof typeof senders>(
    (name) => typeof name === 'string' && isSender(name),
    `is none of ${senderNames.join(', ')}`,
  ),
  secret: z.string().min(secretLeast, `is shorter than ${secretLeast} characters`),
  channels: z.array(ChannelPath).min(1, 'names no place'),
  perMinute: z.int().min(1).max(600).default(30),
})
const File = z.strictObject({
  connectors: z.record(Name, Entry).default({}),
  hooks: z.record(HookName, Hook).default({}),
})

/** Only the places of the sources, for processes that do not have the secrets. */
const Sources = z.object({
  hooks: z.record(z.string(), z.object({ channels: z.array(ChannelPath) })).default({}),
})

interface ReadFile {
  connectors: ConnectorEntry[]
  hooks: KnownSource[]
}
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
): ReadFile {
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
  const hooks = Object.entries(read.data.hooks).map(
    ([name, { from, secret, ...rest }]): KnownSource => ({
      from,
      secret,
      source: { name, ...rest },
    }),
  )
  return problems.length === 0 ? { connectors: all, hooks } : refuse(problems)
}

/** Reason of an issue. For an invalid key, it says what a valid name is. */
const reasonOf = (issue: z.core.$ZodIssue) =>
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
    schedules: Store['schedules']
    wakeups: Wakeups
    clock: Clock
    runTypes: readonly RunType[]
    env: Environment
  },
): Pick<WebDeps, 'connectors' | 'hooks'> {
  const { CONNECTORS_FILE: path } = config
  if (path === undefined) return {}
  const allowedTypes = settingsOf(config).decision.allowedTypes
  const home = { workspace: webWorkspace, channel: webChannel }
  const { connectors, hooks } = readConnectors(path, parts.runTypes, parts.env)
  return {
    connectors: { shown: connectors, ...createConnectors({ ...parts, allowedTypes, home }) },
    hooks: { shown: hooks, ...createHooks(parts) },
  }
}

/**
 * Sources of events that may start work in a place (S67): services that the file names for it, what
 * happens in it, and the folders that Clew may read.
 */
export function sourcesOf(
  { CONNECTORS_FILE: path, INDEX_FOLDERS: folders }: Config,
  traitsIn: (workspace: string) => Partial<ChannelTraits>,
): (place: ChannelAddress) => readonly string[] {
  const read = path === undefined ? null : Sources.safeParse(jsonIn(path))
  const hooks = Object.entries(read?.data?.hooks ?? {})
  const ofFolders = folders.map(({ name }) => sourceOf('folder', name))
  return (place) => [
    ...hooks.flatMap(([name, { channels }]) => (isAmong(channels, place) ? [name] : [])),
    ...(traitsIn(place.workspace).tellsEvents === true ? placeSources : []),
    ...ofFolders,
  ]
}
