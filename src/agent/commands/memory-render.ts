import { texts } from '../../locales/texts.ts'
import { assertNever } from '../domain/assert.ts'
import type { Fact, MemoryEvent, Proposal } from '../domain/fact.ts'
import { asOf, type MemoryProblem } from '../domain/memory.ts'
import { showInstant } from '../domain/zone.ts'
import { memoryName, type ScopedMemory } from '../recall.ts'
import type { Reader } from './command.ts'
import { inlineCode, plainText } from './command-line.ts'

type Noted = Pick<Fact, 'scope' | 'id' | 'key' | 'text'>

/** `thread-3` city: Lisbon. */
export function renderNote(note: Noted): string {
  return `${inlineCode(memoryName(note))} ${note.key === null ? '' : `**${plainText(note.key)}**: `}${plainText(note.text)}`
}

/** Lists the valid facts and the proposals that await a decision, by scope. */
export function renderMemory(
  shown: readonly ScopedMemory[],
  { locale, timeZone, times = 'wall', now }: Reader,
): string {
  const words = texts(locale).memory
  const parts = shown.flatMap(({ scope, memory }) => {
    const facts = memory.facts
      .filter(({ status }) => status === 'active')
      .map((fact) => `- ${renderNote(fact)}`)
    const open = memory.proposals
      .map((proposal) => asOf(proposal, now))
      .filter(({ status }) => status === 'pending')
      .map(
        (one) =>
          `- ${renderNote(one)} · ${words.waiting(showInstant(times, timeZone, one.expiresAt))}`,
      )
    return facts.length + open.length === 0
      ? []
      : [[`**${words.scopes[scope]}**`, ...facts, ...open].join('\n')]
  })
  return parts.length === 0 ? words.none : [...parts, words.hint].join('\n\n')
}

/** Shows a fact or proposal with its source and its history. */
export function renderDetails(
  {
    fact,
    proposal,
    events,
  }: { fact: Fact | null; proposal: Proposal | null; events: readonly MemoryEvent[] },
  { locale, timeZone, times = 'wall', now }: Reader,
): string {
  const words = texts(locale).memory
  const time = (at: number) => showInstant(times, timeZone, at)
  const shown = fact ?? proposal
  if (shown === null) return words.none
  const status = fact?.status ?? (proposal === null ? 'active' : asOf(proposal, now).status)
  const history = events.map(({ at, by, what, diff }) => {
    const change =
      diff?.before == null ? '' : ` · ${words.diff(plainText(diff.before), plainText(diff.after))}`
    return `- ${time(at)} · ${words.events[what](by?.name ?? 'Clew')}${change}`
  })
  return [
    `${renderNote(shown)} · ${words.statuses[status]} · ${words.holdsFor[shown.scope]}`,
    words.source[shown.source.kind],
    ...history,
  ].join('\n')
}

export function renderProblem(
  problem: MemoryProblem | { kind: 'no_owner' },
  named: Pick<Fact, 'scope' | 'id'>,
  locale: string,
): string {
  const { refusals, statuses, noOwner } = texts(locale).memory
  const { scope } = named
  switch (problem.kind) {
    case 'no_owner':
      return noOwner[scope]
    case 'not_found':
      return refusals.notFound(inlineCode(memoryName(named)))
    case 'known':
      return refusals.known(inlineCode(memoryName({ scope, id: problem.id })))
    case 'too_many':
      return refusals.tooMany
    case 'decided':
      return refusals.decided(
        statuses[problem.proposal.status],
        problem.proposal.decidedBy?.name ?? null,
      )
    case 'already':
      return refusals.already(inlineCode(memoryName(problem.fact)), statuses[problem.fact.status])
    case 'taken':
      return refusals.taken(renderNote(problem.by))
    default:
      return assertNever(problem)
  }
}
