import { z } from 'zod'
import { InboxEntry } from './event.ts'
import { deriveId } from './id.ts'
import { Author } from './message.ts'
import type { RunStatus } from './run.ts'
import { strategyNames } from './task.ts'

/**
 * `platform:workspace`, for example `web:local` or `slack:T024BE7LD`. All rows of one workspace
 * share one hash tag.
 */
export type Workspace = string

/**
 * Where a conversation lives. `thread` is null only until a conversation that Clew opened has been
 * posted (R106).
 */
export const Address = z.object({
  workspace: z.string(),
  channel: z.string(),
  thread: z.string().nullable(),
})
export type Address = z.infer<typeof Address>
export type ChannelAddress = Omit<Address, 'thread'>
export type ThreadAddress = Address & { thread: string }

/** A message that the model did not answer and that is tried again by itself. */
const ModelWait = z.object({
  entryId: z.string(),
  /** When it was tried first. */
  since: z.number(),
  /** When it is tried again. */
  until: z.number(),
  tries: z.int(),
  /** People were told. */
  said: z.boolean(),
})
export type ModelWait = z.infer<typeof ModelWait>

/** Question of another thread's task that one person is to answer here (C843). */
const AskedHere = z.object({
  questionId: z.string(),
  runId: z.string(),
  /** Person on whose behalf it is asked. */
  by: Author,
  /** Person whose answer is passed on. */
  of: Author,
  /** Their first reply came: what they say now is for Clew. */
  isOver: z.literal(true).optional(),
})
export type AskedHere = z.infer<typeof AskedHere>

/** Thread that is bound for good to one place on one platform (R123, R141). */
export const Conversation = z.object({
  version: z.literal(1),
  id: z.string(),
  address: Address,
  title: z.string(),
  /** Milliseconds since the epoch, UTC, as every instant in a record. */
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Null: nobody has read it yet. A conversation that a person opened starts as read (C24). */
  lastReadAt: z.number().nullable(),
  /** The run whose plan the thread shows and which takes in new messages (C42). */
  foreground: z.string().nullable(),
  locale: z.string(),
  timeZone: z.string(),
  /** When to remind of the open question; null when none waits. */
  remindAt: z.number().nullable(),
  /**
   * The message that is first in the inbox and waits for the model; absent or null: none does
   * (C92).
   */
  waiting: ModelWait.nullable().optional(),
  /** Messages that could not be answered, the newest last, for the button that tries one again. */
  unanswered: z.array(InboxEntry).optional(),
  /**
   * Up to when everything that was said in the thread is known, and what stood in the way of
   * knowing more; absent or null: nothing had to be read.
   */
  heard: z
    .object({
      until: z.number(),
      gap: z.boolean(),
      problem: z.enum(['forbidden', 'away']).nullable(),
    })
    .nullable()
    .optional(),
  /** When people pinned it, and put it away; absent or null: they did not (C204). */
  pinnedAt: z.number().nullable().optional(),
  archivedAt: z.number().nullable().optional(),
  /** Strategy that people chose for the tasks here; absent or `null`: as the setting says. */
  strategy: z
    .enum([...strategyNames, 'auto'])
    .nullable()
    .optional(),
  /**
   * Person in whose name Clew said its first message here, from another thread; absent, null:
   * nobody.
   */
  onBehalf: z
    .object({ by: Author, takenBack: z.literal(true).optional() })
    .nullable()
    .optional(),
  /** Absent, null: nobody is asked here. */
  asks: AskedHere.nullable().optional(),
})
export type Conversation = z.infer<typeof Conversation>

/**
 * Creates a conversation in which nothing has happened yet: unread (R106), and in English unless
 * told otherwise.
 */
export function newConversation({
  at,
  ...given
}: Pick<Conversation, 'id' | 'address'> & Partial<Conversation> & { at: number }): Conversation {
  return {
    title: '',
    createdAt: at,
    updatedAt: at,
    lastReadAt: null,
    foreground: null,
    locale: 'en',
    timeZone: 'UTC',
    remindAt: null,
    ...given,
    version: 1,
  }
}

/** The platform's name in a workspace key: `slack:T1` → `slack`. */
export function platformOf(workspace: Workspace): string {
  return workspace.slice(0, workspace.indexOf(':'))
}

/**
 * Workspace of direct messages that belong to no team. All of a platform's share it, and the people
 * in them share nothing (S5).
 */
export const directMessagesOf = (platform: string): Workspace => `${platform}:dm`
export const isTeam = (workspace: Workspace): boolean =>
  workspace !== directMessagesOf(platformOf(workspace))

/**
 * The one id of the conversation in this thread; two events that race compute the same one (R141).
 */
export function conversationIdOf(workspace: Workspace, channel: string, thread: string): string {
  return deriveId('c', workspace, channel, thread)
}

/** R107: computed, never stored. */
export function isUnread(conversation: Pick<Conversation, 'lastReadAt' | 'updatedAt'>): boolean {
  return conversation.lastReadAt === null || conversation.updatedAt > conversation.lastReadAt
}

/** Until something happens there. */
export const isArchived = ({ archivedAt, updatedAt }: Conversation): boolean =>
  (archivedAt ?? -1) >= updatedAt

export const groups = ['needs_you', 'working', 'done'] as const
/** Where a thread stands in the list (C192). */
export type Group = (typeof groups)[number]

/** `isHeard`: something that was said there waits to be taken in. */
export function groupOf(
  conversation: Conversation,
  status: RunStatus | null,
  { isAsked, isHeard }: { isAsked: boolean; isHeard: boolean },
): Group {
  if (
    isAsked ||
    status === 'paused' ||
    ((status === 'failed' || status === 'given_up') && isUnread(conversation))
  )
    return 'needs_you'
  return isHeard || status === 'queued' || status === 'running' ? 'working' : 'done'
}

/**
 * True if a text is a command (R1). It names a thread only until something else is said there
 * (C908).
 */
export const isCommandText = (text: string): boolean => /^\s{0,9}[/／]/u.test(text)

/**
 * The title of a thread that a person opened: the first line of what they wrote, at most 80
 * characters.
 */
export function titleFrom(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  const letters = Array.from(line)
  return letters.length <= 80 ? line : `${letters.slice(0, 79).join('').trimEnd()}…`
}
