import { texts } from '../../locales/texts.ts'
import type { Fact, MemoryEvent, MemoryScope, Proposal } from '../domain/fact.ts'
import {
  accept,
  add,
  edit,
  type Memory,
  type MemoryChange,
  type MemoryProblem,
  type MemoryStep,
  move,
  ownerOf,
  propose,
  reject,
  replacedBy,
  type Wish,
} from '../domain/memory.ts'
import type { Author } from '../domain/message.ts'
import { present } from '../domain/present.ts'
import { type Allowed, allowed } from '../domain/words.ts'
import type { Memories } from '../ports/store.ts'
import { memoryHere, memoryName, type ScopedMemory } from '../recall.ts'
import { type CommandContext, type CommandResult, effectOf } from './command.ts'
import { narrow } from './command-line.ts'
import { renderDetails, renderMemory, renderNote, renderProblem } from './memory-render.ts'

export interface MemoryDeps {
  memories: Memories
  /** Lifetime of an undecided proposal, in milliseconds. */
  proposalMs: number
}
type Answer<D> = Promise<CommandResult<D>>
/** `of`: whose fact it is, where only they may decide about it. */
export type FactName = Pick<Fact, 'scope' | 'id'> & { of?: string }
/** Fact that somebody asks to remember, in their words. */
export type SaidFact = Pick<Proposal, 'scope' | 'key' | 'text' | 'policy'>
/** Fact or proposal with its newest events. */
interface FactDetails {
  fact: Fact | null
  proposal: Proposal | null
  events: readonly MemoryEvent[]
}

/** Events that the details of a fact show. */
const eventsShown = 10

/**
 * S47: where others read the answer, nobody's own facts are in it; where the person is alone, the
 * prompt has them already.
 */
const isModels = ({ whose }: CommandContext) => whose.way === 'model'

/**
 * S53: a proposal stays in the thread where it was made: it may hold what was said to Clew alone.
 */
const wasMadeHere = (
  { scope, source }: Pick<Proposal, 'scope' | 'source'>,
  { conversationId }: Pick<CommandContext, 'conversationId'>,
) => scope === 'me' || source.kind === 'person' || source.conversationId === conversationId

/**
 * A look at what a name names here, or a decision about it; a proposal of another thread is not
 * there (S53).
 */
export const inItsThread =
  <D>(act: (name: FactName, context: CommandContext, deps: MemoryDeps) => Answer<D>) =>
  async (name: FactName, context: CommandContext, deps: MemoryDeps): Answer<D> => {
    const owner = ownerOf(name.scope, context)
    const [memory] = owner === null ? [] : await deps.memories.read(context.workspace, [owner])
    const proposal = memory?.proposals.find(({ id }) => id === name.id)
    const isOpen = proposal !== undefined && proposal.status === 'pending'
    return isOpen && !wasMadeHere(proposal, context)
      ? refusal({ kind: 'not_found' }, name, context)
      : await act(name, context, deps)
  }

export async function listMemory(
  { scope }: { scope: MemoryScope | null },
  context: CommandContext,
  { memories }: MemoryDeps,
): Answer<readonly ScopedMemory[]> {
  const here = (await memoryHere(memories, context)).map((one) => ({
    ...one,
    memory: {
      ...one.memory,
      proposals: one.memory.proposals.filter((proposal) => wasMadeHere(proposal, context)),
    },
  }))
  const mayBeSeen = here.filter((one) => one.scope !== 'me' || !isModels(context))
  const data = mayBeSeen.filter((one) => scope === null || one.scope === scope)
  const isOwn = data.some((one) => one.scope === 'me' && holdsAny(one, context.now))
  return { ok: true, text: renderMemory(data, context), data, private: isOwn || undefined }
}

const holdsAny = ({ memory }: ScopedMemory, now: number) =>
  memory.facts.some(({ status }) => status === 'active') ||
  memory.proposals.some(({ status, expiresAt }) => status === 'pending' && expiresAt > now)

export async function showFact(
  name: FactName,
  context: CommandContext,
  { memories }: MemoryDeps,
): Answer<FactDetails> {
  const { scope, id } = name
  const owner = scope === 'me' && isModels(context) ? null : ownerOf(scope, context)
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
  return {
    ok: true,
    text: renderDetails(data, context),
    data,
    private: scope === 'me' || undefined,
  }
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
  const may = kind === 'add' ? allowed(context.whose, 'remember') : 'proposed'
  if (may === null) return { ok: false, text: words.onlyPeople }
  let before: string | undefined
  const made = await change(deps, context, { scope, id: 0 }, (memory) => {
    before = replacedBy(memory, asked)?.text
    return may === 'proposed'
      ? propose(memory, asked, at + deps.proposalMs)
      : add(memory, asked, may)
  })
  if (made.data === undefined) return made
  const { fact, proposal } = made.data
  if (fact !== null)
    return {
      ...made,
      text: words.added(renderNote(fact)) + replaced(made.data, context),
      offers: [takeBack(fact, context)],
    }
  if (proposal === null) return refusal({ kind: 'not_found' }, { scope, id: 0 }, context)
  const offers = (['accept', 'reject'] as const).map((verb) => offerOf(verb, proposal, context))
  return {
    ...made,
    text: present([
      words.proposed(renderNote(proposal), words.holdsFor[proposal.scope]),
      before !== undefined && words.wouldReplace(before),
    ]).join('\n'),
    offers,
  }
}

