import type { DeliveryBody } from '../../agent/domain/delivery.ts'
import type { Outcome } from '../../agent/domain/message.ts'
import type { Ending } from '../../agent/domain/run.ts'
import type { Sent } from '../../agent/ports/channel.ts'

/**
 * Which signs come and go on a person's message by what became of it, and of what it started; somebody who may not use Clew is a
 * case of its own. `seen` is set as soon as words for Clew are stored.
 */
export type Marks = Readonly<
  { seen: string } & Record<
    Outcome['kind'] | 'not_allowed' | Ending,
    { add?: string; remove?: string }
  >
>

/**
 * Brings the marks on a message up to date. They adorn what is said anyway: one that the platform does not take is left out,
 * unless it says that it will take it later.
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

/** What was not said to Clew gets its sign once something is done with it (C76). */
const signOfWork = ({ seen }: Marks, { kind }: Outcome): string | undefined =>
  kind === 'started' || kind === 'joined' ? seen : undefined
