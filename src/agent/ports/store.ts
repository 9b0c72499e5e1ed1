/*
 * Over 300 lines: one commit writes to most of these parts at once, so its `Change` and the
 * promises of the parts are read together. Verbs take the parts that they need, never the whole.
 */
import type { Artifact } from '../domain/artifact.ts'
import type { Audited } from '../domain/audit.ts'
import type { Address, Conversation } from '../domain/conversation.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { InboundEvent, InboxEntry } from '../domain/event.ts'
import type { MemoryEvent } from '../domain/fact.ts'
import type { DayFigures, Spender, TokenCounts } from '../domain/figures.ts'
import type { RunSpent } from '../domain/forecast.ts'
import type { KeptDocument } from '../domain/kept-document.ts'
import type { Memory, MemoryChange } from '../domain/memory.ts'
import type { Author, Message, Outcome } from '../domain/message.ts'
import type { Overheard } from '../domain/overheard.ts'
import type { Kept, Owned } from '../domain/privacy.ts'
import type { AnsweredQuestion, Question } from '../domain/question.ts'
import type { Run, RunStatus } from '../domain/run.ts'
import type { RunInput } from '../domain/run-input.ts'
import type { Schedule, Slot } from '../domain/schedule.ts'
import type { ApprovalUse, StandingApproval } from '../domain/standing-approval.ts'
import type { Task } from '../domain/task.ts'
import type { Todo } from '../domain/todo.ts'
import type { TraceEntry } from '../domain/trace.ts'
import type { Payers, PeriodUsage } from '../domain/usage.ts'
import type { Approvals } from './approvals.ts'
import type { Audit } from './audit.ts'
import type { Backlog } from './backlog.ts'
import type { Calendar } from './calendar.ts'
import type { Effect } from './effect.ts'
import type { Needs } from './needs.ts'
import type { Notes } from './notes.ts'
import type { Rates } from './rates.ts'
import type { Search } from './search.ts'
import type { Item } from './wakeups.ts'

export type { RunInput }

/**
 * The right to work on one item. All kinds of items are claimed, committed and released in the same
 * way: a conversation (its inbox), a run (its mailbox and its loop), an outbox (its deliveries) and
 * a workspace's schedules (their alarms).
 */
export interface Lease {
  readonly item: Item
  /** Rises with every claim; a commit with an old one is refused (rule 4, P6). */
  readonly fence: number
}

/**
 * Leases on items: the right of a worker to work on one.
 *
 * Contract: an item has at most one live lease. Claiming an item whose lease ended raises the
 * fence, so a late owner can do no harm. Times are milliseconds of the caller's clock.
 */
export interface Leases {
  /** Null while somebody else holds it, or when there is no such item. */
  claim(item: Item, forMs: number): Promise<Lease | null>
  /** False when the fence has moved on: stop at once. */
  renew(lease: Lease, forMs: number): Promise<boolean>
  /**
   * Gives the item up if its mailbox is empty, in one step; `more` means it is not and the lease is
   * still held (P5). `seen`: so many entries may be left in it, which wait for `wakeAt`. `over`:
   * whatever it holds, nobody needs it any more. `done` is taken off an outbox before.
   */
  release(
    lease: Lease,
    options?: { wakeAt?: number; seen?: number; over?: boolean; done?: Done },
  ): Promise<'released' | 'more' | 'fenced'>
  /** Gives the item up until a time, mailbox or not: nobody can claim it before. */
  park(lease: Lease, until: number): Promise<void>
  /**
   * Items that something is to be done for; at most `limit` of each workspace and kind, the longest
   * waiting first. One that is held is among them when something came in for it meanwhile.
   */
  due(limit: number): Promise<Item[]>
  /**
   * Notes that the work on this row of the item failed under this lease, and answers how often it
   * did so in a row; 0 when the fence has moved on. Nothing is counted while the store is away.
   */
  failed(lease: Lease, row: string): Promise<number>
  /**
   * Ends every lease that a dead process of this worker's name held (P14); never one of this
   * process.
   */
  reclaim(): Promise<Item[]>
}

/** The way in. */
export interface Inbox {
  /** The conversation in which Clew already works in this thread; null when there is none. */
  knows(
    event: Pick<InboundEvent, 'workspace' | 'channel' | 'thread' | 'openedFor' | 'keys'>,
  ): Promise<string | null>
  /**
   * Stores an event, its message and its conversation in one write (rule 1). `duplicate` when any
   * of its keys was seen in the last 24 h (P3); the ids are then those of the first one.
   */
  accept(
    event: InboundEvent,
    opening: { locale: string; timeZone: string },
  ): Promise<{ kind: 'accepted' | 'duplicate'; entry: InboxEntry; conversationId: string }>
}

