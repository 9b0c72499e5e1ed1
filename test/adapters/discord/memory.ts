import type { DiscordDeps } from '../../../src/adapters/discord/deps.ts'
import { scopeBy } from '../../../src/agent/commands/scope.ts'
import type { Clock } from '../../../src/agent/ports/clock.ts'
import type { Notes } from '../../../src/agent/ports/notes.ts'
import type { FakeDiscord } from '../../fakes/discord/server.ts'
import { noDocuments } from '../../fakes/documents.ts'
import { silent } from '../../support/silent.ts'

/** What the adapter keeps, in memory; it outlives an adapter as the store does. */
export function createMemory(): Notes & { notes: Map<string, string> } {
  const notes = new Map<string, string>()
  const keyOf = (workspace: string, key: string) => `${workspace} ${key}`
  return {
    notes,
    get: async (workspace, key) => notes.get(keyOf(workspace, key)) ?? null,
    async put(workspace, key, value) {
      notes.set(keyOf(workspace, key), value)
    },
    async claim(workspace, key) {
      const isFirst = !notes.has(keyOf(workspace, key))
      notes.set(keyOf(workspace, key), '1')
      return isFirst
    },
    async drop(workspace, key) {
      notes.delete(keyOf(workspace, key))
    },
  }
}

/** The adapter's needs, with a store that holds nothing but its notes. */
export function depsFor(
  discord: FakeDiscord,
  notes: Notes,
  clock: Clock,
  part: Partial<DiscordDeps> = {},
): DiscordDeps {
  return {
    token: discord.token,
    apiUrl: discord.url,
    guildIds: [],
    share: { index: 0, of: 1 },
    clock,
    log: silent,
    documents: noDocuments,
    notes,
    inbox: { knows: async () => null },
    conversations: {
      state: async () => null,
      question: async () => null,
      list: async () => [],
      markRead: async () => false,
      overheard: async () => [],
    },
    alarms: { workspaces: async () => [] },
    runs: { state: async () => null, list: async () => [] },
    todos: { list: async () => [] },
    schedules: { list: async () => [] },
    scopeOf: scopeBy('channel'),
    endpoint: async () => ({ ok: true, text: 'done' }),
    mayUse: () => true,
    standingIn: (by) => by,
    memberRoles: [],
    happened: async () => 0,
    todoReactions: [],
    linkHosts: [],
    commands: [],
    defaults: { locale: 'en', timeZone: 'UTC' },
    ...part,
  }
}
