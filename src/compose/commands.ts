import { readTemplates, templatesIn } from '../adapters/home/templates.ts'
import type { Command } from '../agent/commands/command.ts'
import { createOwnCommands, type OwnCommandDeps } from '../agent/commands/own-commands.ts'
import { type Commands, createCommands } from '../agent/commands/registry.ts'
import { scopeBy } from '../agent/commands/scope.ts'
import { runStrategies } from '../agent/domain/schedule.ts'
import type { ChannelTraits } from '../agent/ports/channel.ts'
import type { Store } from '../agent/ports/store.ts'
import type { Tool } from '../agent/ports/tool.ts'
import type { QuietStore } from '../agent/quiet-hours.ts'
import { wakingSchedules, wakingTodos } from '../agent/schedules/wake-on-write.ts'
import type { PersonalSignIns } from '../agent/sign-ins.ts'
import { type Config, hasCoding } from '../config.ts'
import { sourcesOf } from './connectors.ts'

/**
 * Use cases for to-dos, schedules and facts, shared by commands, tools and the page. Their writes
 * wake the worker that has the alarms.
 */
export type RecordDeps = Pick<OwnCommandDeps, 'todos' | 'schedules' | 'memory'>

/**
 * Builds the use cases.
 *
 * @param ofTeam returns the team's tools, which a person may allow a schedule to use.
 */
export function workOf(
  config: Config,
  store: Store,
  waking: Parameters<typeof wakingSchedules>[1],
  ofTeam: () => readonly Tool[],
  traitsIn: (workspace: string) => Partial<ChannelTraits>,
): RecordDeps {
  const scopeOf = scopeBy(config.TODO_SCOPE)
  return {
    todos: { todos: wakingTodos(store.todos, waking), scopeOf, people: store.privacy.people },
    schedules: {
      schedules: wakingSchedules(store.schedules, waking),
      runs: store.runs,
      scopeOf,
      sourcesIn: sourcesOf(config, traitsIn),
      events: store.events,
      ways: runStrategies.filter((strategy) => strategy !== 'coding' || hasCoding(config)),
      startsTasks:
        config.AGENT_LOOP_ENABLED && config.AGENT_ALLOWED_RUN_TYPES.includes('agent_task'),
      get allowable() {
        return [
          'todo',
          ...ofTeam().flatMap(({ name, effect }) => (effect === 'none' ? [] : [name])),
        ]
      },
    },
    memory: {
      memories: store.memories,
      proposalMs: config.MEMORY_PROPOSAL_DAYS * 24 * 60 * 60 * 1000,
    },
  }
}

interface CommandParts {
  work: RecordDeps
  store: Store
  quiet: QuietStore
  heldIn: OwnCommandDeps['about']['heldIn']
  signIns?: PersonalSignIns | null
  prompts?: OwnCommandDeps['tasks']['prompts']
  outside?: readonly Command[]
}

/** Commands that people can call by name, in every channel. */
export function commandsOf(
  { AGENT_HOME: home, ADMIN_USERS: admins }: Pick<Config, 'AGENT_HOME' | 'ADMIN_USERS'>,
  { work, store, quiet, heldIn, signIns = null, prompts, outside = [] }: CommandParts,
  traitsIn: (workspace: string) => Partial<ChannelTraits>,
): Commands {
  const tasks = { ...store, prompts, templates: async () => await templatesOf(home) }
  const own = createOwnCommands({
    ...work,
    tasks,
    privacy: { privacy: store.privacy, admins, notes: store.notes, audit: store.audit },
    quiet,
    about: { heldIn, admins },
    approvals: { approvals: store.approvals, admins },
    signIns: { signIns, admins },
    audit: store,
  })
  return createCommands([...own, ...outside], { traitsIn, notes: store.notes })
}

/**
 * Templates as they are now. Every process reads them: one that only serves a platform needs them
 * for its commands.
 */
async function templatesOf(home: string | undefined) {
  return home === undefined ? [] : (await readTemplates(await templatesIn(home))).templates
}
