import { InteractionResponseType } from 'discord.js'
import { inTime } from '../../agent/deadline.ts'
import { shortened } from '../text.ts'
import { readChosen } from './chosen-command.ts'
import type { Discord } from './context.ts'
import { answerFirst, type DiscordGesture } from './interaction-replies.ts'
import { limits } from './limits.ts'
import { homeOf, taskActions, tasksIn } from './tasks.ts'

interface Choice {
  name: string
  value: string
}

/** Time limit for a list, in milliseconds. Discord drops a later one. */
const withinMs = 2_000

/** Autocompletes ids, tags and zones. A look-up that takes too long completes nothing. */
export async function complete(gesture: DiscordGesture): Promise<void> {
  const { clock, log } = gesture.discord.deps
  const found = choicesFor(gesture).catch((error: unknown) => {
    log.debug({ err: error }, 'nothing could be completed')
    return []
  })
  const choices = (await inTime(clock, withinMs, found)) ?? []
  const shown = choices
    .slice(0, limits.choices)
    .map(({ name, value }) => ({ name: shortened(name, limits.choiceCharacters), value }))
  await answerFirst(gesture, {
    type: InteractionResponseType.ApplicationCommandAutocompleteResult,
    data: { choices: shown },
  })
}

async function choicesFor(gesture: DiscordGesture): Promise<Choice[]> {
  const { discord, workspace, person, by, channelId, data, words } = gesture
  const chosen = readChosen(data)
  if (chosen === null || chosen.focused === null) return []
  const typed = String(chosen.values[chosen.focused] ?? '').toLowerCase()
  if (chosen.focused === 'zone') return zones(typed)
  const place = await discord.directory.find(channelId)
  if (place === null || place === 'away') return []
  const { mayUse, standingIn } = discord.deps
  const home = homeOf(place)
  if (!mayUse(person.id, home) || standingIn(by, home) !== 'member') return []
  if (chosen.name === 'task') {
    const tasks = await tasksIn(discord, workspace, place)
    return tasks
      .filter((run) => taskActions[chosen.sub ?? '']?.(run))
      .map(({ id, title, status }) => ({
        name: `${title} · ${words.discord.status[status]}`,
        value: id,
      }))
      .filter(({ name }) => name.toLowerCase().includes(typed))
  }
  const rows = await rowsOf(discord, chosen.name, { workspace, channel: homeOf(place), person })
  if (chosen.focused === 'tag') return tagsOf(rows, typed)
  return rows
    .map(({ id, label }) => ({ name: `#${id} ${label}`, value: String(id) }))
    .filter(
      ({ name, value }) =>
        value.startsWith(typed.replace('#', '')) || name.toLowerCase().includes(typed),
    )
}

interface Row {
  id: number
  label: string
  tag?: string
}

/**
 * Lists the items behind a command's ids: to-dos by priority with open ones first, or schedules by
 * their next time.
 */
async function rowsOf(
  { deps: { todos, schedules, scopeOf } }: Discord,
  command: string,
  place: Parameters<typeof scopeOf>[0],
): Promise<Row[]> {
  if (command === 'todo' || command === 'view') {
    const rows = await todos.list(place.workspace, scopeOf(place))
    return rows
      .toSorted(
        (a, b) => Number(a.doneAt !== null) - Number(b.doneAt !== null) || a.priority - b.priority,
      )
      .map(({ id, text, tag }) => ({ id, label: text, tag }))
  }
  if (command !== 'schedule') return []
  const rows = await schedules.list(place.workspace, scopeOf(place))
  return rows
    .toSorted((a, b) => (a.nextAt ?? Infinity) - (b.nextAt ?? Infinity))
    .map(({ id, title }) => ({ id, label: title }))
}

function tagsOf(rows: readonly Row[], typed: string): Choice[] {
  const tags = new Set(rows.flatMap(({ tag }) => (tag?.includes(typed) ? [tag] : [])))
  return [...tags].toSorted().map((tag) => ({ name: tag, value: tag }))
}

const allZones = Intl.supportedValuesOf('timeZone')

/** Finds zones that contain the words. People usually type the city. */
function zones(typed: string): Choice[] {
  const wanted = typed.trim().replaceAll(' ', '_')
  const found = allZones.filter((zone) => zone.toLowerCase().includes(wanted))
  const begins = (zone: string) =>
    zone.toLowerCase().split('/').at(-1)?.startsWith(wanted) ? 0 : 1
  return found
    .toSorted((a, b) => begins(a) - begins(b))
    .map((zone) => ({ name: zone, value: zone }))
}
