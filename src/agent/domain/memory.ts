import { isTeam } from './conversation.ts'
import type { Fact, MemoryEvent, MemoryScope, Proposal, SourceRef } from './fact.ts'
import type { Author } from './message.ts'
import { normalised } from './same-item.ts'
import type { Allowed } from './words.ts'

/*
 * What may be done to the memory of one owner, as pure functions: each answers the rows that change
 * together with their one audit event, or why nothing changes. The store writes them in one step
 * and only if nobody changed the owner's memory since.
 */

/**
 * Whose memory a scope means, from where and by whom something is said: never from its words, so
 * that nothing that is written can name another's (S5). Null where there is no such owner:
 * unattended work has no person, a page outside threads no thread, direct messages of a platform
 * without teams no team.
 */
export function ownerOf(
  scope: MemoryScope,
  place: {
    workspace: string
    channel: string
    conversationId: string
    person: { id: string } | null
  },
): string | null {
  const { workspace, channel, conversationId, person } = place
  const owners: Readonly<Record<MemoryScope, string | null>> = {
    me: person && `user:${person.id}`,
    thread: conversationId === '' ? null : `thread:${conversationId}`,
    channel: `channel:${channel}`,
    team: isTeam(workspace) ? 'workspace' : null,
  }
  return owners[scope]
}

/** The thread that an owner is; null for any other. */
export const threadOf = (owner: string): string | null => /^thread:(.*)$/s.exec(owner)?.[1] ?? null

/** All that is remembered for one owner. */
export interface Memory {
  /** The last number that was given. */
  last: number
  facts: readonly Fact[]
  proposals: readonly Proposal[]
}

/** Rows that change together, and the one event that says so. */
export interface MemoryChange {
  fact: Fact | null
  proposal: Proposal | null
  event: MemoryEvent
}

export type MemoryProblem =
  | { kind: 'not_found' }
  /** It was proposed, or is a fact, with these very words. */
  | { kind: 'known'; id: number }
  | { kind: 'too_many' }
  | { kind: 'decided'; proposal: Proposal }
  /** A fact that is in the state already. */
  | { kind: 'already'; fact: Fact }
  /** Another active fact has its key by now. */
  | { kind: 'taken'; by: Fact }

export type MemoryStep = { ok: true; change: MemoryChange } | { ok: false; problem: MemoryProblem }

/**
 * The longest fact, in characters, and how many an owner may have. Prompts stay small, and so does
 * what an attack can leave.
 */
export const memoryLimits = { text: 500, key: 60, active: 200, pending: 20 } as const

/** Fact that somebody wants remembered. */
export interface Wish {
  scope: MemoryScope
  key: string | null
  text: string
  policy: Proposal['policy']
  source: SourceRef
  by: Author | null
  at: number
}

export function propose(memory: Memory, wish: Wish, expiresAt: number): MemoryStep {
  const known = sameOf(memory, wish)
  if (known !== null) return refused({ kind: 'known', id: known })
  if (memory.proposals.filter((one) => isPending(one, wish.at)).length >= memoryLimits.pending)
    return refused({ kind: 'too_many' })
  const { scope, key, text, policy, source, at } = wish
  const row = { version: 1 as const, id: memory.last + 1, scope, key, text, source, policy }
  const open = { status: 'pending' as const, decidedBy: null, decidedAt: null, factId: null }
  const proposal: Proposal = { ...row, ...open, proposedAt: at, expiresAt }
  return changed(null, proposal, { at, by: wish.by, what: 'proposed', id: proposal.id })
}

/** A person's own words need nobody's approval (C284). */
export function add(memory: Memory, wish: Wish, _: Allowed<'remember'>): MemoryStep {
  const known = memory.facts.find((one) => one.status === 'active' && sameText(one, wish))
  if (known !== undefined) return refused({ kind: 'known', id: known.id })
  return become(memory, { ...wish, id: memory.last + 1 }, { proposal: null, what: 'added' })
}

export function accept(
  memory: Memory,
  id: number,
  { by, at }: { by: Author; at: number },
  _: Allowed<'remember'>,
): MemoryStep {
  return decide(memory, id, at, (proposal) =>
    become(memory, { ...proposal, by, at }, { proposal, what: 'accepted' }),
  )
}

export function reject(memory: Memory, id: number, by: Author, at: number): MemoryStep {
  return decide(memory, id, at, (proposal) => {
    const rejected: Proposal = { ...proposal, status: 'rejected', decidedBy: by, decidedAt: at }
    return changed(null, rejected, { at, by, what: 'rejected', id })
  })
}

function decide(
  memory: Memory,
  id: number,
  at: number,
  step: (proposal: Proposal) => MemoryStep,
): MemoryStep {
  const proposal = memory.proposals.find((one) => one.id === id)
  if (proposal === undefined) return refused({ kind: 'not_found' })
  const standing = asOf(proposal, at)
  return standing.status === 'pending'
    ? step(proposal)
    : refused({ kind: 'decided', proposal: standing })
}

/** Closes a proposal that nobody decided before it expired. */
export function expire(memory: Memory, id: number, at: number): MemoryStep {
  const proposal = memory.proposals.find((one) => one.id === id)
  if (proposal === undefined) return refused({ kind: 'not_found' })
  if (proposal.status !== 'pending' || proposal.expiresAt > at)
    return refused({ kind: 'decided', proposal })
  return changed(
    null,
    { ...proposal, status: 'expired', decidedAt: at },
    { at, by: null, what: 'expired', id },
  )
}

/**
 * A person's other words in its place: told in the history as a replacement by its key is; where it
 * comes from stays.
 */
