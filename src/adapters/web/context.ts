import type { Context, Hono } from 'hono'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { InboundEvent } from '../../agent/domain/event.ts'
import type { Author } from '../../agent/domain/message.ts'
import type { Intake, IntakeResult } from '../../agent/ports/channel.ts'
import { NotWritten } from '../../agent/ports/not-written.ts'
import { languages, type Texts, texts } from '../../locales/texts.ts'
import { speakerOf } from './bodies.ts'
import { type WebDeps, webChannel, webWorkspace } from './deps.ts'
import type { Hub } from './hub.ts'
import { limits } from './limits.ts'
import { type Problem, ProblemError, refuse } from './problems.ts'

/** What the routes share. */
export interface Web {
  deps: WebDeps
  hub: Hub
  /** Language of whoever asks: the header that browsers send, else the setting. */
  words(c: Context): Texts
  locale(c: Context): string
  /** Runs something that needs the store; says that it is away when it throws or takes too long. */
  reach<T>(work: () => Promise<T>): Promise<T>
  /** Hands a gesture to the core and tells every tab. Resolves when it is durable. */
  take(gesture: Gesture): Promise<Taken>
  /** Tells every tab to look at a conversation again. Only a hint: what it loses, the next one brings. */
  changed(conversationId: string): Promise<void>
  /** Aborts when the channel stops. */
  stopping: AbortSignal
  speaker(c: Context, given: Author | undefined): Author & { bot: boolean }
}

export interface Gesture {
  conversation: { id: string; thread: string }
  keys: string[]
  author: Author & { bot: boolean }
  content: InboundEvent['content']
  locale?: string | undefined
  timeZone?: string | undefined
}

type Taken = Exclude<IntakeResult, { kind: 'ignored' }>
export type App = Hono

export function createWeb(options: {
  deps: WebDeps
  hub: Hub
  intake: () => Intake | null
  stopping: AbortSignal
}): Web {
  const { deps, hub, intake, stopping } = options

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

  async function reach<T>(work: () => Promise<T>): Promise<T> {
    const done = new AbortController()
    const late = deps.clock.sleep(limits.storeMs, done.signal).then(() => {
      throw new Error(`no answer within ${limits.storeMs} ms`)
    })
    // When the work is done first, nobody waits for this any more.
    late.catch(() => undefined)
    try {
      return await Promise.race([work(), late])
    } catch (error) {
      if (error instanceof ProblemError) throw error
      deps.log.warn({ err: error }, 'the store did not answer')
      return refuse({ code: 'store_unavailable', kept: error instanceof NotWritten ? 'nothing' : 'perhaps' })
    } finally {
      done.abort()
    }
  }

  async function take(gesture: Gesture): Promise<Taken> {
    const { conversation, keys, author, content } = gesture
    const handOver = intake()
    if (handOver === null) return refuse({ code: 'store_unavailable', kept: 'nothing' })
    const event: InboundEvent = {
      workspace: webWorkspace,
      channel: webChannel,
      thread: conversation.thread,
      keys,
      author,
      at: deps.clock.now(),
      content,
      ...(gesture.locale === undefined ? {} : { locale: gesture.locale }),
      ...(gesture.timeZone === undefined ? {} : { timeZone: gesture.timeZone }),
    }
    const result = await reach(() => handOver(event))
    if (result.kind === 'ignored') return refuse(refusalOf[result.reason])
    void changed(conversation.id)
    return result
  }

  return {
    deps,
    hub,
    words: (c) => texts(locale(c)),
    locale,
    reach,
    take,
    changed,
    stopping,
    speaker: (c, given) => speakerOf(given, texts(locale(c)).page.you),
  }
}

const refusalOf = {
  bot: { code: 'not_allowed' },
  not_addressed: { code: 'not_allowed' },
  not_allowed: { code: 'not_allowed' },
  empty: { code: 'empty_text' },
  too_many: { code: 'too_many_messages' },
} as const satisfies Record<Extract<IntakeResult, { kind: 'ignored' }>['reason'], Problem>

/** The thread of a conversation. One that Clew opened has none until its first line has been shown, a moment later. */
export function threadOfConversation(conversation: Conversation): string {
  return conversation.address.thread ?? refuse({ code: 'thread_opening' })
}
