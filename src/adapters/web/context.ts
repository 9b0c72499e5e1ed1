import type { Context, Hono } from 'hono'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { InboundEvent } from '../../agent/domain/event.ts'
import type { Author } from '../../agent/domain/message.ts'
import type { Intake, IntakeResult } from '../../agent/ports/channel.ts'
import { NotWritten } from '../../agent/ports/not-written.ts'
import type { ConversationState } from '../../agent/ports/store.ts'
import { languages, type Texts, texts } from '../../locales/texts.ts'
import { speakerOf } from './bodies.ts'
import type { Broadcaster } from './broadcaster.ts'
import { type WebDeps, webChannel, webWorkspace } from './deps.ts'
import { limits } from './limits.ts'
import { type Problem, ProblemError, refuse } from './problems.ts'

/** What the routes share. */
export interface Web {
  deps: WebDeps
  broadcaster: Broadcaster
  /** Language of whoever asks: the header that browsers send, else the setting. */
  words(c: Context): Texts
  locale(c: Context): string
  /** Runs something that needs the store; says that it is away when it throws or takes too long. */
  reach<T>(work: () => Promise<T>): Promise<T>
  /** A conversation with its newest messages, at most so many. */
  conversation(id: string, messages: number): Promise<ConversationState>
  /** Hands a gesture to the core and tells every tab. Resolves when it is durable. */
  take(gesture: Gesture): Promise<Taken>
  /** Tells every tab to look at a conversation again. Only a hint: what it loses, the next one brings. */
  changed(conversationId: string): Promise<void>
  speaker(c: Context, given: Author | undefined): InboundEvent['author']
}

/** For routes about to-dos, schedules and memory. */
export interface WorkWeb extends Web {
  work: NonNullable<WebDeps['work']>
}

export interface Gesture extends Pick<InboundEvent, 'keys' | 'author' | 'content'> {
  conversation: { id: string; thread: string } | typeof noThread
  locale?: string | undefined
  timeZone?: string | undefined
}

/** Where there is no thread yet: what Clew answers opens one. */
export const noThread = { id: null, thread: null } as const

type Taken = Exclude<IntakeResult, { kind: 'ignored' }>
export type App = Hono

export function createWeb(options: { deps: WebDeps; broadcaster: Broadcaster; intake: () => Intake | null }): Web {
  const { deps, broadcaster, intake } = options
  const { conversations } = deps.store

  async function changed(conversationId: string): Promise<void> {
    try {
      await deps.events.append(null, JSON.stringify({ kind: 'changed', conversationId }))
    } catch (error) {
      deps.log.warn({ err: error, conversationId }, 'the open pages could not be told')
    }
  }
  const locale = (c: Context): string => {
    const wanted = c.req.header('accept-language')?.split(/[,;]/, 1)[0]?.trim().toLowerCase() ?? ''
    return languages.find((language) => wanted.startsWith(language)) ?? deps.defaultLocale
  }
  const reach: Web['reach'] = (work) => answerOf(work, deps)

  return {
    deps,
    broadcaster,
    words: (c) => texts(locale(c)),
    locale,
    reach,
    conversation: async (id, messages) =>
      (await reach(() => conversations.state(webWorkspace, id, messages))) ?? refuse({ code: 'unknown_conversation' }),
    async take(gesture) {
      const handOver = intake() ?? refuse({ code: 'store_unavailable', kept: 'nothing' })
      const result = await reach(() => handOver(eventOf(gesture, deps.clock.now())))
      if (result.kind === 'ignored') return refuse(refusalOf[result.reason])
      void changed(result.conversationId)
      return result
    },
    changed,
    speaker: (c, given) => speakerOf(given, texts(locale(c)).page.you),
  }
}

/** What the store answers within its time. */
async function answerOf<T>(work: () => Promise<T>, { clock, log }: WebDeps): Promise<T> {
  const done = new AbortController()
  const late = clock.sleep(limits.storeMs, done.signal).then(() => {
    throw new Error(`no answer within ${limits.storeMs} ms`)
  })
  // When the work is done first, nobody waits for this any more.
  late.catch(() => undefined)
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    if (error instanceof ProblemError) throw error
    log.warn({ err: error }, 'the store did not answer')
    return refuse({ code: 'store_unavailable', kept: error instanceof NotWritten ? 'nothing' : 'perhaps' })
  } finally {
    done.abort()
  }
}

function eventOf({ conversation, locale, timeZone, ...said }: Gesture, at: number): InboundEvent {
  return {
    workspace: webWorkspace,
    channel: webChannel,
    thread: conversation.thread,
    at,
    ...said,
    ...(locale === undefined ? {} : { locale }),
    ...(timeZone === undefined ? {} : { timeZone }),
  }
}

const refusalOf = {
  bot: { code: 'not_allowed' },
  not_addressed: { code: 'not_allowed' },
  not_allowed: { code: 'not_allowed' },
  empty: { code: 'empty_text' },
  too_many: { code: 'too_many_messages' },
} as const satisfies Record<Extract<IntakeResult, { kind: 'ignored' }>['reason'], Problem>

/** A conversation and its thread. One that Clew opened has none until its first line has been shown, a moment later. */
export function addressOf({ id, address }: Conversation): { id: string; thread: string } {
  return { id, thread: address.thread ?? refuse({ code: 'thread_opening' }) }
}
