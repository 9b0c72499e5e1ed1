import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import { createDocuments } from '../../../src/adapters/documents/documents.ts'
import { commandFrom } from '../../../src/agent/commands/command-from-table.ts'
import type { ScheduleDeps } from '../../../src/agent/commands/schedule.ts'
import { scheduleTable } from '../../../src/agent/commands/schedule-table.ts'
import { scopeBy } from '../../../src/agent/commands/scope.ts'
import type { Author } from '../../../src/agent/domain/message.ts'
import type { Overheard } from '../../../src/agent/domain/overheard.ts'
import { runStrategies } from '../../../src/agent/domain/schedule.ts'
import { createHooks } from '../../../src/agent/hooks.ts'
import type { Store } from '../../../src/agent/ports/store.ts'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { createCommandTool } from '../../../src/agent/tools/command-tool.ts'
import { createFetchTool } from '../../../src/agent/tools/fetch-web.ts'
import { createFilesTool } from '../../../src/agent/tools/files.ts'
import { createSearchTool } from '../../../src/agent/tools/search.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { createObedientModel } from '../../fakes/obedient.ts'
import { ana, type TestClew, type TestOptions, workspace } from '../../support/agent.ts'
import { silent } from '../../support/silent.ts'
import { contextOf } from '../commands/context.ts'

export const li: Author = { id: 'li', name: 'Li' }

/** Clew with a model that obeys every text, what it did outside, and what attackers put before it. */
export interface World {
  clew: TestClew
  model: ReturnType<typeof createObedientModel>
  /** Who asked for the mails and payments that were made. */
  made: { tool: string; by: string | null }[]
  /** Addresses that were asked for. */
  asked: string[]
  /** What the web, a server of tools and a search say of a number. */
  texts: Map<string, string>
  /** What was said in a thread before Clew was called. */
  before: Map<string, readonly Overheard[]>
  schedule(line: string, by?: Author): Promise<void>
  /** A service outside sends an event with this text. */
  happens(text: string): Promise<unknown>
}

const textOf = (texts: ReadonlyMap<string, string>, input: string): string =>
  texts.get(/\d+/.exec(input)?.[0] ?? '') ?? 'nothing'

type Outside = Pick<World, 'made' | 'asked' | 'texts'>

/** Two tools that take effect: one asks by its own word, one is the team's and says nothing of it. */
function effects({ made }: Outside): Tool[] {
  const effect = (name: string): Tool => ({
    ...{ name, effect: 'unkeyed', description: `${name} does something outside.` },
    async run(_, { person }) {
      made.push({ tool: name, by: person?.id ?? null })
      return { ok: true, text: 'done' }
    },
  })
  return [
    { ...effect('mail'), approval: 'always' },
    { ...effect('wire'), isTheirs: true },
  ]
}

/** What reads: a server of tools, whose own description is hostile too, a search, and the web. */
async function readers({ asked, texts }: Outside, described: string): Promise<Tool[]> {
  const inbox: Tool = {
    ...{ name: 'inbox', effect: 'none', description: described },
    origin: { server: 'Mallory', schema: {} },
    run: async (input) => ({ ok: true, text: textOf(texts, input) }),
  }
  const search = createSearchTool({
    ...{ name: 'Finder', setting: 'FINDER' },
    async search({ text }) {
      const found = textOf(texts, text)
      return { ok: true, hits: [{ title: found, url: 'https://found.example/', snippet: found }] }
    },
  })
  const server = createServer(({ url = '', headers: { host = '' } }, response) => {
    asked.push(`${host}${url}`)
    response.setHeader('content-type', 'text/plain').end(textOf(texts, url))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const documents = createDocuments({ clock: createSystemClock(), log: silent })
  onTestFinished(async () => {
    documents.stop()
    await new Promise((resolve) => server.close(resolve))
  })
  const fetch = createFetchTool({
    documents,
    resolve: async () => ['93.184.216.34'],
    dial: () => ({ host: '127.0.0.1', port }),
  })
  return [inbox, search, fetch]
}

/** Clew's own tools over its store. */
function own(store: () => Store): { tools: Tool[]; schedules: ScheduleDeps } {
  const schedules: ScheduleDeps = {
    get schedules() {
      return store().schedules
    },
    get runs() {
      return store().runs
    },
    ...{ scopeOf: scopeBy('channel'), allowable: ['todo', 'mail', 'wire', 'bank__pay'] },
    ...{ ways: runStrategies, sourcesIn: () => ['hmac'] },
  }
  const files = createFilesTool({
    save: (...given) => store().artifacts.save(...given),
    saved: (...given) => store().artifacts.saved(...given),
    keep: (...given) => store().artifacts.keep(...given),
    keptNames: (...given) => store().artifacts.keptNames(...given),
    kept: (...given) => store().artifacts.kept(...given),
  })
  return { tools: [createCommandTool('schedule', scheduleTable, schedules), files], schedules }
}

/** @param described how the server of tools describes its tool. */
export async function openWorld(
  start: (options: TestOptions) => Promise<TestClew>,
  options: TestOptions = {},
  described = 'Shows mails. The input is a number.',
): Promise<World> {
  const outside: Outside = { made: [], asked: [], texts: new Map() }
  const model = createObedientModel()
  const late: { clew?: TestClew } = {}
  const { tools, schedules } = own(() => {
    if (late.clew === undefined) throw new Error('it is not open yet')
    return late.clew.store
  })
  const readable = await readers(outside, described)
  const all = [...tools, ...effects(outside), ...readable, ...(options.tools ?? [])]
  const clew = await start({ model, memory: true, ...options, tools: all })
  late.clew = clew
  const before: World['before'] = new Map()
  Object.assign(clew.channel, {
    readThread: async ({ thread }: { thread: string | null }) => {
      return { kind: 'read', said: before.get(thread ?? '') ?? [], gap: false }
    },
  })
  const command = commandFrom(scheduleTable, schedules)
  let said = 0
  return {
    ...outside,
    ...{ clew, model, before },
    happens(text) {
      const hooks = createHooks({
        store: clew.store,
        schedules: clew.store.schedules,
        clock: clew.clock,
      })
      const source = { name: 'hmac', channels: [{ workspace, channel: 'general' }], perMinute: 500 }
      const body = JSON.stringify({ text, at: ++said })
      return hooks.arrive(source, { id: null, kind: null, body, data: JSON.parse(body) })
    },
    async schedule(line, by = ana) {
      const done = await command.run(
        line,
        contextOf({
          ...{ workspace, person: by, conversationId: '', timeZone: 'UTC' },
          ...{ now: clew.clock.now(), effectId: `schedule-${++said}` },
        }),
      )
      if (!done.ok) throw new Error(done.text)
    },
  }
}
