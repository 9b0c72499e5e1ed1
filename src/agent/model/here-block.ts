import type { Installation, Place, TaskInput, ToolCard } from '../contracts/input.ts'
import { memoized } from '../domain/memoized.ts'
import { present } from '../domain/present.ts'
import { clean, fence } from './fence.ts'

/** Characters of a line, and of all lines of a block together: about 700 tokens (C148). */
const lineMost = 120
const blockMost = 3_000

/**
 * Returns the part of the prompt about commands and folders; it is the same in every request. Tools
 * follow it: as lines for a Decision, in full for the work. Memoized: every request describes the
 * same installation.
 */
export const installationText = memoized((installation: Installation): string => {
  const commands = installation.commands.map(({ name, summary }) => line(`/${name}`, summary))
  const folders = installation.folders.map((name) => brief(name))
  return present([
    'What can be done in this installation is what is listed here as commands, folders, tools, run types and skills. Offer, suggest \
and promise nothing else; of other things say plainly that they are not set up here.',
    ...(commands.length === 0 ? [] : ['Commands that people can type:', ...fitting(commands)]),
    folders.length > 0 && `Folders that can be searched: ${fitting(folders).join(', ')}`,
  ]).join('\n')
}, new WeakMap())

/**
 * The tools that the work has, a line each; of a server's, which speaks for itself, only the names
 * (S4).
 */
export function toolLines(cards: readonly ToolCard[] | undefined): string | null {
  if (cards === undefined || cards.length === 0) return null
  const own = cards.filter(({ origin }) => origin === undefined)
  const servers = Map.groupBy(cards, ({ origin }) => origin?.server ?? '')
  servers.delete('')
  const foreign = [...servers].map(([server, tools]) =>
    brief(`- server ${server}, ${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`),
  )
  const lines = own.map(toolLine)
  return ['Tools that the work has:', ...fitting([...lines, ...foreign])].join('\n')
}

/**
 * Where a message was written, beside its text; a thread that is called as its message says nothing
 * new.
 */
export function placeOf(place: Place | undefined, text: string) {
  if (place === undefined) return {}
  const { platform, channel, thread } = place
  const isNew = thread !== '' && !text.includes(thread.replace(/…$/, ''))
  return {
    where: brief(channel === null ? platform : `${channel} on ${platform}`),
    thread: isNew ? brief(thread) : null,
  }
}

/** Returns the person who asked for a task, and the place; null if unknown. */
export function askedAt({ asker = null, place, goal }: TaskInput): string | null {
  if (place === undefined) return null
  return `Asked for:\n${fence('person', { by: asker && brief(asker), ...placeOf(place, goal) })}`
}

const toolLine = memoized(
  ({ name, description }: ToolCard) => line(name, firstSentence(description)),
  new WeakMap(),
)
const line = (name: string, text: string) => brief(`- ${name}: ${text}`)
const firstSentence = (text: string) => text.split(/(?<=[.!?]) |\n/, 1)[0] ?? ''

function brief(text: string): string {
  const letters = Array.from(clean(text).replaceAll('\n', ' '))
  return letters.length <= lineMost
    ? letters.join('')
    : `${letters.slice(0, lineMost - 1).join('')}…`
}

/** As many lines as there is room for, and how many more there are. */
function fitting(all: readonly string[]): string[] {
  let room = blockMost
  const shown = all.filter((one) => {
    room -= one.length + 1
    return room >= 0
  })
  return shown.length === all.length ? shown : [...shown, `(and ${all.length - shown.length} more)`]
}
