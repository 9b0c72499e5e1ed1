import { assertNever } from '../../agent/domain/assert.ts'
import { ownerOf } from '../../agent/domain/memory.ts'
import type { Message } from '../../agent/domain/message.ts'
import { growing } from '../../agent/domain/task.ts'
import { uploadIn, uploadNotes } from '../../agent/domain/upload.ts'
import type { Item } from '../../agent/ports/wakeups.ts'

/**
 * Keys of a workspace. Each starts with `clew:{platform:workspace}:`, so that all share one Redis
 * Cluster slot and one commit can write them together (rule 10). An access list by prefix thus
 * keeps workspaces apart (S5).
 */
export function keysOf(workspace: string) {
  const base = `clew:{${workspace}}:`
  return {
    base,
    ...shownKeys(base),
    ...keptKeys(base),
    /**
     * Sorted set: id → time at which a sweep looks at it. There is one per kind, so that a crowd of
     * one kind hides no other.
     */
    due: (kind: Item['kind']) => `${base}due:${kind}`,
    /** Sorted sets by time, for lists and retention. */
    conversations: `${base}conversations`,
    runs: `${base}runs`,
    /** Hash: `channel|thread` → conversation, for threads that Clew opened itself. */
    threads: `${base}threads`,
    /** Sorted set: conversation → time of its oldest overheard message. */
    overheard: `${base}overheard`,
    /** Hash: question → where it was asked and how it was answered. */
    questions: `${base}questions`,
    seen: (key: string) => `${base}seen:${key}`,
    /**
     * Sorted set of who looks at progress here: process → until when. It exists where a page serves
     * the workspace, and then nothing is shown to nobody (C557).
     */
    watchers: `${base}watchers`,
    /** Stream: what was shown on the page, so that tabs can read on. */
    events: `${base}events`,
    /**
     * Sorted set: run that waits to show its progress → its turn. Hash: run → time until which it
     * counts as waiting.
     */
    line: { waiting: `${base}line`, asked: `${base}line:asked` },
    conversation: (id: string) => conversationKeys(`${base}conversation:${id}`),
    run: (id: string) => {
      const row = `${base}run:${id}`
      const audit = `${row}:audit`
      return { row, inputs: `${row}:inputs`, audit, growing: (name: string) => `${row}:${name}` }
    },
    /** Trace of a run or of a conversation. */
    trace: (of: string) => `${base}trace:${of}`,
    effect: (id: string) => `${base}effect:${id}`,
    /**
     * Hash of a person's rate limit: messages left just now. And a key per message that was
     * counted.
     */
    rate: (who: string, key: string) => ({
      left: `${base}rate:${who}`,
      taken: `${base}rate:${who}:${key}`,
    }),
    /** Sorted set by time: rows that were set aside, each with its list, its id and its problem. */
    aside: `${base}aside`,
    /** Stream of the audit's rows, by number; hash of the newest row's number and hash (C710). */
    audit: { log: `${base}audit`, head: `${base}audit:head` },
  }
}

/** Keys of what people keep, and of when it is due. */
const keptKeys = (base: string) => ({
  /** Hash of a scope's to-dos or schedules: number → row; `~last` is the highest number so far. */
  rows: (kind: AlarmKind, scope: string) => `${base}${kind}s:${scope}`,
  slots: (scope: string, id: number) => `${base}slots:${scope}:${id}`,
  /** Hash of one owner's memory: `f<number>` → fact, `p<number>` → proposal. List of its events. */
  memory: (owner: string) => ({
    rows: `${base}memory:${owner}`,
    history: `${base}memory:${owner}:history`,
  }),
  /** Sorted set: owner → expiry of its first open proposal; +inf if none is open. */
  memories: `${base}memories`,
  /** Hash: approval that stays → its row. List of its uses. */
  approvals: `${base}approvals`,
  approvalUses: `${base}approvals:uses`,
  /** Sorted set: schedule or to-do → time of its alarm. */
  alarms: `${base}alarms`,
  /** Sorted set: schedule or to-do without a further alarm → time of its last one. */
  pastAlarms: `${base}alarms:past`,
  /** Hash: schedule that starts by events → number of events that did not match it. */
  listeners: `${base}listeners`,
  /** Row that holds the lease on all alarms, and the list of changes for its holder. */
  scheduler: `${base}scheduler`,
  changes: `${base}scheduler:changes`,
})

/** Keys of what is shown to people. */
const shownKeys = (base: string) => ({
  /**
   * Hash of one day's or month's usage, of the workspace and of each payer. A day also counts by
   * schedule and model, and its runs.
   */
  usage: (day: string) => `${base}usage:${day}`,
  /**
   * Sorted set: what waits for a person → since when (C190). What only one person may see has a set
   * of its own.
   */
  needs: (owner?: string) => (owner === undefined ? `${base}needs` : `${base}needs:${owner}`),
  /**
   * Sorted set without scores: `word\0conversation`. Set: conversations whose words are stale
   * (C200).
   */
  words: { all: `${base}words`, stale: `${base}words:stale`, built: `${base}words:built` },
  /** Sorted sets: conversation → time at which people pinned or archived it (C204). */
  pinned: `${base}pinned`,
  archived: `${base}archived`,
  /**
   * Channel that publishes which conversation changed. It is named like a key, so that all are in
   * one slot.
   */
  news: `${base}news`,
})

