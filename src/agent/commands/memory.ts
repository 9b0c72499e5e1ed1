import { texts } from '../../locales/texts.ts'
import { assertNever } from '../domain/assert.ts'
import type { Fact, MemoryEvent, MemoryScope, Proposal } from '../domain/fact.ts'
import {
  accept,
  add,
  type Memory,
  type MemoryChange,
  type MemoryProblem,
  type MemoryStep,
  move,
  ownerOf,
  propose,
  reject,
  type Wish,
} from '../domain/memory.ts'
import type { Author } from '../domain/message.ts'
import type { Memories } from '../ports/store.ts'
import { memoryHere, memoryName, type ScopedMemory } from '../recall.ts'
import type { Command, CommandContext, CommandResult } from './command.ts'
import { renderDetails, renderMemory, renderNote, renderProblem } from './memory-render.ts'
import { type FactName, type MemoryRequest, type MemoryVerb, memoryTable, type SaidFact } from './memory-table.ts'
import type { Use } from './table.ts'
import { commandFrom } from './table-command.ts'

export interface MemoryDeps {
  memories: Memories
  /** How long a proposal waits for somebody to decide. */
  proposalMs: number
}
type Answer<D> = Promise<CommandResult<D>>
/** One fact or proposal with the newest of what happened to it. */
interface FactDetails {
  fact: Fact | null
  proposal: Proposal | null
  events: readonly MemoryEvent[]
}

/** Events that the details of a fact show. */
const eventsShown = 10

/**
 * `/memory`, for people and for the tool of the same name (F30). Whose memory is meant follows from where it is said and by
 * whom, never from the words (S5).
 */
export function createMemoryCommand(deps: MemoryDeps, use: Use = 'person'): Command {
  return commandFrom(
    memoryTable,
    {
      summary: ({ memory }) => memory.summary,
      refusal: ({ memory }) => memory.onlyPeople,
      answer: (request, context) => answerMemory(request, context, deps),
    },
    use,
  )
}

/** Does what was asked for. */
async function answerMemory(
  request: MemoryRequest,
  context: CommandContext,
  deps: MemoryDeps,
): Answer<readonly ScopedMemory[] | FactDetails | MemoryChange> {
  switch (request.kind) {
    case 'list':
      return await listMemory(request.scope, context, deps)
    case 'show':
      return await showFact(request, context, deps)
    case 'add':
    case 'propose':
      return await keepFact(request.kind, request, context, deps)
    case 'accept':
    case 'reject':
    case 'forget':
    case 'archive':
    case 'restore':
      return await decideFact(request.kind, request, context, deps)
    default:
      return assertNever(request)
  }
}

async function listMemory(
  scope: MemoryScope | null,
  context: CommandContext,
  { memories }: MemoryDeps,
): Answer<readonly ScopedMemory[]> {
  const here = await memoryHere(memories, context)
  const data = here.filter((one) => scope === null || one.scope === scope)
  const isOwn = data.some((one) => one.scope === 'me' && holdsAny(one, context.now))
  return { ok: true, text: renderMemory(data, context), data, ...(isOwn ? { private: true } : {}) }
}

const holdsAny = ({ memory }: ScopedMemory, now: number) =>
  memory.facts.some(({ status }) => status === 'active') ||
  memory.proposals.some(({ status, expiresAt }) => status === 'pending' && expiresAt > now)

async function showFact(name: FactName, context: CommandContext, { memories }: MemoryDeps): Answer<FactDetails> {
  const { scope, id } = name
  const owner = ownerOf(scope, context)
  if (owner === null) return refusal({ kind: 'not_found' }, name, context)
  const [[memory], events] = await Promise.all([
    memories.read(context.workspace, [owner]),
    memories.history(context.workspace, owner, 1_000),
  ])
  const fact = memory?.facts.find((one) => one.id === id) ?? null
  const proposal = memory?.proposals.find((one) => one.id === id) ?? null
  if (fact === null && proposal === null) return refusal({ kind: 'not_found' }, name, context)
  const own = events.filter((event) => event.id === id || event.factId === id).slice(0, eventsShown)
  const data = { fact, proposal, events: own }
  return { ok: true, text: renderDetails(data, context), data, ...(scope === 'me' ? { private: true } : {}) }
}

