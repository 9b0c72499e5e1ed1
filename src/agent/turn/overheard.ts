import type { InboundEvent } from '../domain/event.ts'
import { type Author, personMessage } from '../domain/message.ts'
import {
  asSaidInOrder,
  isCrowded,
  isFiles,
  isOf,
  type Overheard,
  tooMany,
} from '../domain/overheard.ts'
import { isTaskType } from '../domain/run.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { keeping, marked, personOf, statusOf, type TurnContext } from './context.ts'

/**
 * C77: keeps words to somebody else as overheard, and marks thanks that say nothing else. No model
 * is asked.
 */
export const sideTalk = keeping(async (turn) => {
  if (turn.meant === 'others') return await overheard(turn)
  return turn.meant === 'thanks' ? marked(turn, { kind: 'thanked' }) : null
})

/**
 * C71: a message that turned out not to be for Clew is kept as something overheard. It starts
 * nothing, is answered by nothing and gets no mark; a task that runs sees it at its next step.
 */
export async function overheard(turn: TurnContext): Promise<ChangePart> {
  const { id, event } = turn.entry
  if (event.content.kind !== 'message') return {}
  const author = personOf(turn)
  const { text, files } = event.content
  const said = personMessage(id, author, text, event.at)
  return mergeChanges(
    await keep(turn, [overheardFrom(turn, author, files ?? [])]),
    // The version before did not note the files.
    { unsaid: files === undefined ? [said] : [{ ...said, files }, said] },
    tellTask(turn),
  )
}

function overheardFrom(
  { entry: { event }, text }: TurnContext,
  author: Author,
  files: { name: string }[],
): Overheard {
  const names = files.map(({ name }) => name)
  const named = names.length === 0 ? {} : { files: names }
  return { version: 1, key: event.keys[0] ?? '', author, text, at: event.at, ...named }
}

/** The same, read or heard once more, stays one; what is too much to keep goes. */
export async function keep(turn: TurnContext, said: readonly Overheard[]): Promise<ChangePart> {
  if (!isCrowded(turn.state.overheardCount + said.length)) return { overheard: [...said] }
  const all = await allOverheard(turn, said)
  return { overheard: [...said, ...tooMany(all).map(({ key }) => ({ gone: key }))] }
}

/** All that was overheard, with what is said now in the place of what has the same key. */
export async function allOverheard(
  turn: TurnContext,
  said: readonly Overheard[],
): Promise<Overheard[]> {
  const keys = new Set(said.map(({ key }) => key))
  const others = (await turn.overheard()).filter(({ key }) => !keys.has(key))
  return [...others, ...said].sort(asSaidInOrder)
}

/** C71: edits or deletes an overheard message like any other; nobody is told. */
export const editOverheard = keeping(async (turn) => {
  const { content } = turn.entry.event
  if (content.kind !== 'edited' && content.kind !== 'deleted') return null
  const isKnown = (await turn.overheard()).some(({ key }) => key === content.key)
  return isKnown ? mergeChanges(await withQuotes(turn, content), tellTask(turn)) : null
})

/** Edits or deletes what is kept of a message that was overheard or quoted. */
export async function withQuotes(
  turn: TurnContext,
  content: Extract<InboundEvent['content'], { kind: 'edited' | 'deleted' }>,
): Promise<ChangePart> {
  const kept = (await turn.overheard()).filter((one) => isOf(content.key, one))
  const overheard =
    content.kind === 'deleted'
      ? kept.map(({ key }) => ({ gone: key }))
      : kept.filter((one) => !isFiles(one)).map((one) => ({ ...one, text: content.text }))
  return overheard.length === 0 ? {} : { overheard }
}

/** A task that works now looks again before its next step; any other looks when it begins. */
function tellTask({ state: { foreground: run }, entry }: TurnContext): ChangePart {
  if (run?.status !== 'running' || !isTaskType(run.type)) return {}
  const input = { kind: 'overheard' as const, entryId: entry.id }
  return { expect: [statusOf(run)], inputs: [{ runId: run.id, input }] }
}