export const decisions = ['accept', 'reject', 'forget', 'archive', 'restore'] as const
export type Decision = (typeof decisions)[number]

/** Returns the command of a button that decides about a fact or a proposal. */
export const decisionCommand = (decision: Decision, name: FactName) =>
  `/memory ${decision} ${memoryName(name)}${name.of === undefined ? '' : `@${name.of}`}`

/** C300: a button about one person's fact says whose it is, and works for that person alone. */
function offerOf(
  verb: 'accept' | 'reject' | 'forget' | 'restore',
  { scope, id }: FactName,
  { person, locale }: CommandContext,
) {
  const { offers, offersOf } = texts(locale).memory
  return scope !== 'me' || person === null
    ? { label: offers[verb], command: decisionCommand(verb, { scope, id }) }
    : {
        label: offersOf[verb](person.name, id),
        command: decisionCommand(verb, { scope, id, of: person.id }),
      }
}

interface Decider {
  by: Author
  at: number
  may: Allowed<'remember'>
}

const steps: Record<Decision, (memory: Memory, id: number, decider: Decider) => MemoryStep> = {
  accept: (memory, id, { may, ...decider }) => accept(memory, id, decider, may),
  reject: (memory, id, { by, at }) => reject(memory, id, by, at),
  // What is only proposed is refused by that.
  forget: (memory, id, { by, at }) =>
    memory.facts.some((one) => one.id === id)
      ? move(memory, id, 'revoked', { by, at })
      : reject(memory, id, by, at),
  archive: (memory, id, { by, at }) => move(memory, id, 'archived', { by, at }),
  restore: (memory, id, { by, at }) => move(memory, id, 'restored', { by, at }),
}

/** Carries out a person's decision about a fact or a proposal. */
export const decideFact = (
  decision: Decision,
  name: FactName,
  context: CommandContext,
  deps: MemoryDeps,
): Answer<MemoryChange> => decided(name, context, deps, (...at) => steps[decision](...at))

/** C255: other words for a fact, by a person. */
export const editFact = (
  { text, ...name }: FactName & { text: string },
  context: CommandContext,
  deps: MemoryDeps,
): Answer<MemoryChange> =>
  decided(name, context, deps, (memory, id, { by, at }) => edit(memory, id, text, { by, at }))

async function decided(
  name: FactName,
  context: CommandContext,
  deps: MemoryDeps,
  step: (typeof steps)[Decision],
): Answer<MemoryChange> {
  const { person, now, locale } = context
  const words = texts(locale).memory
  const may = allowed(context.whose, 'remember')
  if (person === null || may === null) return { ok: false, text: words.onlyPeople }
  if (name.of !== undefined && narrow(name.of) !== narrow(person.id))
    return { ok: false, text: words.notYours, private: true }
  const made = await change(deps, context, name, (memory) =>
    step(memory, name.id, { by: person, at: now, may }),
  )
  if (made.data === undefined) return made
  const { fact, proposal, event } = made.data
  const about = fact ?? proposal
  const text = words.done[event.what](person.name, about === null ? '' : renderNote(about))
  return {
    ...made,
    text: text + replaced(made.data, context),
    offers: fact === null ? [] : [takeBack(fact, context)],
    // What it takes the place of was said elsewhere (S47).
    ...(name.scope === 'me' && made.data.event.diff?.before != null ? { private: true } : {}),
  }
}

/** Returns a line that names the replaced text; empty if there was none. */
const replaced = ({ event: { diff } }: MemoryChange, { locale }: CommandContext) =>
  diff?.before == null ? '' : `\n${texts(locale).memory.replaced(diff.before)}`

/**
 * Changes the memory of the name's scope, in one guarded write. Its `text` is empty: the caller
 * words the answer.
 */
async function change(
  { memories }: MemoryDeps,
  context: CommandContext,
  name: FactName,
  make: (memory: Memory) => MemoryStep,
): Answer<MemoryChange> {
  const owner = ownerOf(name.scope, context)
  if (owner === null) return refusal({ kind: 'no_owner' }, name, context)
  let problem: MemoryProblem = { kind: 'not_found' }
  const data = await memories.change(context.workspace, owner, effectOf(context), (memory) => {
    const step = make(memory)
    if (step.ok) return step.change
    problem = step.problem
    return null
  })
  return data === null ? refusal(problem, name, context) : { ok: true, text: '', data }
}

/** The button that undoes it. */
const takeBack = (fact: Fact, context: CommandContext) =>
  offerOf(fact.status === 'active' ? 'forget' : 'restore', fact, context)

function refusal(
  problem: MemoryProblem | { kind: 'no_owner' },
  named: FactName,
  { locale }: CommandContext,
): CommandResult<never> {
  const isDecided = problem.kind === 'decided' || problem.kind === 'already'
  return {
    ok: false,
    text: renderProblem(problem, named, locale),
    decided: isDecided || undefined,
  }
}
