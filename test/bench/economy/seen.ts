import type { Request } from './meter.ts'
import { slugOf } from './world.ts'

export interface Call {
  tool: string
  input: string
}

/** What a reader of one request can know; nothing else is known to the player. */
export interface Seen {
  text: string
  made: readonly (Call & { ok: boolean })[]
  /** The answer to the question; null while there is none. */
  day: string | null
  items: readonly Item[]
}

/** A piece of the job, and its calls that are left to make and can be made now. */
export interface Item {
  text: string
  needsDay: boolean
  open(seen: Seen): Call[]
  isDone(seen: Seen): boolean
  /** What it came to, with all that later work needs. */
  found(seen: Seen): string
}

interface Message {
  role: string
  content?: string | null
  tool_call_id?: string
  tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[]
}

export function read(request: Request): Seen {
  const messages = request.messages as readonly Message[]
  const text = messages
    .map(
      ({ content, tool_calls: calls }) =>
        `${content ?? ''}\n${(calls ?? []).map((one) => inputOf(one)).join('\n')}`,
    )
    .join('\n')
  const goal =
    [...text.matchAll(/^(?: *goal: | *)((?:We look for a place|Put these on the list).*)$/gm)].at(
      0,
    )?.[1] ?? ''
  const made = [...inWords(text), ...inMessages(messages)]
  const day = /^ *(?:text: )?(2026-05-\d\d)$/m.exec(text)?.[1] ?? null
  return { text, made, day, items: itemsOf(goal) }
}

const inputOf = (call: { function: { arguments: string } }): string => {
  const { input } = JSON.parse(call.function.arguments) as { input?: string }
  return input ?? call.function.arguments
}

function inWords(text: string): (Call & { ok: boolean })[] {
  const entries = text.matchAll(
    /A tool call (succeeded|failed)\.\n<data from="tool">\ntool: (\w+)\ninput: (.*)\n/g,
  )
  return Array.from(entries, ([, outcome, tool = '', input = '']) => ({
    tool,
    input,
    ok: outcome === 'succeeded',
  }))
}

function inMessages(messages: readonly Message[]): (Call & { ok: boolean })[] {
  const results = new Map(messages.map(({ tool_call_id: id, content }) => [id, content ?? '']))
  return messages.flatMap(({ tool_calls: calls = [] }) =>
    (calls ?? []).map((call) => ({
      tool: call.function.name,
      input: inputOf(call),
      ok: !/^(?:Error: |\[step \d+\] (?:failed|not made))/.test(results.get(call.id) ?? ''),
    })),
  )
}

function itemsOf(goal: string): Item[] {
  const places = /costs at these places: (.*?)\./.exec(goal)?.[1]?.split(', ')
  return places === undefined ? choresOf(goal) : placesOf(places)
}

const placesOf = (places: string[]): Item[] => {
  const size = Math.ceil(places.length / 3)
  const groups = Array.from({ length: Math.ceil(places.length / size) }, (_, at) =>
    places.slice(at * size, at * size + size),
  )
  const cheapest = (seen: Seen) =>
    [...places].sort(
      (a, b) =>
        Number(priceIn(seen, a).replace(',', '')) - Number(priceIn(seen, b).replace(',', '')),
    )[0]
  return [
    ...groups.map(
      (group): Item => ({
        text: `Find out what a day costs at ${group.join(', ')}`,
        needsDay: false,
        open: (seen) => group.flatMap((place) => lookFor(seen, place)),
        isDone: (seen) => group.every((place) => priceIn(seen, place) !== ''),
        found: (seen) => group.map((place) => factsOf(seen, place)).join('\n'),
      }),
    ),
    {
      text: 'Put a to-do to call each place on the list',
      needsDay: true,
      open: (seen) =>
        places.flatMap((place) =>
          priceIn(seen, place) === '' || wasPut(seen, `Call ${place}`)
            ? []
            : [todo(`Call ${place} (${priceIn(seen, place)} EUR a day)`, '2026-05-13 09:00')],
        ),
      isDone: (seen) => places.every((place) => wasPut(seen, `Call ${place}`)),
      found: (seen) => places.map((place) => putNote(seen, `Call ${place}`)).join('\n'),
    },
    {
      text: 'Put the offsite at the cheapest place into the schedule',
      needsDay: true,
      open: (seen) => {
        if (places.some((place) => priceIn(seen, place) === '') || wasBooked(seen)) return []
        return [
          { tool: 'schedule', input: `add ${seen.day} 09:00 Offsite at ${cheapest(seen)} --note` },
        ]
      },
      isDone: wasBooked,
      found: (seen) =>
        wasBooked(seen)
          ? `The offsite at ${cheapest(seen)} is in the schedule for ${seen.day}, 09:00.`
          : 'The offsite has no entry yet.',
    },
  ]
}

