import type { DeliveryBody } from '../../agent/domain/delivery.ts'
import type { Outcome } from '../../agent/domain/message.ts'
import type { Ending } from '../../agent/domain/run.ts'
import type { Sent } from '../../agent/ports/channel.ts'

/**
 * Signs that are added to and removed from a person's message, by outcome and by how the started
 * task ended. People who may not use Clew have a case of their own. `seen` is added as soon as a
 * message for Clew is stored.
 */
export type Marks = Readonly<
  { seen: string } & Record<
    Outcome['kind'] | 'not_allowed' | Ending,
    { add?: string; remove?: string }
  >
>

/**
 * Brings the signs on a message up to date. Signs are decoration: a sign that the platform refuses
 * is dropped, unless the platform asks for a retry.
 */
export async function mark(
  marks: Marks,
  { ref, outcome, ended, unmarked = false }: Extract<DeliveryBody, { kind: 'receipt' }>,
  react: (kind: 'add' | 'remove', sign: string, ref: string) => Promise<Sent>,
): Promise<Sent> {
  const done: Sent = { kind: 'sent', ref: ref ?? '' }
  if (ref === undefined) return done
  const isBarred = outcome.kind === 'ignored' && outcome.reason === 'not_allowed'
  const isUnmarked = unmarked && ended === undefined
  const { remove, add = isUnmarked ? signOfWork(marks, outcome) : undefined } =
    marks[ended ?? (isBarred ? 'not_allowed' : outcome.kind)]
  const removed = remove === undefined || isUnmarked ? done : await react('remove', remove, ref)
  if (removed.kind === 'later') return removed
  const added = add === undefined ? done : await react('add', add, ref)
  return added.kind === 'later' ? added : done
}

/** Adds the sign to a message that was not addressed to Clew once work on it starts (C76). */
const signOfWork = ({ seen }: Marks, { kind }: Outcome) =>
  kind === 'started' || kind === 'joined' ? seen : undefined