export function edit(
  memory: Memory,
  id: number,
  text: string,
  { by, at }: { by: Author; at: number },
): MemoryStep {
  const fact = memory.facts.find((one) => one.id === id)
  if (fact === undefined) return refused({ kind: 'not_found' })
  if (fact.status !== 'active') return refused({ kind: 'already', fact })
  const asked = { key: fact.key, text }
  const known = memory.facts.find(
    (one) => one.status === 'active' && one.id !== id && sameText(one, asked),
  )
  if (known !== undefined) return refused({ kind: 'known', id: known.id })
  const edited: Fact = { ...fact, text, revision: fact.revision + 1, acceptedBy: by, updatedAt: at }
  return changed(edited, null, {
    at,
    by,
    what: 'added',
    id,
    factId: id,
    diff: { before: fact.text, after: text },
  })
}

const statusOf = { revoked: 'revoked', archived: 'archived', restored: 'active' } as const

/**
 * Takes a fact out of every prompt from now on (`revoked`, `archived`), or back in (`restored`).
 */
export function move(
  memory: Memory,
  id: number,
  what: 'revoked' | 'archived' | 'restored',
  { by, at }: { by: Author; at: number },
): MemoryStep {
  const fact = memory.facts.find((one) => one.id === id)
  if (fact === undefined) return refused({ kind: 'not_found' })
  const status = statusOf[what]
  if (fact.status === status || (status !== 'active' && fact.status !== 'active'))
    return refused({ kind: 'already', fact })
  if (status === 'active') {
    const taken = memory.facts.find(
      (one) => one.status === 'active' && one.key !== null && one.key === fact.key,
    )
    if (taken !== undefined) return refused({ kind: 'taken', by: taken })
    if (isFull(memory)) return refused({ kind: 'too_many' })
  }
  return changed({ ...fact, status, updatedAt: at }, null, { at, by, what, id })
}

/** A proposal as it stands at a time: its end needs nobody to write it. */
export const asOf = (proposal: Proposal, at: number): Proposal =>
  proposal.status === 'pending' && proposal.expiresAt <= at
    ? { ...proposal, status: 'expired' }
    : proposal

const isPending = (proposal: Proposal, at: number) => asOf(proposal, at).status === 'pending'

/** The rows with a change in them. */
export function applied(memory: Memory, { fact, proposal }: MemoryChange): Memory {
  return {
    last: Math.max(memory.last, fact?.id ?? 0, proposal?.id ?? 0),
    facts:
      fact === null ? memory.facts : [...memory.facts.filter(({ id }) => id !== fact.id), fact],
    proposals:
      proposal === null
        ? memory.proposals
        : [...memory.proposals.filter(({ id }) => id !== proposal.id), proposal],
  }
}

type Accepted = Omit<Wish, 'policy'> & { id: number; policy: Proposal['policy'] }

/** The fact whose place a wish would take; undefined: none. */
export const replacedBy = (
  memory: Memory,
  { key, policy }: Pick<Wish, 'key' | 'policy'>,
): Fact | undefined => (policy === 'keep_both' || key === null ? undefined : latestOf(memory, key))

/**
 * F30: with `overwrite_latest` the newest fact of the same key gets the new text and a higher
 * revision.
 */
function become(
  memory: Memory,
  { id, scope, key, text, policy, source, by, at }: Accepted,
  { proposal, what }: { proposal: Proposal | null; what: 'added' | 'accepted' },
): MemoryStep {
  const before = replacedBy(memory, { key, policy })
  if (before === undefined && isFull(memory)) return refused({ kind: 'too_many' })
  const row = {
    version: 1 as const,
    id,
    scope,
    key,
    status: 'active' as const,
    revision: 0,
    createdAt: at,
  }
  const old = before ?? row
  const fact: Fact = {
    ...old,
    text,
    source,
    revision: old.revision + 1,
    acceptedBy: by,
    updatedAt: at,
  }
  const diff = { before: before?.text ?? null, after: text }
  const decided: Proposal | null = proposal && {
    ...proposal,
    status: 'accepted',
    decidedBy: by,
    decidedAt: at,
    factId: fact.id,
  }
  return changed(fact, decided, {
    at,
    by,
    what,
    id: proposal?.id ?? fact.id,
    factId: fact.id,
    diff,
  })
}

const latestOf = (memory: Memory, key: string) =>
  memory.facts
    .filter((one) => one.status === 'active' && one.key === key)
    .sort((a, b) => a.updatedAt - b.updatedAt || a.id - b.id)
    .at(-1)

const isFull = ({ facts }: Memory) =>
  facts.filter(({ status }) => status === 'active').length >= memoryLimits.active

/** An active fact or an open proposal with the same words. */
function sameOf(memory: Memory, wish: Wish): number | null {
  const fact = memory.facts.find((one) => one.status === 'active' && sameText(one, wish))
  const proposal = memory.proposals.find((one) => isPending(one, wish.at) && sameText(one, wish))
  return fact?.id ?? proposal?.id ?? null
}

const sameText = (
  one: { text: string; key: string | null },
  other: { text: string; key: string | null },
) => one.key === other.key && normalised(one.text) === normalised(other.text)

const refused = (problem: MemoryProblem): MemoryStep => ({ ok: false, problem })

function changed(
  fact: Fact | null,
  proposal: Proposal | null,
  event: Pick<MemoryEvent, 'at' | 'by' | 'what' | 'id'> &
    Partial<Pick<MemoryEvent, 'factId' | 'diff'>>,
): MemoryStep {
  return {
    ok: true,
    change: { fact, proposal, event: { version: 1, factId: null, diff: null, ...event } },
  }
}
