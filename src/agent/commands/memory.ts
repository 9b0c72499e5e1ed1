import { texts } from '../../locales/texts.ts'
import { assertNever } from '../domain/assert.ts'
import type { Fact, Proposal } from '../domain/fact.ts'
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
import type { Memories } from '../ports/store.ts'
import { memoryHere, memoryName, type ScopedMemory } from '../recall.ts'
import type { Command, CommandContext, CommandResult } from './command.ts'
import { type MemoryRequest, type MemoryVerb, memoryActionOf, readMemory } from './memory-grammar.ts'
import { renderDetails, renderMemory, renderNote, renderProblem } from './memory-render.ts'
import { inlineCode } from './words.ts'

export interface MemoryDeps {
  memories: Memories
  /** How long a proposal waits for somebody to decide. */
  proposalMs: number
}

/** A model proposes and looks; only people decide (S4). */
export type MemoryUse = 'person' | 'model' | 'looking'

const allowed: Record<MemoryUse, (kind: MemoryRequest['kind']) => boolean> = {
  person: () => true,
  model: (kind) => kind === 'propose' || kind === 'list' || kind === 'show',
  looking: (kind) => kind === 'list' || kind === 'show',
}

/** Events that the details of a fact show. */
const eventsShown = 10

/**
 * `/memory`, for people and for the tool of the same name (F30). Whose memory is meant follows from where it is said and by
 * whom, never from the words (S5).
 */
export function createMemoryCommand(deps: MemoryDeps, use: MemoryUse = 'person'): Command {
  return {
    name: 'memory',
    aliases: ['memories', 'facts', '记忆'],
    summary: (locale) => texts(locale).memory.summary,
    usage: (locale) => [...texts(locale).memory.usage],
    recognises: (args) => args.trim() === '' || memoryActionOf(args.trim().split(/\s/, 1)[0] ?? '') !== null,
    async run(args, context) {
      const reading = readMemory(args, context.locale)
      const { memory, help } = texts(context.locale)
      if (!reading.ok) {
        const { kind, typed, example } = reading.problem
        const subject = kind === 'too_long' ? typed : inlineCode(typed)
        return { ok: false, text: `${memory.problems[kind](subject)}\n${help.tryThis}${inlineCode(example)}` }
      }
      if (!allowed[use](reading.request.kind)) return { ok: false, text: memory.onlyPeople }
      return await answerMemory(reading.request, context, deps)
    },
  }
}

/** Does what was asked for; shared with the page. */
export async function answerMemory(
  request: MemoryRequest,
  context: CommandContext,
  deps: MemoryDeps,
): Promise<CommandResult> {
  switch (request.kind) {
    case 'list':
      return await list(request.scope, context, deps)
    case 'show':
      return await show(request, context, deps)
    case 'add':
    case 'propose':
      return await wish(request, context, deps)
    case 'accept':
    case 'reject':
    case 'forget':
    case 'archive':
    case 'restore':
      return await decide(request.kind, request, context, deps)
    default:
      return assertNever(request)
  }
}

async function list(
  scope: Fact['scope'] | null,
  context: CommandContext,
  { memories }: MemoryDeps,
): Promise<CommandResult> {
  const here = await memoryHere(memories, context)
  const shown = here.filter((one) => scope === null || one.scope === scope)
  const isOwn = shown.some((one) => one.scope === 'me' && holdsAny(one, context.now))
  return { ok: true, text: renderMemory(shown, context), ...(isOwn ? { private: true } : {}) }
}

const holdsAny = ({ memory }: ScopedMemory, now: number) =>
  memory.facts.some(({ status }) => status === 'active') ||
  memory.proposals.some(({ status, expiresAt }) => status === 'pending' && expiresAt > now)

type Named = Extract<MemoryRequest, { kind: MemoryVerb }>

async function show({ scope, id }: Named, context: CommandContext, { memories }: MemoryDeps): Promise<CommandResult> {
  const owner = ownerOf(scope, context)
  if (owner === null) return notFound({ scope, id }, context)
  const [[memory], events] = await Promise.all([
    memories.read(context.workspace, [owner]),
    memories.history(context.workspace, owner, 1_000),
  ])
  const fact = memory?.facts.find((one) => one.id === id) ?? null
  const proposal = memory?.proposals.find((one) => one.id === id) ?? null
  if (fact === null && proposal === null) return notFound({ scope, id }, context)
  const own = events.filter((event) => event.id === id || event.factId === id).slice(0, eventsShown)
  const text = renderDetails({ fact, proposal, events: own }, context)
  return { ok: true, text, ...(scope === 'me' ? { private: true } : {}) }
}

