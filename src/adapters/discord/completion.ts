import { InteractionResponseType } from 'discord.js'
import { texts } from '../../locales/texts.ts'
import { inTime } from '../channel-kit/in-time.ts'
import { answerFirst, type DiscordGesture } from './answers.ts'
import type { Discord } from './context.ts'
import { limits } from './limits.ts'
import type { Chosen } from './lines.ts'
import { shortened } from './render.ts'
import { homeOf, taskActions, tasksIn } from './tasks.ts'

interface Choice {
  name: string
  value: string
}

/** How long a list may take: what comes later than Discord waits is of no use. */
const withinMs = 2_000

/** Completes ids, tags and zones while they are typed. What cannot be looked up in time completes nothing. */
export function createCompletion(
  discord: Discord,
  read: (data: unknown) => (Chosen & { focused: string | null }) | null,
) {
  const { deps } = discord

  async function choicesFor(gesture: DiscordGesture): Promise<Choice[]> {
    const chosen = read(gesture.data)
    if (chosen === null || chosen.focused === null) return []
    const typed = String(chosen.values[chosen.focused] ?? '').toLowerCase()
    if (chosen.focused === 'zone') return zones(typed)
    const place = await discord.directory.find(gesture.channelId)
    if (place === null || place === 'away' || !deps.mayUse(gesture.person.id, homeOf(place))) return []
    if (chosen.name === 'task') {
      const { discord: words } = texts(gesture.locale)
      const tasks = await tasksIn(discord, gesture.workspace, place)
      return tasks
        .filter((run) => taskActions[chosen.sub ?? '']?.(run))
        .map(({ id, title, status }) => ({ name: `${title} · ${words.status[status]}`, value: id }))
        .filter(({ name }) => name.toLowerCase().includes(typed))
    }
    const list = deps.lists[chosen.name === 'view' ? 'todo' : chosen.name]
    if (list === undefined) return []
    const rows = await list({ workspace: gesture.workspace, channel: homeOf(place), person: gesture.person })
    if (chosen.focused === 'tag')
      return tagsOf(
        rows.flatMap(({ tag }) => tag ?? []),
        typed,
      )
    return rows
      .map(({ id, label }) => ({ name: `#${id} ${label}`, value: String(id) }))
      .filter(({ name, value }) => value.startsWith(typed.replace('#', '')) || name.toLowerCase().includes(typed))
  }

  return async function complete(gesture: DiscordGesture): Promise<void> {
    const found = choicesFor(gesture).catch((error: unknown) => {
      deps.log.debug({ err: error }, 'nothing could be completed')
      return []
    })
    const choices = (await inTime(deps.clock, withinMs, found)) ?? []
    const shown = choices
      .slice(0, limits.choices)
      .map(({ name, value }) => ({ name: shortened(name, limits.choiceCharacters), value }))
    await answerFirst(discord, gesture, {
      type: InteractionResponseType.ApplicationCommandAutocompleteResult,
      data: { choices: shown },
    })
  }
}

const tagsOf = (tags: readonly string[], typed: string): Choice[] =>
  [...new Set(tags)]
    .filter((tag) => tag.includes(typed))
    .toSorted()
    .map((tag) => ({ name: tag, value: tag }))

const allZones = Intl.supportedValuesOf('timeZone')

/** Zones in which the words occur; their cities are what people type. */
function zones(typed: string): Choice[] {
  const wanted = typed.trim().replaceAll(' ', '_')
  const found = allZones.filter((zone) => zone.toLowerCase().includes(wanted))
  const begins = (zone: string) => (zone.toLowerCase().split('/').at(-1)?.startsWith(wanted) ? 0 : 1)
  return found.toSorted((a, b) => begins(a) - begins(b)).map((zone) => ({ name: zone, value: zone }))
}
