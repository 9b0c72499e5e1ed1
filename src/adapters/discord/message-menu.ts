import { ChannelType, InteractionResponseType } from 'discord.js'
import { z } from 'zod'
import { inTime } from '../../agent/deadline.ts'
import type { Shared } from '../../agent/domain/event.ts'
import { type Submitted, submitText } from '../channel-kit/gestures.ts'
import { afterGesture } from '../channel-kit/intake.ts'
import { keepPicked, pickedBy, saidAbout } from '../channel-kit/picked.ts'
import { filesOf } from './content.ts'
import type { Discord } from './context.ts'
import { menus } from './definitions.ts'
import { workspaceOf } from './deps.ts'
import { type AnyChannel, isThread } from './directory.ts'
import { answerFirst, answerPrivately, type DiscordGesture, tell } from './interaction-replies.ts'
import { limits } from './limits.ts'
import { Message } from './message.ts'
import { refOf } from './parse.ts'
import { openDirect } from './private-message.ts'
import { renderPicked } from './render.ts'
import { homeOf } from './tasks.ts'
import { overheardFrom } from './thread-reading.ts'

const Data = z.object({
  type: z.literal(3),
  name: z.string(),
  target_id: z.string(),
  resolved: z.object({ messages: z.record(z.string(), z.unknown()) }),
})

type Menu = z.infer<typeof Data>

/** Parses a choice in a message's menu. Returns `null` for other interactions. */
export const readMenu = (data: unknown): Menu | null => Data.safeParse(data).data ?? null

/**
 * Handles the message menu (C186). "Ask Clew about this" hands a message to Clew in its own thread.
 * "Stop" stops the work there. A person who installed Clew for themselves has both everywhere; in
 * servers without Clew, it works in their direct messages and says so.
 */
export async function chosenOnMessage(gesture: DiscordGesture, menu: Menu): Promise<void> {
  const { discord, words } = gesture
  const id = menu.target_id
  if (menu.name === menus.stop) {
    const said = { way: 'pressed' as const, text: words.said.stop[0] ?? 'stop' }
    return await hand(gesture, submit(gesture, id, said, words.discord.told.cancel))
  }
  const message = Message.safeParse(menu.resolved.messages[id]).data
  if (message === undefined) return await hand(gesture, Promise.resolve(words.discord.notKept))
  const shared = sharedOf(discord, message)
  if (mayAsk(gesture)) return await openForm(gesture, { message: id, shared })
  return await hand(gesture, submit(gesture, id, saidAbout('', shared, words)))
}

/** C303: opens the form about a picked message. */
async function openForm(gesture: DiscordGesture, picked: Parameters<typeof keepPicked>[3]) {
  const { discord, words } = gesture
  const { clock, notes } = discord.deps
  const keeping = keepPicked(notes, gesture, gesture.id, picked).then(() => true)
  const isKept = await inTime(clock, limits.storeMs, keeping)
  if (isKept === null) return await hand(gesture, Promise.resolve(words.discord.notKept))
  const data = renderPicked(gesture.id, words)
  await answerFirst(gesture, { type: InteractionResponseType.Modal, data })
}

/** C303: handles that submitted form. Its words are those of the person who wrote them. */
export const handPicked = (gesture: DiscordGesture, id: string, text: string): Promise<void> =>
  hand(
    gesture,
    pickedBy(gesture.discord.deps.notes, gesture, id).then(async (picked) =>
      picked === null
        ? gesture.words.discord.form.gone
        : await submit(gesture, picked.message, saidAbout(text, picked.shared, gesture.words)),
    ),
  )

/**
 * Stores the request before the first answer, like a press (C157), and tells the person the result.
 * @param line line for the person.
 */
async function hand(gesture: DiscordGesture, line: Promise<string>): Promise<void> {
  const { discord, words } = gesture
  const settled = line.catch(() => words.discord.notKept)
  await inTime(discord.deps.clock, limits.storeMs, settled)
  if (await answerPrivately(gesture)) await tell(gesture, await settled)
}

/** True if the person may ask Clew here. Others are told why not, without a form. */
function mayAsk({ discord, by, person, channelId }: DiscordGesture): boolean {
  const place = discord.directory.known(channelId)
  const home = place === null ? channelId : homeOf(place)
  const { deps } = discord
  return deps.standingIn(by, home) === 'member' && deps.mayUse(person.id, home)
}

/**
 * Hands the request to the core.
 *
 * @param done line for the person; without it, the line says where the task was opened.
 * @returns the line for the person.
 */
async function submit(gesture: DiscordGesture, id: string, said: Submitted, done?: string) {
  const { discord, words } = gesture
  const { deps, directory } = discord
  const place = await directory.find(gesture.channelId)
  if (place === 'away') return words.discord.notKept
  if (!deps.mayUse(gesture.person.id, place === null ? gesture.channelId : homeOf(place)))
    return words.core.notAllowed
  const direct = place !== null || done !== undefined ? null : await directPlace(gesture)
  const target =
    place === null
      ? direct && { place: direct, thread: direct.id }
      : { place, thread: threadOf(place, id) }
  if (target === null) return words.discord.notHere
  const timeZone = await discord.people.zoneOf(gesture.person.id)
  const workspace = place === null ? workspaceOf(null) : gesture.workspace
  const by = { ...gesture, workspace, timeZone: timeZone ?? gesture.timeZone }
  const ref = place === null ? {} : { ref: refOf(place.id, id) }
  const where = { channel: homeOf(target.place), thread: target.thread, ...ref }
  const result = await submitText(discord, by, where, said)
  const link = `https://discord.com/channels/${place?.guild_id ?? '@me'}/${target.thread}`
  const opened = place === null ? words.discord.inDirect(link) : words.discord.openedBelow(link)
  return afterGesture(result, words, '') ?? done ?? opened
}

/** Converts the picked message, which keeps its author (S34). */
function sharedOf(discord: Discord, message: Message): Shared {
  const { author, text } = overheardFrom(discord, message)
  const files = filesOf(message)
  return { author: author?.name ?? 'Clew', text, files: files.length === 0 ? undefined : files }
}

const threadOf = (place: AnyChannel, id: string) =>
  isThread(place) || place.type === ChannelType.DM ? place.id : id

/**
 * Returns the direct messages of the person as a place to work in, or `null` if they cannot be
 * opened.
 */
export async function directPlace({ discord, person }: DiscordGesture): Promise<AnyChannel | null> {
  const opened = await openDirect(discord, person.id)
  return opened.kind === 'ready' ? discord.directory.known(opened.where) : null
}