/**
 * A row that cannot be read back: its text, what is wrong with it, and where in its list it stands.
 */
export interface Damaged {
  row: string
  problem: string
  at: number
}

/**
 * A row that was set aside so that the ones behind it go on (P18): from which list, which one, and
 * why. `refused`: by the platform, for good (C230).
 */
export interface Aside {
  row: string
  problem: string
  list: 'inbox' | 'outbox' | 'refused' | 'progress' | 'inputs' | 'alarms' | 'runs' | 'conversations'
  /** The row's own id where it can be told, else that of the item it belongs to. */
  id: string
}

/**
 * State that a turn works on. Earlier rows that cannot be read are passed over.
 * If the conversation itself cannot be read, it holds what still can be, and the defaults of a new
 * one for the rest.
 */
export interface ConversationState {
  conversation: Conversation
  /** The conversation's row as it is stored, where it cannot be read. */
  broken: Omit<Damaged, 'at'> | null
  /** The newest ones, oldest first. */
  messages: Message[]
  /** Outcomes of those messages, by id. */
  outcomes: Record<string, Outcome>
  /** In the order they were asked; only the first is open. */
  questions: Question[]
  /** The newest closed ones, oldest first. */
  answered: AnsweredQuestion[]
  /** Number of rows that were overheard there. */
  overheardCount: number
  /** Waiting events, oldest first; no more than were asked for. */
  inbox: InboxEntry[]
  /** Waiting events that cannot be read. */
  damaged: Damaged[]
  /** Null also where no messages are asked for. */
  foreground: Run | null
}

/** Line of a thread in a list (C271). */
export interface ThreadLine {
  conversation: Conversation
  newest: Message | null
  /** Status of its foreground run. */
  status: RunStatus | null
  /** Its steps, where it ended with some left. */
  steps: Run['steps']
  /** A question is open there. */
  isAsked: boolean
  /** Whom the first of its open questions names. */
  askedOf: string | null
  /** Something that came in waits. */
  isHeard: boolean
}

export interface RunState {
  run: Run
  task: Task | null
  inputs: RunInput[]
  /** Waiting inputs that cannot be read. */
  damaged: Damaged[]
  /** Why its task cannot be read; `task` is null then. */
  problem: string | null
}

/**
 * A question that has to be open, or a run that has to be in a state, for a change to make sense.
 */
export type Expectation =
  | { kind: 'run_status'; runId: string; status: RunStatus }
  | { kind: 'open_question'; conversationId: string; questionId: string }
  | { kind: 'question_count'; conversationId: string; count: number }
  /** Nothing new has come in for the claimed item since it was read. */
  | { kind: 'mailbox'; count: number }

/**
 * Changes of a run. `fenceOff` raises its fence: its worker is stopped. `due`: time at which it is
 * woken; `null`: never.
 * `byItself`: it is paused and goes on without anybody (C93, C190).
 */
interface RunPatch {
  id: string
  patch: Partial<Omit<Run, 'version' | 'id'>>
  fenceOff?: boolean
  due?: number | null
  byItself?: boolean
}

