import { assertNever } from '../../agent/domain/assert.ts'
import { ownerOf } from '../../agent/domain/memory.ts'
import type { Message } from '../../agent/domain/message.ts'
import { growing } from '../../agent/domain/task.ts'
import { uploadIn, uploadNotes } from '../../agent/domain/upload.ts'
import type { Item } from '../../agent/ports/wakeups.ts'

/**
 * Every key of a workspace starts with `clew:{platform:workspace}:`, so that all of them share one Redis Cluster slot and
 * one commit can write them together (rule 10), and so that an access list by prefix keeps workspaces apart (S5).
 */
export function keysOf(workspace: string) {
  const base = `clew:{${workspace}}:`
  return {
    base,
    ...shownKeys(base),
    ...keptKeys(base),
    /** Sorted set: id → when a sweep has to look at it. One a kind, so that a crowd of one kind hides no other. */
    due: (kind: Item['kind']) => `${base}due:${kind}`,
    /** Sorted sets by time, for lists and retention. */
    conversations: `${base}conversations`,
    runs: `${base}runs`,
    /** Hash: `channel|thread` → conversation, for threads that Clew opened itself. */
    threads: `${base}threads`,
    /** Sorted set: conversation → when the oldest that was overheard there was said. */
    overheard: `${base}overheard`,
    /** Hash: question → where it was asked and how it was answered. */
    questions: `${base}questions`,
    seen: (key: string) => `${base}seen:${key}`,
    /** Stream: what was shown on the page, for tabs that read on. */
    events: `${base}events`,
    /** Sorted set: run that waits to show its progress → its turn; hash: until when it is taken to be waiting. */
    line: { waiting: `${base}line`, asked: `${base}line:asked` },
    conversation: (id: string) => conversationKeys(`${base}conversation:${id}`),
    run: (id: string) => {
      const row = `${base}run:${id}`
      return { row, inputs: `${row}:inputs`, growing: (name: string) => `${row}:${name}` }
    },
    /** Of a run or of a conversation. */
    trace: (of: string) => `${base}trace:${of}`,
    effect: (id: string) => `${base}effect:${id}`,
    /** Hash: how many messages one person may send just now; and whether one of theirs was counted. */
    rate: (who: string, key: string) => ({
      left: `${base}rate:${who}`,
      taken: `${base}rate:${who}:${key}`,
    }),
    /** Sorted set by time: rows that were set aside, each with its list, its id and what was wrong with it. */
    aside: `${base}aside`,
  }
}

/** What people keep here, and when it is due. */
const keptKeys = (base: string) => ({
  /** Hash of the to-dos or schedules of a scope: number → row; `~last` is the last number that was given. */
  rows: (kind: AlarmKind, scope: string) => `${base}${kind}s:${scope}`,
  slots: (scope: string, id: number) => `${base}slots:${scope}:${id}`,
  /** Hash of one owner's memory: `f<number>` → fact, `p<number>` → proposal; and the list of its events. */
  memory: (owner: string) => ({
    rows: `${base}memory:${owner}`,
    history: `${base}memory:${owner}:history`,
  }),
  /** Sorted set: owner → when the first of its open proposals expires; +inf where none is open. */
  memories: `${base}memories`,
  /** Sorted set: schedule or to-do → when its alarm goes off. */
  alarms: `${base}alarms`,
  /** Sorted set: schedule or to-do whose alarm has gone off and that has none any more → when it did. */
  pastAlarms: `${base}alarms:past`,
  /** The row that holds the lease on all alarms, and the list that tells its holder of changes. */
  scheduler: `${base}scheduler`,
  changes: `${base}scheduler:changes`,
})

/** For those who look on. */
const shownKeys = (base: string) => ({
  /** Hash of one day or month: what it took, of the workspace and of whomever it was for; of a day also by schedule and model, and runs. */
  usage: (day: string) => `${base}usage:${day}`,
  /** Sorted set: what waits for a person → since when (C190); of what only one person may see, a set of their own. */
  needs: (owner?: string) => (owner === undefined ? `${base}needs` : `${base}needs:${owner}`),
  /** Sorted set without scores: `word\0conversation`; set: conversations whose words are to be taken again (C200). */
  words: { all: `${base}words`, stale: `${base}words:stale`, built: `${base}words:built` },
  /** Sorted sets: conversation → when people pinned or archived it (C204). */
  pinned: `${base}pinned`,
  archived: `${base}archived`,
  /** A channel on which it is published which conversation changed; named like a key, so that all are of one slot. */
  news: `${base}news`,
})

export const noteKey = (workspace: string, name: string): string =>
  `${keysOf(workspace).base}note:${name}`

/** Where the files lie that people attached to messages on Clew's own page. */
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
    /** Hash: key of a message → what was overheard. */
    overheard: `${row}:overheard`,
    /** Hash: name → file that a task made. */
    files: `${row}:files`,
    /** Set: what of it stands among the words. */
    words: `${row}:words`,
  }
}

/** What pages were told of every workspace: it stands with the operators' own. */
export const pageEvents = keysOf('web:local').events

/** The one key outside any workspace: which workspaces there are. */
export const workspacesKey = 'clew:workspaces'
/** What health writes to see whether anything can be written (P19); gone by itself soon after. */
export const probeKey = 'clew:health'

export const itemKinds = [
  'conversation',
  'run',
  'outbox',
  'schedules',
] as const satisfies readonly Item['kind'][]

/** How what waits for a person stands in the index. What failed stands once a conversation, until somebody sees it there. */
export const needName = {
  question: (id: string) => `q|${id}`,
  paused: (runId: string) => `p|${runId}`,
  failed: (conversationId: string) => `f|${conversationId}`,
  proposal: (owner: string, id: number) => `m|${owner}|${id}`,
}

/** Where an owner's proposals wait: what is one person's own is nobody else's business. */
export const needsOwner = (owner: string): string | undefined =>
  owner.startsWith('user:') ? owner : undefined

/** What is remembered in one thread, and goes with it. */
export const threadMemory = (workspace: string, conversationId: string) =>
  keysOf(workspace).memory(
    ownerOf('thread', { workspace, channel: '', conversationId, person: null }) ?? '',
  )

/** How a thread stands in the index of threads. */
export const threadOf = (place: { channel: string; thread: string }) =>
  `${place.channel}|${place.thread}`

/** Every key that holds something of one run. */
export function allOfRun(workspace: string, id: string): string[] {
  const keys = keysOf(workspace)
  const { row, inputs, growing: list } = keys.run(id)
  return [row, inputs, keys.trace(id), ...growing.map(list)]
}

/** The row that holds an item's lease, and the mailboxes that must be empty before it is given up (rule 6). */
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

/** What has an alarm. */
export type AlarmKind = 'schedule' | 'todo'
export const alarmLetter = (kind: AlarmKind) => (kind === 'todo' ? 't' : 's')

/** The name of a row in the alarms, and back. */
export const alarmMember = (kind: AlarmKind, scope: string, id: number) =>
  `${alarmLetter(kind)}|${id}|${scope}`

export function alarmNamed(member: string): { kind: AlarmKind; scope: string; id: string } {
  const [, letter, id = '', scope = ''] = /^([st])\|(\d+)\|(.*)$/s.exec(member) ?? []
  return { kind: letter === 't' ? 'todo' : 'schedule', scope, id }
}
