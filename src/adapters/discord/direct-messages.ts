import type { Delivery } from '../../agent/domain/delivery.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { workspaceOf } from './deps.ts'
import { limits } from './limits.ts'

/*
 * What goes to one person because its place takes nothing any more stays a part of that place: its buttons work from the
 * direct messages too, where nothing else says whose they are.
 */

const direct = workspaceOf(null)
const keyOf = (person: string, id: string) => `home:${person}:${id}`

/** Notes where the question, the run and the conversation of a delivery belong, before the person can press anything. */
export async function noteWorkspace(
  notes: Notes,
  { body, conversationId }: Delivery,
  person: string,
  workspace: string,
): Promise<void> {
  const ids = [
    conversationId,
    ...(body.kind === 'question' ? [body.question.id] : []),
    ...('runId' in body && body.runId !== null ? [body.runId] : []),
  ]
  await Promise.all(ids.map((id) => notes.put(direct, keyOf(person, id), workspace, limits.noteForMs)))
}

/** The workspace of a question, a run or a conversation that a person acts on. */
export async function workspaceFor(
  notes: Notes,
  { workspace, person }: { workspace: string; person: { id: string } },
  id: string,
): Promise<string> {
  if (workspace !== direct) return workspace
  return (await notes.get(direct, keyOf(person.id, id))) ?? workspace
}
