import type { FactNote } from './contracts/input.ts'
import { type Fact, type MemoryScope, memoryScopes } from './domain/fact.ts'
import { deriveId } from './domain/id.ts'
import { expire, type Memory, memoryLimits, ownerOf } from './domain/memory.ts'
import type { Author } from './domain/message.ts'
import type { Conversations, Memories } from './ports/store.ts'

/** From where something is asked: it decides whose memory is seen (S5). */
export interface MemoryContext {
  workspace: string
  channel: string
  conversationId: string
  person: Author | null
}

export interface ScopedMemory {
  scope: MemoryScope
  owner: string
  memory: Memory
}

/**
 * The memory of everyone who is meant here: this person, this thread, this channel, this workspace.
 * In one round trip.
 */
export async function memoryHere(
  memories: Pick<Memories, 'read'>,
  context: MemoryContext,
): Promise<ScopedMemory[]> {
  const owners = memoryScopes.flatMap((scope) => {
    const owner = ownerOf(scope, context)
    return owner === null ? [] : [{ scope, owner }]
  })
  const read = await memories.read(
    context.workspace,
    owners.map(({ owner }) => owner),
  )
  return owners.map((one, index) => ({
    ...one,
    memory: read[index] ?? { last: 0, facts: [], proposals: [] },
  }))
}

/** `thread-3`: how people and models name what is remembered. */
export const memoryName = ({ scope, id }: Pick<Fact, 'scope' | 'id'>): string => `${scope}-${id}`

export type Recall = (context: MemoryContext) => Promise<readonly FactNote[]>

/**
 * Size of the facts in a prompt, in bytes (F30). The newest stay, in a fixed order, so that the
 * prompt's prefix stays cached.
 */
const recalledMost = 4_096

export interface RecallDeps {
  memories: Pick<Memories, 'read'>
  conversations: Pick<Conversations, 'state' | 'overheard'>
  /** True if nobody but one person and Clew can speak there. */
  isAlone(place: Pick<MemoryContext, 'workspace' | 'channel'>): boolean
}

/**
 * R92, F30: the active facts that hold here, as data for prompts; a person's own only where they
 * are alone with Clew (S47).
 */
export function createRecall(deps: RecallDeps): Recall {
  return async (context) => {
    const here = await memoryHere(deps.memories, context)
    const known = here.flatMap(({ memory }) =>
      memory.facts.filter(({ status }) => status === 'active'),
    )
    const hasOwn = known.some(({ scope }) => scope === 'me')
    const hidesOwn = hasOwn && !(await isAloneIn(deps, context))
    const active = known.filter(({ scope }) => !(hidesOwn && scope === 'me'))
    let room = recalledMost
    const fits = new Set(
      active
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
        .filter((fact) => {
          room -= Buffer.byteLength(`- [${memoryName(fact)}] ${fact.key ?? ''}: ${fact.text}\n`)
          return room >= 0
        }),
    )
    return active
      .filter((fact) => fits.has(fact))
      .map((fact) => ({
        name: memoryName(fact),
        key: fact.key,
        text: fact.text.slice(0, memoryLimits.text),
        by: fact.acceptedBy?.id,
      }))
  }
}

/** Newest messages in which others are looked for. */
const messagesRead = 100

async function isAloneIn(
  { conversations, isAlone }: RecallDeps,
  context: MemoryContext,
): Promise<boolean> {
  const { person } = context
  if (!isAlone(context) || person === null) return false
  const authors = await authorsIn(conversations, context, messagesRead)
  return authors.every(({ id }) => id === person.id)
}

/** Authors of a thread's newest messages and of what was overheard there; none without a thread. */
export async function authorsIn(
  conversations: Pick<Conversations, 'state' | 'overheard'>,
  { workspace, conversationId }: Pick<MemoryContext, 'workspace' | 'conversationId'>,
  messages: number,
): Promise<Author[]> {
  if (conversationId === '') return []
  const [state, overheard] = await Promise.all([
    conversations.state(workspace, conversationId, messages, 1),
    conversations.overheard(workspace, conversationId),
  ])
  return [...(state?.messages ?? []), ...overheard].flatMap(({ author }) => author ?? [])
}

/** Owners whose proposals are closed in one go. */
const overdueMost = 100

/**
 * Closes the proposals that nobody decided in time, each with its event. Done twice it equals once.
 */
export async function expireProposals(
  memories: Pick<Memories, 'overdue' | 'change'>,
  now: number,
): Promise<void> {
  for (const { workspace, owner, ids } of await memories.overdue(now, overdueMost)) {
    for (const id of ids) {
      await memories.change(
        workspace,
        owner,
        deriveId('x', owner, String(id), 'expire'),
        (memory) => {
          const step = expire(memory, id, now)
          return step.ok ? step.change : null
        },
      )
    }
  }
}