const choresOf = (goal: string): Item[] => {
  const chores = Array.from(goal.matchAll(/“(.*?)”/g), ([, one = '']) => one)
  const isListed = (seen: Seen) =>
    seen.made.some(({ tool, input, ok }) => ok && tool === 'todo' && input === 'list') ||
    seen.text.includes('The list was looked at')
  const areThere = (seen: Seen) => chores.every((one) => wasPut(seen, one))
  return [
    {
      text: 'Put the to-dos on the list',
      needsDay: true,
      open: (seen) =>
        chores.flatMap((one, at) => {
          if (wasPut(seen, one)) return []
          // The third is tried in a way that is refused, until that is known.
          const isOdd =
            at === 2 &&
            !seen.text.includes(`${one}" --remind`) &&
            !seen.text.includes(`${one}; a reminder`)
          return [
            isOdd
              ? { tool: 'todo', input: `add "${one}" --remind ${seen.day} 08:00` }
              : todo(one, `${seen.day} 09:00`),
          ]
        }),
      isDone: areThere,
      found: (seen) => chores.map((one) => putNote(seen, one)).join('\n'),
    },
    {
      text: 'Look at the list',
      needsDay: true,
      open: (seen) => (areThere(seen) && !isListed(seen) ? [{ tool: 'todo', input: 'list' }] : []),
      isDone: isListed,
      found: (seen) =>
        isListed(seen)
          ? 'The list was looked at: everything that was asked for is on it.'
          : 'The list is to be looked at.',
    },
  ]
}

const todo = (text: string, due: string): Call => ({
  tool: 'todo',
  input: `add "${text}" --due ${due}`,
})

/** A place is searched for, then its pages are read until one has the price. */
function lookFor(seen: Seen, place: string): Call[] {
  if (priceIn(seen, place) !== '') return []
  const addresses = [
    ...new Set(seen.text.match(new RegExp(`https://${slugOf(place)}\\.example/\\w+`, 'g')) ?? []),
  ]
  if (addresses.length === 0)
    return [{ tool: 'internet_search', input: `${place} price of a day for groups` }]
  const failed = seen.made.filter(({ ok }) => !ok).map(({ input }) => input)
  const next = addresses.find(
    (one) => !failed.includes(one) && !seen.text.includes(`${one} cannot be read`),
  )
  return next === undefined ? [] : [{ tool: 'fetch_web', input: next }]
}

const priceIn = ({ text }: Seen, place: string): string =>
  new RegExp(`(\\d[\\d,]*) EUR at ${place}`).exec(text)?.[1] ?? ''

function factsOf(seen: Seen, place: string): string {
  const price = priceIn(seen, place)
  const pages = [
    ...new Set(seen.text.match(new RegExp(`https://${slugOf(place)}\\.example/\\w+`, 'g')) ?? []),
  ]
  const failed = pages.filter((one) => seen.made.some(({ input, ok }) => input === one && !ok))
  const missing = failed.map((one) => `; ${one} cannot be read`)
  if (price === '') return `${place}: no price yet, pages ${pages.join(' ')}${missing.join('')}`
  return `${place}: ${price} EUR at ${place} for a day for forty people, with lunch, coffee and the large room${missing.join('')}`
}

const wasPut = ({ made, text }: Seen, name: string): boolean =>
  made.some(({ tool, input, ok }) => ok && tool === 'todo' && input.startsWith(`add "${name}`)) ||
  text.includes(`On the list: ${name}.`) ||
  new RegExp(`Added \\*\\*#\\d+\\*\\* ${name}`).test(text)

function putNote(seen: Seen, name: string): string {
  if (wasPut(seen, name)) return `On the list: ${name}.`
  const wasRefused = seen.text.includes(`${name}" --remind`)
  return `Not on the list yet: ${name}${wasRefused ? '; a reminder needs a due time' : ''}.`
}

const wasBooked = ({ made, text }: Seen): boolean =>
  made.some(({ tool, ok }) => ok && tool === 'schedule') || text.includes('is in the schedule for')