/** Remembers something that a person says, or proposes it to people. */
export async function keepFact(
  kind: 'add' | 'propose',
  { scope, key, text, policy }: SaidFact,
  context: CommandContext,
  deps: MemoryDeps,
): Answer<MemoryChange> {
  const { now: at, person, source = { kind: 'person' as const } } = context
  const words = texts(context.locale).memory
  const asked: Wish = { scope, key, text, policy, source, by: kind === 'add' ? person : null, at }
  const made = await change(deps, context, { scope, id: 0 }, (memory) =>
    kind === 'add' ? add(memory, asked) : propose(memory, asked, at + deps.proposalMs),
  )
  if (made.data === undefined) return made
  const { fact, proposal } = made.data
  if (fact !== null) return { ...made, text: words.added(renderNote(fact)), offers: [takeBack(fact, context)] }
  if (proposal === null) return refusal({ kind: 'not_found' }, { scope, id: 0 }, context)
  const offers = (['accept', 'reject'] as const).map((verb) => ({
    label: words.offers[verb],
    command: `/memory ${verb} ${memoryName(proposal)}`,
  }))
  return { ...made, text: words.proposed(renderNote(proposal), words.holdsFor[proposal.scope]), offers }
}

/** What a person decides about a fact or a proposal. */
export async function decideFact(
  kind: Exclude<MemoryVerb, 'show'>,
  name: FactName,
  context: CommandContext,
  deps: MemoryDeps,
): Answer<MemoryChange> {
  const { person, now, locale } = context
  const words = texts(locale).memory
  if (person === null) return { ok: false, text: words.onlyPeople }
  const made = await change(deps, context, name, (memory) => decided(kind, memory, name.id, person, now))
  if (made.data === undefined) return made
  const { fact, proposal, event } = made.data
  const about = fact ?? proposal
  const text = words.done[event.what](person.name, about === null ? '' : renderNote(about))
  const replaced = event.diff?.before == null ? '' : `\n${words.replaced(event.diff.before)}`
  return { ...made, text: text + replaced, offers: fact === null ? [] : [takeBack(fact, context)] }
}

function decided(kind: Exclude<MemoryVerb, 'show'>, memory: Memory, id: number, by: Author, at: number): MemoryStep {
  switch (kind) {
    case 'accept':
      return accept(memory, id, by, at)
    case 'reject':
      return reject(memory, id, by, at)
    case 'forget':
      // What is only proposed is refused by that.
      return memory.facts.some((one) => one.id === id)
        ? move(memory, id, 'revoked', { by, at })
        : reject(memory, id, by, at)
    case 'archive':
      return move(memory, id, 'archived', { by, at })
    case 'restore':
      return move(memory, id, 'restored', { by, at })
    default:
      return assertNever(kind)
  }
}

/** One guarded change of the memory that a scope means here; its words are for the caller to say. */
async function change(
  { memories }: MemoryDeps,
  context: CommandContext,
  name: FactName,
  make: (memory: Memory) => MemoryStep,
): Answer<MemoryChange> {
  const owner = ownerOf(name.scope, context)
  if (owner === null) return refusal({ kind: 'no_owner' }, name, context)
  let problem: MemoryProblem = { kind: 'not_found' }
  const data = await memories.change(context.workspace, owner, context.effectId, (memory) => {
    const step = make(memory)
    if (step.ok) return step.change
    problem = step.problem
    return null
  })
  return data === null ? refusal(problem, name, context) : { ok: true, text: '', data }
}

/** The button that undoes it. */
function takeBack(fact: Fact, { locale }: CommandContext) {
  const verb = fact.status === 'active' ? 'forget' : 'restore'
  return { label: texts(locale).memory.offers[verb], command: `/memory ${verb} ${memoryName(fact)}` }
}

function refusal(
  problem: MemoryProblem | { kind: 'no_owner' },
  named: FactName,
  { locale }: CommandContext,
): CommandResult<never> {
  return { ok: false, text: renderProblem(problem, named, locale) }
}
