import { z } from 'zod'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import { Shared } from '../../agent/domain/event.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { Texts } from '../../locales/texts.ts'
import type { Gesture, Submitted } from './gestures.ts'

/** A message that somebody picked for Clew, while they write into a form what to do with it (C303). */
const Picked = z.object({ message: z.string(), shared: Shared })
type Picked = z.infer<typeof Picked>

/** Time for which a form may stay open. */
const keptMs = 60 * 60_000

type Picker = Pick<Gesture, 'workspace' | 'person'>

/** Key of one person's picked message: a form that somebody else hands in finds nothing. */
const keyOf = ({ person }: Picker, id: string) => `picked:${person.id}:${id}`

/** Keeps what was picked until the form about it is handed in. @throws what the store throws. */
export const keepPicked = (notes: Notes, by: Picker, id: string, picked: Picked): Promise<void> =>
  notes.put(by.workspace, keyOf(by, id), JSON.stringify(picked), keptMs)

/** Returns what this person picked, or null when it is not kept any more. @throws what the store throws. */
export async function pickedBy(notes: Notes, by: Picker, id: string): Promise<Picked | null> {
  const noted = await notes.get(by.workspace, keyOf(by, id))
  return Picked.safeParse(jsonIn(noted ?? '')).data ?? null
}

/** The words of who picked it are their own; without any the request is to look at it. The message stays its author's (S34). */
export const saidAbout = (text: string, shared: Shared, { core }: Texts): Submitted =>
  text.trim() === ''
    ? { way: 'handed_over', text: core.handedOver, shared: [shared] }
    : { way: 'form', text, shared: [shared] }