/** Everything one step changes. Absent parts stay as they are; growing parts are appended to. */
export interface Change {
  /** Names this commit: applied twice it equals once (P8). */
  id: string
  /** The instant of the commit; what it makes due is due now. */
  at: number
  /** Entries taken off the front of the item's own mailbox. */
  consume?: number
  /**
   * Entries taken out of the item's own mailbox, by where they stand in it; of nobody else's
   * business, as its front is.
   */
  drop?: readonly number[]
  /** Alarms, by name, that go off no more. */
  silence?: readonly string[]
  /**
   * Rows that nobody works on any more; kept where an operator finds them, for as long as
   * conversations are.
   */
  aside?: readonly Aside[]
  expect?: readonly Expectation[]
  conversation?:
    | { id: string; patch: Partial<Omit<Conversation, 'version' | 'id'>> }
    | { open: Conversation }
  /** Messages, outcomes, questions and deliveries belong to this conversation. */
  conversationId?: string
  messages?: readonly Message[]
  outcomes?: readonly { messageId: string; outcome: Outcome }[]
  /**
   * Messages that were taken in and turned out not to be for Clew, or were withdrawn: no part of
   * the history, as they were written.
   */
  unsaid?: readonly Message[]
  /**
   * Messages that people changed, as they were written and as they are now; they stay in their
   * place.
   */
  rewritten?: readonly { before: Message; after: Message }[]
  /** Overheard messages of the conversation as they are now, or the keys of deleted ones. */
  overheard?: readonly (Overheard | { gone: string })[]
  ask?: Question
  /** Closes the open question; the next one in line, if any, is then shown by `deliveries`. */
  answered?: AnsweredQuestion
  /** Questions of a run that has ended. */
  dropQuestions?: readonly Question[]
  create?: readonly Run[]
  /** The task that one of these begins with (C251); the others begin with none. */
  begins?: { runId: string; task: Task }
  /**
   * Created runs that this process works on at once. It holds their leases from the start, under
   * fence 1.
   */
  hold?: { runs: ReadonlySet<string>; until: number }
  runs?: readonly RunPatch[]
  inputs?: readonly { runId: string; input: RunInput }[]
  /**
   * Task of the claimed run. Keys are written only if their value is another object than before.
   */
  task?: { before: Task | null; after: Task }
  deliveries?: readonly Delivery[]
  /** The run whose progress is to be shown again. */
  progress?: string
  trace?: readonly { of: string; entry: TraceEntry }[]
  /** Rows of what this commit does or lets be done (C710). */
  audit?: readonly Audited[]
  /**
   * Tokens that it took and what they cost, for the counters of that day and its month: of the
   * workspace and of the payers (S8, C131).
   */
  usage?: Payers & TokenCounts & { day: string } & Spender
  /**
   * Runs that this commit ends, as they were before: counted among the figures of the day (C226).
   */
  ended?: readonly Run[]
  /**
   * That people are told how much of an allowance is used; when they were told before it is a
   * conflict (C132).
   */
  warned?: { period: string; name: string }
  /** Approvals that people gave for good, and uses of some (C770). */
  approvals?: readonly StandingApproval[]
  approvalUses?: readonly ApprovalUse[]
  /**
   * Alarms that went off, and what became of them. One that somebody changed meanwhile is a
   * conflict.
   */
  rang?: readonly Rang[]
}

/**
 * A row whose alarm was dealt with: the row as it is now, with its next alarm, and what became of
 * its due slots.
 */
export type Rang = { alarm: Alarm } & (
  | { kind: 'schedule'; after: Schedule; slots: readonly Slot[] }
  | { kind: 'todo'; after: Todo }
)

/**
 * `waiting`: entries in the item's mailbox after the commit. `conflict`: an expectation failed;
 * look again.
 */
export type Committed =
  /**
   * `usage`: the counters that the change raised, as they are now; null when the same commit was
   * there already. `isUnseen`: nobody looks at its progress, so that none is to be shown (C557).
   */
  | { kind: 'committed'; waiting: number; usage?: PeriodUsage | null; isUnseen?: boolean }
  | { kind: 'fenced' }
  | { kind: 'conflict' }

/** The one atomic write of a step (rule 3). */
export interface Commits {
  commit(lease: Lease, change: Change): Promise<Committed>
}

/** Greatest number of waiting events that a reading shows. */
export const waitingMost = 100

