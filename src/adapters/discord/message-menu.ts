import { ChannelType } from 'discord.js'
import { z } from 'zod'
import type { Shared } from '../../agent/domain/event.ts'
import { submitText } from '../channel-kit/gestures.ts'
import { afterGesture } from '../channel-kit/intake.ts'
import { inTime } from '../channel-kit/patience.ts'
import { filesOf } from './content.ts'
import type { Discord } from './context.ts'
import { menus } from './definitions.ts'
import { workspaceOf } from './deps.ts'
import { type AnyChannel, isThread } from './directory.ts'
import { answerPrivately, type DiscordGesture, tell } from './interaction-replies.ts'
import { limits } from './limits.ts'
import { Message } from './message.ts'
import { refOf } from './parse.ts'
import { openDirect } from './private-message.ts'
import { homeOf } from './tasks.ts'
import { overheardFrom } from './thread-reading.ts'

const Data = z.object({
  type: z.literal(3),
  name: z.string(),
  target_id: z.string(),
  resolved: z.object({ messages: z.record(z.string(), z.unknown()) }),
})

type Menu = z.infer<typeof Data>

/** A message on which somebody chose something in its menu; null for any other gesture. */
export const readMenu = (data: unknown): Menu | null => Data.safeParse(data).data ?? null

/**
 * C186: "Ask Clew about this" hands a message to Clew in its own thread; "Stop" stops what goes on there. A person who installed
 * Clew for themselves has both everywhere; where Clew is not, it works in their direct messages, and says so. As a press, it is
 * stored before Discord hears that it was taken (C157).
 */
export async function chosenOnMessage(gesture: DiscordGesture, menu: Menu): Promise<void> {
  const settled = handOver(gesture, menu).catch(() => gesture.words.discord.notKept)
  await inTime(gesture.discord.deps.clock, limits.storeMs, settled)
  if (await answerPrivately(gesture)) await tell(gesture, await settled)
}

/** @returns what the person is told. */
async function handOver(gesture: DiscordGesture, { name, target_id: id, resolved }: Menu) {
  const { discord, words } = gesture
  const { deps, directory } = discord
  const stops = name === menus.stop
  const message = Message.safeParse(resolved.messages[id]).data
  const place = await directory.find(gesture.channelId)
  if (place === 'away' || message === undefined) return words.discord.notKept
  if (!deps.mayUse(gesture.person.id, place === null ? gesture.channelId : homeOf(place)))
    return words.core.notAllowed
  const direct = place !== null || stops ? null : await directPlace(gesture)
  const target =
    place === null
      ? direct && { place: direct, thread: direct.id }
      : { place, thread: threadOf(place, id) }
  if (target === null) return words.discord.notHere
  const said = stops
    ? { way: 'pressed' as const, text: words.said.stop[0] ?? 'stop' }
    : {
        way: 'handed_over' as const,
        text: words.core.handedOver,
        shared: [sharedOf(discord, message)],
      }
  const timeZone = await discord.people.zoneOf(gesture.person.id)
  const workspace = place === null ? workspaceOf(null) : gesture.workspace
  const by = { ...gesture, workspace, ...(timeZone === null ? {} : { timeZone }) }
  const ref = place === null ? {} : { ref: refOf(place.id, id) }
  const result = await submitText(
    discord,
    by,
    { channel: homeOf(target.place), thread: target.thread, ...ref },
    said,
  )
  const link = `https://discord.com/channels/${place?.guild_id ?? '@me'}/${target.thread}`
  const opened = place === null ? words.discord.inDirect(link) : words.discord.openedBelow(link)
  return afterGesture(result, words, '') ?? (stops ? words.discord.told.cancel : opened)
}

/** The other person's message stays theirs (S34). */
function sharedOf(discord: Discord, message: Message): Shared {
  const { author, text } = overheardFrom(discord, message)
  const files = filesOf(message)
  return { author: author?.name ?? 'Clew', text, ...(files.length === 0 ? {} : { files }) }
}

const threadOf = (place: AnyChannel, id: string): string =>
  isThread(place) || place.type === ChannelType.DM ? place.id : id

/** Direct messages of who made a gesture, to work in; null where they cannot be opened. */
export async function directPlace({ discord, person }: DiscordGesture): Promise<AnyChannel | null> {
  const opened = await openDirect(discord, person.id)
  return opened.kind === 'ready' ? discord.directory.known(opened.where) : null
}
