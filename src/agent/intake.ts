import { cleanTexts } from './domain/clean-text.ts'
import { InboundEvent, messageIn } from './domain/event.ts'
import type { ProfileIn } from './domain/profile.ts'
import type { Standing } from './domain/words.ts'
import type { Intake, IntakeResult } from './ports/channel.ts'
import type { Log } from './ports/log.ts'
import type { Rates } from './ports/rates.ts'
import type { Inbox } from './ports/store.ts'
import type { Wakeups } from './ports/wakeups.ts'

export interface Access {
  /** Empty: everybody. */
  users: readonly string[]
  /** Empty: everywhere. */
  channels: readonly string[]
  /** Channels in which guests and people of other companies may do what members may (S35). */
  outsiders: readonly string[]
  /** Profiles of channels, which outweigh the rest (C672); none where it is left out. */
  profileIn?: ProfileIn
  /** People who are told what is wrong with a profile. */
  admins?: readonly string[]
}

export interface IntakeDeps {
  inbox: Inbox
  /** A wake that fails is made up for by the sweep. */
  wakeups: Pick<Wakeups, 'wake'>
  log: Log
  access: Access
  rates: Rates
  /** Messages that one person may send in a minute (S8); 0: any number. */
  messagesPerMinute: number
  defaults: { locale: string; timeZone: string }
}

/**
 * The way in: is it for us, is it allowed, then one durable write; only then does the caller
 * acknowledge (rule 1, P4).
 *
 * Contract: resolves when the event is stored or deliberately not taken; throws when the store
 * could not write, and the platform then sends the event again. An event that was stored before is
 * woken for again: the first wake may be lost.
 */
export function createIntake(deps: IntakeDeps): Intake {
  return async (given) => {
    // People's words, names and files come in here, from every platform (P17).
    const parsed = InboundEvent.parse(cleanTexts(given))
    const by = standingIn(deps.access, parsed.whose.by, parsed.channel)
    const event = { ...parsed, whose: { ...parsed.whose, by } }
    const refusal = await whyNot(deps, event)
    if (refusal !== null) {
      deps.log.debug(
        { workspace: event.workspace, channel: event.channel, refusal },
        'an event is not taken',
      )
      const { author, channel } = event
      const isTold = author.operator === true || deps.access.admins?.includes(author.id) === true
      const fault = isTold ? deps.access.profileIn?.(channel)?.fault : undefined
      return { kind: 'ignored', reason: refusal, fault }
    }
    const { kind, entry, conversationId } = await accept(deps, event)
    await deps.wakeups.wake({
      kind: 'conversation',
      workspace: event.workspace,
      id: conversationId,
    })
    return { kind, conversationId, messageId: entry.messageId, entryId: entry.id }
  }
}

/**
 * C78: an edit that adds a mention to a message that was nothing to Clew is the message itself,
 * said now.
 */
async function accept(
  { inbox, defaults }: IntakeDeps,
  event: InboundEvent,
): ReturnType<Inbox['accept']> {
  const content = messageIn(event.content)
  if (event.content.kind !== 'edited' || content === null)
    return await inbox.accept(event, defaults)
  const said = await inbox.accept({ ...event, keys: [event.content.key], content }, defaults)
  return said.kind === 'accepted' ? said : await inbox.accept(event, defaults)
}

type Content = InboundEvent['content']
type Refusal = Extract<IntakeResult, { kind: 'ignored' }>['reason']

async function whyNot(deps: IntakeDeps, event: InboundEvent): Promise<Refusal | null> {
  if (event.author.bot) return 'bot'
  const { content } = event
  if (content.kind === 'message') {
    if (!content.addressed && (await deps.inbox.knows(event)) === null) return 'not_addressed'
    if (!content.addressed && saysNothing(content)) return 'empty'
  }
  const isChange = content.kind === 'edited' || content.kind === 'deleted'
  if (isChange && messageIn(content) === null && (await deps.inbox.knows(event)) === null)
    return 'not_addressed'
  // Whose it was is not always told; that it is gone says nothing to Clew.
  const isOurs = content.kind === 'deleted' || content.kind === 'ask_again'
  const isOperator = event.author.operator === true
  if (!isOurs && isStranger(event.whose.by))
    return event.whose.by === 'unknown' ? 'not_known' : 'outsider'
  if (!isOurs && deps.access.profileIn?.(event.channel)?.closed) return 'closed'
  if (!isOurs && !isOperator && !isAllowed(deps.access, event.author.id, event.channel))
    return 'not_allowed'
  if (content.kind !== 'message' || deps.messagesPerMinute === 0) return null
  const { workspace, author, at, keys } = event
  const said = {
    workspace,
    who: author.id,
    key: keys[0] ?? '',
    at,
    perMinute: deps.messagesPerMinute,
  }
  return (await deps.rates.take(said)) ? null : 'too_many'
}

/**
 * S35: returns a person's standing in a channel. Guests and outsiders are members where they are
 * let in.
 */
export const standingIn = (
  { outsiders, profileIn }: Access,
  by: Standing,
  channel: string,
): Standing => {
  const areIn = profileIn?.(channel)?.outsiders ?? outsiders.includes(channel)
  return isStranger(by) && areIn ? 'member' : by
}

/**
 * Guests of a workspace, people of other companies or without the members' role, and who may be one
 * of them.
 */
const isStranger = (by: Standing) => ['guest', 'outsider', 'unknown'].includes(by)

const saysNothing = ({ text, files, shared }: Extract<Content, { kind: 'message' }>) =>
  text.trim() === '' && files === undefined && shared === undefined

/** @param channel null: anywhere. */
export function isAllowed(
  { users, channels, profileIn }: Access,
  person: string,
  channel: string | null,
): boolean {
  const people = channel === null ? undefined : profileIn?.(channel)?.people
  if (people !== undefined) return people.includes('*') || people.includes(person)
  const isThere = channel === null || channels.length === 0 || channels.includes(channel)
  return isThere && (users.length === 0 || users.includes(person))
}