export const noteKey = (workspace: string, name: string): string =>
  `${keysOf(workspace).base}note:${name}`

/** Keys of the files that people attached to messages on Clew's own page. */
export const uploadKeys = (workspace: string, messages: readonly Message[]): string[] =>
  messages
    .flatMap(({ files = [] }) => files.flatMap(({ url }) => uploadIn(url) ?? []))
    .flatMap((id) => Object.values(uploadNotes(id)).map((name) => noteKey(workspace, name)))

function conversationKeys(row: string) {
  return {
    row,
    inbox: `${row}:inbox`,
    messages: `${row}:messages`,
    outcomes: `${row}:outcomes`,
    questions: `${row}:questions`,
    answered: `${row}:answered`,
    runs: `${row}:runs`,
    out: `${row}:out`,
    outbox: `${row}:outbox`,
    progress: `${row}:progress`,
    /** Hash: key of a message → overheard message. */
    overheard: `${row}:overheard`,
    /** Hash: name → file that a task made. */
    files: `${row}:files`,
    /** Hash: name → whole text of a file that somebody handed in. */
    documents: `${row}:documents`,
    /** Set: words of this conversation in the index. */
    words: `${row}:words`,
    /** List: numbers of its rows in the audit. */
    audit: `${row}:audit`,
  }
}

/** Stream of events for pages, of every workspace. It is stored in the operators' own. */
export const pageEvents = keysOf('web:local').events

/** Set of all workspaces: the one key outside any workspace. */
export const workspacesKey = 'clew:workspaces'
/**
 * Key that a health probe writes, to see if the store accepts writes (P19); it expires soon after.
 */
export const probeKey = 'clew:health'

export const itemKinds = [
  'conversation',
  'run',
  'outbox',
  'schedules',
] as const satisfies readonly Item['kind'][]

/**
 * Name of each kind of entry in the index of what waits for a person. A failure has one entry per
 * conversation, until somebody sees it there.
 */
export const needName = {
  question: (id: string) => `q|${id}`,
  paused: (runId: string) => `p|${runId}`,
  failed: (conversationId: string) => `f|${conversationId}`,
  proposal: (owner: string, id: number) => `m|${owner}|${id}`,
}

/**
 * Owner of the queue in which proposals wait. A person's own proposals are private to that person.
 */
export const needsOwner = (owner: string): string | undefined =>
  owner.startsWith('user:') ? owner : undefined

/** Key of what is remembered in one thread, deleted with it. */
export const threadMemory = (workspace: string, conversationId: string) =>
  keysOf(workspace).memory(
    ownerOf('thread', { workspace, channel: '', conversationId, person: null }) ?? '',
  )

/** Name of a thread in the index of threads. */
export const threadOf = (place: { channel: string; thread: string }) =>
  `${place.channel}|${place.thread}`

/** Every key that holds a part of one run. */
export function allOfRun(workspace: string, id: string): string[] {
  const keys = keysOf(workspace)
  const { row, inputs, audit, growing: list } = keys.run(id)
  return [row, inputs, keys.trace(id), audit, ...growing.map(list)]
}

/**
 * Row that holds an item's lease, and the mailboxes that must be empty before it is released (rule
 * 6).
 */
export function placesOf(item: Item): {
  row: string
  mailboxes: [string, ...string[]]
  due: string
} {
  const keys = keysOf(item.workspace)
  const due = keys.due(item.kind)
  switch (item.kind) {
    case 'conversation': {
      const { row, inbox } = keys.conversation(item.id)
      return { row, mailboxes: [inbox], due }
    }
    case 'run': {
      const { row, inputs } = keys.run(item.id)
      return { row, mailboxes: [inputs], due }
    }
    case 'schedules':
      return { row: keys.scheduler, mailboxes: [keys.changes], due }
    case 'outbox': {
      const { out, outbox, progress } = keys.conversation(item.id)
      return { row: out, mailboxes: [outbox, progress], due }
    }
    default:
      return assertNever(item.kind)
  }
}

/** Kinds of rows that have an alarm. */
export type AlarmKind = 'schedule' | 'todo'
export const alarmLetter = (kind: AlarmKind) => (kind === 'todo' ? 't' : 's')

/** Name of a row among the alarms, and its parser. */
export const alarmMember = (kind: AlarmKind, scope: string, id: number) =>
  `${alarmLetter(kind)}|${id}|${scope}`

export function alarmNamed(member: string): { kind: AlarmKind; scope: string; id: string } {
  const [, letter, id = '', scope = ''] = /^([st])\|(\d+)\|(.*)$/s.exec(member) ?? []
  return { kind: letter === 't' ? 'todo' : 'schedule', scope, id }
}
