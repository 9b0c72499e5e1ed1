import { Routes } from 'discord.js'
import { z } from 'zod'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import { present } from '../../agent/domain/present.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { texts } from '../../locales/texts.ts'
import type { NotSent } from '../channel-kit/send-outcomes.ts'
import type { Private } from '../channel-kit/sender.ts'
import { shortened } from '../text.ts'
import type { File } from './api.ts'
import type { Discord } from './context.ts'
import { workspaceOf } from './deps.ts'
import { limits } from './limits.ts'
import { fileFrom } from './parts.ts'
import { post } from './post.ts'
import { alone, nonceOf, offersOf, opinionRow, plain, whispered } from './render.ts'

const Token = z.object({ token: z.string(), until: z.number() })
const tokenKey = (conversationId: string, personId: string) => `token:${conversationId}:${personId}`

/**
 * Stores the token of a person's interaction in a conversation, so that the answer can be private.
 */
export async function noteToken(
  { deps: { clock, notes } }: Discord,
  place: { workspace: string; conversationId: string; personId: string; token: string },
): Promise<void> {
  const { workspace, conversationId, personId, token } = place
  const note = JSON.stringify({ token, until: clock.now() + limits.tokenMs })
  await notes.put(workspace, tokenKey(conversationId, personId), note, limits.tokenMs)
}

/** Opens the direct messages of a person with Clew. */
export async function openDirect(
  discord: Discord,
  to: string,
): Promise<{ kind: 'ready'; where: string } | NotSent> {
  if (!/^\d{15,20}$/.test(to)) return { kind: 'refused', reason: 'nobody of this name' }
  const opened = await discord.api.call('POST', Routes.userChannels(), {
    body: { recipient_id: to },
  })
  if (opened.kind !== 'ok') return opened
  const channel = discord.directory.keep(opened.value)
  return channel === null ? { kind: 'unknown' } : { kind: 'ready', where: channel.id }
}

/**
 * Sends a line to one person: below their last interaction while its token is valid (15 minutes),
 * else as a direct message. `refused`: neither works.
 */
export async function whisper(
  discord: Discord,
  { id, body: { to, file, offers = [], asks } }: Private,
  conversation: Conversation,
  text: string,
): Promise<Sent> {
  const files = file === undefined ? [] : [fileFrom(file)]
  const words = texts(conversation.locale)
  const buttons = asks === undefined ? offersOf(offers, alone) : [opinionRow(asks, words)]
  const { clock, notes } = discord.deps
  const self = discord.self()
  const raw = await notes.get(conversation.address.workspace, tokenKey(conversation.id, to))
  const token = raw === null ? undefined : Token.safeParse(JSON.parse(raw)).data
  if (token !== undefined && self !== null && token.until > clock.now()) {
    const route = Routes.webhook(self.applicationId, token.token)
    const answer = await discord.api.call('POST', route, {
      body: whispered(text, buttons),
      files,
      auth: false,
    })
    // A follow-up has no nonce, so one that may have arrived is not repeated: it is a courtesy, not
    // a record.
    if (answer.kind === 'later') return answer
    if (answer.kind !== 'refused') return { kind: 'sent', ref: 'whispered' }
    // The result may be ready before the first answer, which a follow-up needs (C157).
    if (clock.now() - (token.until - limits.tokenMs) < limits.answeredMs)
      return { kind: 'later', afterMs: 500 }
  }
  return await directly(discord, to, { text, files }, nonceOf(id, 'private'))
}

/** Sends a direct message. */
export async function directly(
  discord: Discord,
  to: string,
  { text, files = [] }: { text: string; files?: readonly File[] },
  nonce: string,
): Promise<Sent> {
  const opened = await openDirect(discord, to)
  if (opened.kind !== 'ready') return opened
  return await post(
    discord,
    opened.where,
    { ...plain(shortened(text, limits.contentCharacters)), files },
    nonce,
  )
}

/*
 * Home of redirected deliveries. A delivery goes to a person's direct messages if its place no
 * longer accepts messages, but it still belongs to that place. Its buttons work from there only if
 * the place's workspace is stored.
 */

const direct = workspaceOf(null)
const homeKey = (person: string, id: string) => `home:${person}:${id}`

/**
 * Stores the workspace of a delivery's question, run and conversation, before the person can press
 * anything.
 */
export async function noteWorkspace(
  notes: Notes,
  { body, conversationId }: Delivery,
  person: string,
  workspace: string,
): Promise<void> {
  const ids = present([
    conversationId,
    body.kind === 'question' && body.question.id,
    'runId' in body && body.runId,
  ])
  await Promise.all(
    ids.map((id) => notes.put(direct, homeKey(person, id), workspace, limits.noteForMs)),
  )
}

/** Returns the workspace of a question, a run or a conversation that a person acts on. */
export async function workspaceFor(
  notes: Notes,
  { workspace, person }: { workspace: string; person: { id: string } },
  id: string,
): Promise<string> {
  if (workspace !== direct) return workspace
  return (await notes.get(direct, homeKey(person.id, id))) ?? workspace
}