async function wish(
  { kind, scope, key, text, policy }: Extract<MemoryRequest, { kind: 'add' | 'propose' }>,
  context: CommandContext,
  deps: MemoryDeps,
): Promise<CommandResult> {
  const { now: at, person: by, source = { kind: 'person' as const } } = context
  const asked: Wish = { scope, key, text, policy, source, by: kind === 'add' ? by : null, at }
  const expiresAt = at + deps.proposalMs
  const done = await change(deps, context, scope, (memory) =>
    kind === 'add' ? add(memory, asked) : propose(memory, asked, expiresAt),
  )
  const words = texts(context.locale).memory
  if (!done.ok) return refusal(done.problem, { scope, id: 0 }, context)
  const { fact, proposal } = done.change
  if (fact !== null) return { ok: true, text: words.added(renderNote(fact)), offers: [takeBack(fact, context)] }
  if (proposal === null) return notFound({ scope, id: 0 }, context)
  return { ok: true, text: renderProposal(proposal, context), offers: decisions(proposal, context) }
}

async function decide(
  kind: 'accept' | 'reject' | 'forget' | 'archive' | 'restore',
  named: Named,
  context: CommandContext,
  deps: MemoryDeps,
): Promise<CommandResult> {
  const { scope, id } = named
  const { person: by, now: at, locale } = context
  if (by === null) return { ok: false, text: texts(locale).memory.onlyPeople }
  const done = await change(deps, context, scope, (memory) => {
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
    }
  })
  if (!done.ok) return refusal(done.problem, named, context)
  const { fact, proposal, event } = done.change
  const words = texts(locale).memory
  const about = fact ?? proposal
  const text = words.done[event.what](by.name, about === null ? '' : renderNote(about))
  const replaced = event.diff?.before == null ? '' : `\n${words.replaced(event.diff.before)}`
  const offers = fact === null ? [] : [fact.status === 'active' ? takeBack(fact, context) : putBack(fact, context)]
  return { ok: true, text: text + replaced, offers }
}

/** One guarded change of the memory that a scope means here. */
async function change(
  { memories }: MemoryDeps,
  context: CommandContext,
  scope: Fact['scope'],
  make: (memory: Memory) => MemoryStep,
): Promise<{ ok: true; change: MemoryChange } | { ok: false; problem: MemoryProblem | { kind: 'no_owner' } }> {
  const owner = ownerOf(scope, context)
  if (owner === null) return { ok: false, problem: { kind: 'no_owner' } }
  let problem: MemoryProblem = { kind: 'not_found' }
  const made = await memories.change(context.workspace, owner, context.effectId, (memory) => {
    const step = make(memory)
    if (step.ok) return step.change
    problem = step.problem
    return null
  })
  return made === null ? { ok: false, problem } : { ok: true, change: made }
}

function renderProposal(proposal: Proposal, context: CommandContext): string {
  const words = texts(context.locale).memory
  return words.proposed(renderNote(proposal), words.holdsFor[proposal.scope])
}

const decisions = (proposal: Proposal, { locale }: CommandContext) => {
  const { accept: yes, reject: no } = texts(locale).memory.offers
  return [
    { label: yes, command: `/memory accept ${memoryName(proposal)}` },
    { label: no, command: `/memory reject ${memoryName(proposal)}` },
  ]
}

const takeBack = (fact: Fact, { locale }: CommandContext) => ({
  label: texts(locale).memory.offers.forget,
  command: `/memory forget ${memoryName(fact)}`,
})

const putBack = (fact: Fact, { locale }: CommandContext) => ({
  label: texts(locale).memory.offers.restore,
  command: `/memory restore ${memoryName(fact)}`,
})

const notFound = (named: { scope: Fact['scope']; id: number }, context: CommandContext): CommandResult =>
  refusal({ kind: 'not_found' }, named, context)

function refusal(
  problem: MemoryProblem | { kind: 'no_owner' },
  named: { scope: Fact['scope']; id: number },
  { locale }: CommandContext,
): CommandResult {
  return { ok: false, text: renderProblem(problem, named, locale) }
}