export interface Conversations {
  /**
   * Null where there is none, and where nothing tells any more in which thread it is.
   *
   * @param messages how many of the newest, up to 10,000.
   * @param waiting how many of the events that wait; at first {@link waitingMost}.
   */
  state(
    workspace: string,
    id: string,
    messages: number,
    waiting?: number,
  ): Promise<ConversationState | null>
  /** All that is kept of what was overheard there, oldest first. */
  overheard(workspace: string, id: string): Promise<Overheard[]>
  /** Those that can be read, newest first, each with its newest message. */
  list(workspace: string, limit: number): Promise<ConversationState[]>
  /**
   * Those of several workspaces together, that can be read, newest first, behind a place; `next` is
   * null on the last page. `sees`: only these.
   */
  page(
    workspaces: readonly string[],
    before: { at: number; id: string } | null,
    limit: number,
    sees?: Sees,
  ): Promise<{ lines: ThreadLine[]; next: { at: number; id: string } | null }>
  /** Opens an empty conversation; opening it again changes nothing. */
  open(conversation: Conversation): Promise<void>
  /** False when there is no such conversation (R108). */
  markRead(workspace: string, id: string, at: number): Promise<boolean>
  /** The same, and its failed task no longer waits for people (C190). */
  see(workspace: string, id: string, at: number): Promise<boolean>
  /**
   * Its name, and whether it is pinned or put away (C203, C204); what is put away is not pinned.
   * False when there is no such one.
   */
  arrange(workspace: string, id: string, change: Arranged, at: number): Promise<boolean>
  /** Counts of what `remove` would remove; `null` if there is no such conversation. */
  contents(
    workspace: string,
    id: string,
  ): Promise<{ messages: number; runs: number; files: number; facts: number } | null>
  /**
   * Removes it with all that belongs to it, as the retention does; `busy`: something still goes on
   * or waits in it, and nothing was. `effect`: people do it, and its row is in the same write
   * (C894).
   */
  remove(workspace: string, id: string, effect?: Effect): Promise<'removed' | 'busy' | 'unknown'>
  /** Where a question was asked, and how it was answered if it was. */
  question(
    workspace: string,
    id: string,
  ): Promise<{
    conversationId: string
    question: Question
    answered: AnsweredQuestion | null
  } | null>
}

/** True if those who ask may see what is said at an address (S26). */
export type Sees = (address: Address) => boolean | Promise<boolean>

/** Change of a conversation's name or place in the list. Absent parts stay as they are. */
export interface Arranged {
  title?: string | undefined
  pinned?: boolean | undefined
  archived?: boolean | undefined
}

export interface Runs {
  /**
   * Stores a run that nobody's turn made, due at once, and tells the run that gathers its group's
   * results, all in one write. `known`: its id was there before, and nothing was changed (R116).
   * `closed`, `full`: the gatherer has ended, or knows `size` runs already, and nothing was
   * written.
   */
  admit(
    run: Run,
    group?: { gatherer: string; size: number },
  ): Promise<'accepted' | 'known' | 'closed' | 'full'>
  state(workspace: string, id: string): Promise<RunState | null>
  /** Returns the readable parts of a run that cannot be read as a whole. */
  remains(workspace: string, id: string): Promise<Partial<Run>>
  /** Newest first; of one conversation when it is named. */
  list(workspace: string, limit: number, conversationId?: string): Promise<Run[]>
  trace(workspace: string, of: string): Promise<TraceEntry[]>
  /**
   * What the newest ended runs of a channel took that no schedule began, oldest first; at most
   * `limit`.
   */
  spent(
    workspace: string,
    of: { channel: string; type: string; limit: number },
  ): Promise<RunSpent[]>
}

/** The way out: what is waiting to be shown in one conversation. */
export interface Outbox {
  /**
   * The first deliveries in line, whether somebody may have sent the very first already, and the
   * runs whose progress changed. `damaged`: the first in line cannot be read. `conversation`: as it
   * is stored; null where it cannot be read.
   */
  next(lease: Lease): Promise<{
    conversation: Conversation | null
    deliveries: Delivery[]
    damaged: Damaged | null
    tried: boolean
    progress: ProgressMark[]
  }>
  /**
   * Takes the first delivery off, if it is this one; binds the thread that it opened. A reply that
   * was quicker than the binding moves over, unless something has come of it already; then the
   * thread stays with that reply's conversation (R141).
   */
  sent(lease: Lease, deliveryId: string, thread: string | null): Promise<boolean>
  /**
   * The place of a run's progress in the line of its workspace, in which changes are `everyMs`
   * apart and `isFirst` goes before all others (C86). An answer of `now` or before: it is its turn,
   * and the place is taken. Later: it is to ask again then.
   */
  reserve(
    workspace: string,
    place: { runId: string; everyMs: number; isFirst: boolean },
    now: number,
  ): Promise<number>
  /**
   * Notes that the first delivery is about to be sent, so that a successor looks for it first (P2).
   * False when it is not the first or the fence has moved on: then it must not be sent (P6). With
   * `isUnclear` false it takes the note back: it has certainly not arrived.
   */
  trying(lease: Lease, deliveryId: string, isUnclear?: boolean): Promise<boolean>
}

/**
 * Parts of an outbox that were shown: its first deliveries, in order, and a run's progress. The
 * progress counts unless it changed again since `next`.
 */
export interface Done {
  sent: readonly string[]
  shown: ProgressMark | null
}

/** That a run's progress changed, and a name of that change. */
export interface ProgressMark {
  runId: string
  revision: string
}

