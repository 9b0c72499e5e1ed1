import { memoryTable } from '../../../src/agent/commands/memory-table.ts'
import { scheduleTable } from '../../../src/agent/commands/schedule-table.ts'
import { scopeBy } from '../../../src/agent/commands/scope.ts'
import { todoTable } from '../../../src/agent/commands/todo-table.ts'
import type { Tool, ToolResult } from '../../../src/agent/ports/tool.ts'
import { createCommandTool } from '../../../src/agent/tools/command-tool.ts'
import { createFetchTool } from '../../../src/agent/tools/fetch-web.ts'
import { createFilesTool } from '../../../src/agent/tools/files.ts'
import { createSearchTool } from '../../../src/agent/tools/search.ts'
import { commandsOf } from '../../../src/compose/commands.ts'
import { texts } from '../../../src/locales/texts.ts'
import { contextOf } from '../../agent/commands/context.ts'
import { noDocuments } from '../../fakes/documents.ts'
import { createFakeSchedules } from '../../fakes/schedules.ts'
import { createFakeTodos } from '../../fakes/todos.ts'

/** What people ask for, and how it can be seen that it was done. */
export interface Job {
  name: string
  goal: string
  /** What the report has to say. */
  facts: readonly string[]
  todos: number
  schedules: number
}

export const day = '2026-05-14'
const names = [
  'Quinta Verde',
  'Casa Azul',
  'Torre Alta',
  'Monte Claro',
  'Porto Velho',
  'Sol Nascente',
  'Pedra Branca',
  'Lago Fundo',
  'Vale Sereno',
]
export const slugOf = (name: string): string => name.toLowerCase().replace(' ', '-')
const priceOf = (name: string): string =>
  `1,${String(110 + names.indexOf(name) * 37).padStart(3, '0')} EUR`

/** Prices of places from the web, a question, a to-do for each place, an entry in the schedule; one page is not there. */
export const venues = (count: 1 | 3 | 9): Job => {
  const places = count === 1 ? names.slice(1, 2) : names.slice(0, count)
  return {
    name: `prices of ${count} ${count === 1 ? 'place' : 'places'}`,
    goal: `We look for a place for our offsite with forty people. Find out what a day costs at these places: ${places.join(', ')}. Search for each and read its own page. Ask me for the day. Then put a to-do to call each place with its price on the list, due the day before, and put the offsite at the cheapest one into the schedule. Tell me all the prices at the end.`,
    facts: [...places.map((place) => priceOf(place)), day],
    todos: places.length,
    schedules: 1,
  }
}

const chores = [
  'Order the badges',
  'Send the invitations',
  'Book the bus',
  'Ask for allergies',
  'Print the agenda',
  'Reserve the projector',
  'Collect the deposits',
  'Buy the prizes',
  'Write the welcome note',
  'Plan the evening walk',
  'Call the caterer',
  'Check the insurance',
]

/** To-dos one after the other, with a question first; one line is refused for its date. */
export const list = (count: 3 | 8): Job => ({
  name: `${count} to-dos`,
  goal: `Put these on the list, all due on the day of the offsite, for which you have to ask me: ${chores
    .slice(0, count)
    .map((one) => `“${one}”`)
    .join(', ')}. Then look at the list and tell me what is on it.`,
  facts: [...chores.slice(0, count), day],
  todos: count,
  schedules: 0,
})

const prose = [
  'The house stands on a slope above the river and was a winery until the owners turned it into a place for meetings.',
  'From the station it takes twelve minutes by taxi; a shuttle for groups of more than fifteen can be booked two weeks ahead.',
  'Breakfast is served from half past seven in the old press room, with bread from the village and fruit from the garden.',
  'Three rooms have daylight on two sides, a projector, a wall to write on and chairs that can be moved by one person.',
  'In the evening the terrace belongs to the group; music is welcome until eleven because of the neighbours.',
  'Guests who need a quiet room, a step-free way or a kitchen of their own should say so when they book.',
  'The cancellation is free until thirty days before, and half of the sum after that; deposits are returned within a week.',
  'Our cook asks for allergies five days ahead and offers a vegetarian and a vegan menu every day without surcharge.',
  'Walks of one, two and four hours begin behind the chapel and are marked in yellow, blue and red.',
  'The network carries calls for eighty devices; there is a room with a door for those that must not be heard.',
]
export const textOf = (seed: number, characters: number): string => {
  let text = ''
  for (let at = seed; text.length < characters; at += 1 + (at % 3))
    text += `${prose[at % prose.length]} (${(at * 7919) % 997})\n`
  return text.slice(0, characters)
}

