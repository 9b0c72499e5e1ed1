import { ChannelType } from 'discord.js'
import { z } from 'zod'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { InboundEvent } from '../../agent/domain/event.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { ConversationState } from '../../agent/ports/store.ts'
import type { Discord } from './context.ts'
import { type AnyChannel, isThread } from './directory.ts'
import { limits, timeOf } from './limits.ts'
import { conversationIn } from './tasks.ts'

/** Conversations with an open question in one place, newest first. */
const Asked = z.array(z.object({ workspace: z.string(), conversationId: z.string() }))
type Asked = z.infer<typeof Asked>

/** Most questions from other places that are searched in a person's direct messages. */
const askedMost = 8
const askedKey = (place: string) => `asked:${place}`

/** Stores that a conversation asks in a message, or in a person's direct messages (C340). */
export async function noteAsked(
  notes: Notes,
  { address: { workspace }, id: conversationId }: Conversation,
  at: { workspace: string; place: string },
): Promise<void> {
  const before = await askedAt(notes, at.workspace, at.place)
  const others = before.filter((one) => one.conversationId !== conversationId)
  const asked = [{ workspace, conversationId }, ...others].slice(0, askedMost)
  await notes.put(at.workspace, askedKey(at.place), JSON.stringify(asked), limits.noteForMs)
}

async function askedAt(notes: Notes, workspace: string, place: string): Promise<Asked> {
  const note = await notes.get(workspace, askedKey(place))
  return note === null ? [] : (Asked.safeParse(JSON.parse(note)).data ?? [])
}

/**
 * C340: moves an answer to the conversation that asked. Outside threads, a reply to the question's
 * message is an answer, with or without a mention. So are the exact words of a choice in the direct
 * messages where it was asked. Other messages are unchanged.
 */
export async function asAnswer(
  discord: Discord,
  event: InboundEvent,
  place: AnyChannel,
): Promise<InboundEvent> {
  const { author, content } = event
  if (author.bot || isThread(place) || (content.kind !== 'message' && content.kind !== 'edited'))
    return event
  const isForOthers = content.kind === 'message' && content.forSomeoneElse
  // Without the Message Content Intent, the text of a reply is blank.
  const isEmpty = content.text === '' && !content.files?.length
  const asking = isForOthers || isEmpty ? null : await askingFor(discord, event, place)
  if (asking === null) return event
  const { id, address } = asking.conversation
  const { workspace, channel, thread } = address
  const moved = { ...event, workspace, channel, thread }
  const opened = thread === null ? { ...moved, openedFor: id } : moved
  if (content.kind === 'edited') return { ...opened, content }
  const { namesOthers: _, ...said } = content
  return { ...opened, content: { ...said, addressed: true } }
}

/** Finds the conversation whose question a message replies to, or whose choice it names. */
async function askingFor(
  { deps }: Discord,
  event: InboundEvent,
  place: AnyChannel,
): Promise<ConversationState | null> {
  const { content, workspace } = event
  const state = async (one: Asked[number] | undefined) =>
    one === undefined ? null : await deps.conversations.state(one.workspace, one.conversationId, 0)
  const replied = await repliedTo(deps, event)
  if (replied !== undefined) return await state(replied)
  if (place.type !== ChannelType.DM || content.kind !== 'message') return null
  const elsewhere = await askedAt(deps.notes, workspace, place.id)
  if (elsewhere.length === 0) return null
  // A question of the direct messages themselves comes first.
  const own = await conversationIn({ deps }, workspace, place)
  const here = own === null ? [] : [{ workspace, conversationId: own }]
  for (const one of [...here, ...elsewhere]) {
    const found = await state(one)
    if (found !== null && isChoice(found, content.text)) return found
  }
  return null
}

/**
 * Finds the conversation that asked in the replied-to message. A reply may arrive before that is
 * stored, so this polls until the message is 3 s old.
 */
async function repliedTo(
  { notes, clock }: Discord['deps'],
  { repliesTo, workspace }: InboundEvent,
): Promise<Asked[number] | undefined> {
  const message = repliesTo?.split('/').at(-1)
  if (message === undefined) return undefined
  for (;;) {
    const [asked] = await askedAt(notes, workspace, message)
    if (asked !== undefined || clock.now() - timeOf(message) > limits.askingMs) return asked
    await clock.sleep(limits.askingMs / 10)
  }
}

const bare = (text: string) => text.trim().toLowerCase()
const isChoice = ({ questions }: ConversationState, text: string) =>
  questions[0]?.choices.some((choice) => bare(choice) === bare(text)) ?? false