/**
 * To-dos of one scope. A write with an `effectId` that was seen before answers what the first one
 * answered.
 */
export interface Todos {
  list(workspace: string, scope: string): Promise<Todo[]>
  add(
    workspace: string,
    scope: string,
    effect: Effect,
    todo: Omit<Todo, 'id' | 'version'>,
  ): Promise<Todo>
  update(
    workspace: string,
    scope: string,
    effect: Effect,
    id: number,
    patch: Partial<Omit<Todo, 'id' | 'version'>>,
  ): Promise<Todo | null>
  remove(workspace: string, scope: string, effect: Effect, id: number): Promise<Todo | null>
}

/**
 * Schedules of one scope. A write with an `effectId` that was seen before answers what the first
 * one answered.
 *
 * Contract: `update` hands the stored row to `change`, maybe several times, and stores what it
 * answers if nobody, the alarms included, changed the row meanwhile; a change of null leaves it as
 * it is and answers null.
 */
export interface Schedules {
  /**
   * By number; of a page only those after `after`, at most `limit`, in a time that does not depend
   * on how many there are (C176).
   */
  list(
    workspace: string,
    scope: string,
    page?: { after: number; limit: number },
  ): Promise<Schedule[]>
  add(
    workspace: string,
    scope: string,
    effect: Effect,
    schedule: Omit<Schedule, 'id' | 'version'>,
  ): Promise<Schedule>
  update(
    workspace: string,
    scope: string,
    effect: Effect,
    id: number,
    change: (schedule: Schedule) => Schedule | null,
  ): Promise<Schedule | null>
  remove(workspace: string, scope: string, effect: Effect, id: number): Promise<Schedule | null>
  /** Outcomes of its due slots, newest first. */
  slots(workspace: string, scope: string, id: number, limit: number): Promise<Slot[]>
}

/** A schedule that starts by events, and how many of them did not match. */
export interface EventRule {
  scope: string
  schedule: Schedule
  passed: number
}

/** Schedules that start by events (C640). */
export interface EventRules {
  /** Those of a workspace, in any scope. */
  list(workspace: string): Promise<EventRule[]>
  /** Counts an event that did not match. */
  pass(workspace: string, scope: string, id: number): Promise<void>
}

/**
 * Files that tasks made, by conversation (R90). Saving a name again replaces it; the same twice
 * equals once.
 */
export interface Artifacts {
  /** False: the conversation has as many as it may have. */
  save(workspace: string, conversationId: string, artifact: Artifact): Promise<boolean>
  /** Oldest first. */
  saved(workspace: string, conversationId: string): Promise<Artifact[]>
  /**
   * Keeps the whole text of a file that was handed in (C790). False: there are as many as may be.
   */
  keep(workspace: string, conversationId: string, document: KeptDocument): Promise<boolean>
  /**
   * Names of the texts that are kept, for a person's task: those of another person alone are left
   * out (S95).
   */
  keptNames(workspace: string, conversationId: string, reader?: string): Promise<string[]>
  kept(
    workspace: string,
    conversationId: string,
    name: string,
    reader?: string,
  ): Promise<KeptDocument | null>
}

/** Tokens and cost by whom they were for. Commits raise them. */
export interface UsageCounts {
  /** Usage of a day and of the month that it is in. */
  ofDay(workspace: string, day: string, payers: Payers): Promise<PeriodUsage>
  /** Figures of these days, by dimension; days without any have no rows. */
  figures(workspace: string, days: readonly string[]): Promise<DayFigures[]>
}

/**
 * Proposals and facts, by owner: a person, a thread, a channel or the workspace.
 *
 * Contract: `change` hands the stored memory to `make`, maybe several times. It stores the result
 * with its audit event if nobody changed the owner's memory meanwhile.
 * If `make` returns `null`, nothing changes and the answer is `null`. A repeated `effectId` changes
 * nothing and answers what the first one did.
 */
export interface Memories {
  /** In the order of the owners; one of whom nothing is known has nothing. */
  read(workspace: string, owners: readonly string[]): Promise<Memory[]>
  change(
    workspace: string,
    owner: string,
    effect: Effect,
    make: (memory: Memory) => MemoryChange | null,
  ): Promise<MemoryChange | null>
  /** Everyone of whom something is or was known. */
  owners(workspace: string): Promise<string[]>
  /** The newest events of an owner, newest first. */
  history(workspace: string, owner: string, limit: number): Promise<MemoryEvent[]>
  /**
   * Proposals of any workspace whose time is over and that nobody has decided; at most `limit`
   * owners of each.
   */
  overdue(
    now: number,
    limit: number,
  ): Promise<{ workspace: string; owner: string; ids: number[] }[]>
}

