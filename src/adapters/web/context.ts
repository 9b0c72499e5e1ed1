import type { Context, Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../agent/domain/at-most.ts'
import type { Address, Conversation } from '../../agent/domain/conversation.ts'
import type { InboundEvent } from '../../agent/domain/event.ts'
import type { Author } from '../../agent/domain/message.ts'
import type { Way } from '../../agent/domain/words.ts'
import type { Intake, IntakeResult } from '../../agent/ports/channel.ts'
import { NotWritten } from '../../agent/ports/not-written.ts'
import { languages, type Texts, texts } from '../../locales/texts.ts'
import { speakerOf } from './bodies.ts'
import type { Broadcaster } from './broadcaster.ts'
import { isOnPage, type WebDeps } from './deps.ts'
import { createDoor } from './guard.ts'
import { limits } from './limits.ts'
import { createMembership } from './membership.ts'
import { asOperator } from './operator.ts'
import { type Problem, ProblemError, refuse } from './problems.ts'
import { memberOf, viewerOf } from './viewer.ts'

export interface Gesture extends Pick<InboundEvent, 'keys' | 'author' | 'content'> {
  way: Way
  conversation: ThreadTarget
  locale?: string | undefined
  timeZone?: string | undefined
}

/**
 * Thread that a message is for. `id` is null if there is no thread yet, and Clew's answer opens
 * one.
 */
export type ThreadTarget = { id: string | null } & Pick<Conversation, 'address' | 'locale'>

export type App = Hono
/** Services that the routes share. */
export type Web = ReturnType<typeof createWeb>

export function createWeb(deps: WebDeps, broadcaster: Broadcaster, intake: () => Intake | null) {
  const { clock, log, events } = deps

  /**
   * Tells every tab to fetch a conversation again. It is a hint: if it is lost, the next one does
   * the same.
   */
  async function changed(workspace: string, conversationId: string) {
    try {
      await events.append(null, JSON.stringify({ kind: 'changed', workspace, conversationId }))
    } catch (error) {
      log.warn({ err: error, conversationId }, 'open pages not notified')
    }
  }
  /** Language of the request: from the browser's header, else from the settings. */
  function locale(c: Context) {
    const wanted = c.req.header('accept-language')?.split(/[,;]/, 1)[0]?.trim().toLowerCase() ?? ''
    return languages.find((language) => wanted.startsWith(language)) ?? deps.defaultLocale
  }
  /**
   * Runs work that needs the store. If it throws or times out, the request is refused with
   * `store_unavailable`.
   */
  const reach = <T>(work: () => Promise<T>, withinMs: number = limits.storeMs) =>
    answerOf(work, withinMs, deps)

  return {
    ...deps,
    broadcaster,
    door: createDoor(deps),
    locale,
    words: (c: Context): Texts => texts(locale(c)),
    reach,
    changed,
    /** Places that members see on their platforms. */
    membership: createMembership(deps.members, clock, deps.mayUse),
    /** Addresses of conversations with a thread, by workspace and id. They never change. */
    addresses: new LRUCache<string, Address>(atMost(20_000)),
    /** Passes a gesture to the core and notifies every tab. Resolves once it is durable. */
    async take(gesture: Gesture): Promise<Exclude<IntakeResult, { kind: 'ignored' }>> {
      const handOver = intake() ?? refuse('store_unavailable', { kept: 'nothing' })
      const result = await reach(() => handOver(eventOf(gesture, clock.now())))
      if (result.kind === 'ignored') {
        if (result.reason !== 'closed') return refuse(refusalOf[result.reason])
        const { core } = texts(gesture.locale ?? deps.defaultLocale)
        return refuse('unreadable', { text: core.closed(result.fault ?? null) })
      }
      void changed(gesture.conversation.address.workspace, result.conversationId)
      return result
    },
    /**
     * Author of a request: a member as they signed in, an operator under the name that they give.
     */
    speaker(c: Context, given: Author | undefined): InboundEvent['author'] {
      const member = memberOf(viewerOf(c))
      if (member !== null) return { ...member.person, bot: false }
      return { ...speakerOf(given, texts(locale(c)).page.unnamed), operator: true }
    },
  }
}

/** Answer of the store within its time limit. */
async function answerOf<T>(
  work: () => Promise<T>,
  withinMs: number,
  { clock, log }: WebDeps,
): Promise<T> {
  const done = new AbortController()
  const late = async () => {
    await clock.sleep(withinMs, done.signal)
    throw new Error(`no answer within ${withinMs} ms`)
  }
  try {
    return await Promise.race([work(), late()])
  } catch (error) {
    if (error instanceof ProblemError) throw error
    log.warn({ err: error }, 'store did not answer; request refused')
    return refuse('store_unavailable', {
      kept: error instanceof NotWritten ? 'nothing' : 'perhaps',
    })
  } finally {
    done.abort('done')
  }
}

function eventOf(
  { conversation, locale, timeZone, author: speaker, way, ...said }: Gesture,
  at: number,
): InboundEvent {
  const { id, address } = conversation
  const author = asOperator(speaker, conversation)
  return {
    ...address,
    openedFor: id === null || isOnPage(address.workspace) ? undefined : id,
    at,
    ...said,
    author,
    whose: { way, by: author.operator === true ? 'operator' : 'member' },
    locale,
    timeZone,
  }
}

const refusalOf = {
  bot: 'not_allowed',
  not_addressed: 'not_allowed',
  not_allowed: 'not_allowed',
  outsider: 'not_allowed',
  not_known: 'not_allowed',
  empty: 'empty_text',
  too_many: 'too_many_messages',
} as const satisfies Record<
  Exclude<Extract<IntakeResult, { kind: 'ignored' }>['reason'], 'closed'>,
  Problem['code']
>

/** Refusals of `take`, and of `addressOf` before it. */
export const takeRefusals = [...Object.values(refusalOf), 'thread_opening', 'unreadable'] as const

/**
 * Thread of a conversation. One that Clew opened has none until its first line is shown, a moment
 * later.
 */
export function addressOf({ id, address, locale }: Conversation): ThreadTarget {
  return {
    id,
    address: { ...address, thread: address.thread ?? refuse('thread_opening') },
    locale,
  }
}