/** A page as fetching it gives it: 4,500 to 8,000 characters, the price in the middle. */
function pageOf(url: string): ToolResult {
  const words = texts('en').fetch
  const name = names.find((one) => url.includes(`//${slugOf(one)}.example/`))
  if (name === undefined) return { ok: false, text: words.problems.not_found }
  const at = names.indexOf(name)
  if (at % 4 === 1 && url.endsWith('/meetings'))
    return { ok: false, text: words.problems.status(404) }
  const half = 2_200 + ((at * 911) % 1_700)
  const price = `A day for forty people costs ${priceOf(name)} at ${name}, with lunch, coffee and the large room.`
  return {
    ok: true,
    text: [
      words.page(url),
      `${name} – meetings`,
      textOf(at, half),
      price,
      textOf(at + 5, half),
    ].join('\n'),
  }
}

/** Web results with excerpts as long as a search engine gives them. */
const provider = {
  name: 'Brave',
  setting: 'BRAVE_API_KEY',
  async search({ text }: { text: string }) {
    const name = names.find((one) => text.includes(one)) ?? 'Nowhere'
    const at = names.indexOf(name)
    const hit = (title: string, url: string, nth: number) => ({
      title,
      url,
      snippet: textOf(at + nth, 260),
    })
    return {
      ok: true as const,
      hits: [
        hit(`${name} – meetings and days away`, `https://${slugOf(name)}.example/meetings`, 1),
        hit(`${name} – rooms and rates`, `https://${slugOf(name)}.example/rates`, 2),
        hit(`Guide to places for groups: ${name}`, `https://guide.example/places/${at}`, 3),
      ],
    }
  },
}

/** The tools of an installation with search and web, over a store in memory. */
export function createWorld() {
  const todos = createFakeTodos()
  const schedules = createFakeSchedules()
  const scopeOf = scopeBy('channel')
  const nothing = {} as never
  const commands = commandsOf(
    { AGENT_HOME: undefined, ADMIN_USERS: [] },
    {
      work: { todos: nothing, schedules: nothing, memory: nothing },
      store: nothing,
      quiet: nothing,
      heldIn: nothing,
    },
    () => ({}),
  )
  const pages = createFetchTool({ resolve: async () => [], documents: noDocuments })
  const tools: Tool[] = [
    createCommandTool('todo', todoTable, { todos, scopeOf }),
    createCommandTool('schedule', scheduleTable, {
      schedules,
      runs: nothing,
      scopeOf,
      allowable: [],
      ways: [],
    }),
    createCommandTool('memory', memoryTable, nothing),
    createFilesTool(nothing),
    createSearchTool(provider),
    { ...pages, run: async (input) => pageOf(input) },
  ]
  let effects = 0
  const { workspace, channel } = contextOf()
  return {
    cards: tools.map(({ name, description }) => ({ name, description })),
    /** What every request is told of the installation (C148). */
    installation: {
      commands: commands.all.map(({ name, summary }) => ({ name, summary: summary('en') })),
      folders: [],
    },
    async call(name: string, input: string): Promise<ToolResult> {
      effects += 1
      const context = {
        ...contextOf({ effectId: `x_${effects}` }),
        signal: new AbortController().signal,
      }
      const tool = tools.find((one) => one.name === name)
      return tool === undefined
        ? { ok: false, text: 'there is no such tool' }
        : await tool.run(input, context)
    },
    /** How many to-dos and schedules there are. */
    async held() {
      const scope = `channel:${channel}`
      return {
        todos: todos.rows(workspace, scope).length,
        schedules: (await schedules.list(workspace, scope)).length,
      }
    },
  }
}