/** A row whose alarm is due. The seal names the state that was read. */
export type Alarm = { name: string; scope: string; seal: string } & (
  | {
      kind: 'schedule'
      schedule: Schedule
      lastRun: RunStatus | null
      /** What the last run took; null while its work is not over. */
      lastSpent: RunSpent | null
    }
  | { kind: 'todo'; todo: Todo }
)

/**
 * The alarms of a workspace: everything that starts or reminds by itself. Rows hold them; the queue
 * only wakes.
 */
export interface Alarms {
  /**
   * At most `limit` that are due, the earliest first; when the next one after them is; and how many
   * changes came in. `damaged` are those whose rows cannot be read, by name; `isNewer` ones are a
   * newer Clew's to read.
   */
  due(
    lease: Lease,
    now: number,
    limit: number,
  ): Promise<{
    alarms: Alarm[]
    damaged: (Omit<Damaged, 'at'> & { name: string; isNewer: boolean })[]
    next: number | null
    waiting: number
  }>
  /** Every workspace, for the sweep. */
  workspaces(): Promise<string[]>
}

/** Removal of what is older than the settings allow. */
export interface Retention {
  /**
   * Removes the conversations in which nothing was said since `before`, with all that belongs to
   * them, and as old runs that ended without one. A conversation stays as long as it has a run that
   * has not ended, an open question, or anything that waits to be taken in or to be shown. Of what
   * is remembered, what was refused, expired or taken back before then goes, and what was said
   * about it; and, in every conversation, what was overheard before then. Answers how many
   * conversations, runs and memories it removed.
   */
  purge(before: number): Promise<number>
}

/** Records that are kept of one person, by their id in a workspace (C117, C118). */
export interface Privacy {
  /** Everybody who has said something that is kept there, by the newest of their names. */
  people(workspace: string): Promise<Author[]>
  /** All that they said and made, oldest first. */
  kept(workspace: string, person: string): Promise<Kept[]>
  /**
   * Erases what `kept` answers, and their name wherever else it stands. What says `stays` stays.
   * Answers what `kept` did before. Interrupted and done again it ends the same.
   */
  erase(workspace: string, person: string): Promise<Kept[]>
  /**
   * Gives what they own to another person: tasks that have not ended, schedules, open approvals and
   * to-dos. Each is theirs or the other's, never between; interrupted and done again it ends the
   * same.
   */
  handOver(workspace: string, from: string, to: Author): Promise<Owned>
}

/**
 * `message`: the newest of those that say most of what was looked for; null where none of the
 * newest thousand says any of it.
 */
export interface FoundThread {
  line: ThreadLine
  message: Message | null
}

/**
 * Threads by the words that were said there, as an index that is written with each message.
 *
 * Contract: `find` answers those of several workspaces together, newest first, behind a place;
 * `next` is null on the last page. It looks at a bounded number of threads: where that ends a page
 * early, `looked` is the number, and `next` goes on behind them. What was erased, deleted or is
 * kept no longer is not found.
 */
export interface Searches {
  find(
    workspaces: readonly string[],
    search: Search,
    before: { at: number; id: string } | null,
    limit: number,
    sees?: Sees,
  ): Promise<{
    found: FoundThread[]
    next: { at: number; id: string } | null
    looked: number | null
  }>
  /**
   * Indexes some of what was said before there was an index, and of what changed without it.
   * Answers true while there may be more.
   */
  build(): Promise<boolean>
}

export interface Store {
  leases: Leases
  inbox: Inbox
  commits: Commits
  conversations: Conversations
  runs: Runs
  outbox: Outbox
  todos: Todos
  notes: Notes
  rates: Rates
  schedules: Schedules
  events: EventRules
  alarms: Alarms
  calendar: Calendar
  memories: Memories
  needs: Needs
  backlog: Backlog
  search: Searches
  usage: UsageCounts
  approvals: Approvals
  artifacts: Artifacts
  audit: Audit
  retention: Retention
  privacy: Privacy
  /** True words for operators; `stuck` when only a new process can help (P29). */
  health(): Promise<{ ok: boolean; detail: string; stuck?: boolean }>
  close(): Promise<void>
}
