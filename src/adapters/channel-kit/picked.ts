import { z } from 'zod'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import { Shared } from '../../agent/domain/event.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { Texts } from '../../locales/texts.ts'
import type { Gesture, Submitted } from './gestures.ts'

/** Message that a person picked for Clew, kept while they fill in the form about it (C303). */
const PickedMessage = z.object({ message: z.string(), shared: Shared })
type PickedMessage = z.infer<typeof PickedMessage>

/** Longest time that a form may stay open. */
const keptMs = 60 * 60_000

type Picker = Pick<Gesture, 'workspace' | 'person'>

/** Key of one person's picked message. A form from another person does not match it. */
const keyOf = ({ person }: Picker, id: string) => `picked:${person.id}:${id}`

/** Stores the picked message until its form is submitted. @throws errors of the store. */
export const keepPicked = (
  notes: Notes,
  by: Picker,
  id: string,
  picked: PickedMessage,
): Promise<void> => notes.put(by.workspace, keyOf(by, id), JSON.stringify(picked), keptMs)

/**
 * Returns the message that this person picked, or `null` if it has expired. @throws errors of the
 * store.
 */
export async function pickedBy(
  notes: Notes,
  by: Picker,
  id: string,
): Promise<PickedMessage | null> {
  const noted = await notes.get(by.workspace, keyOf(by, id))
  return PickedMessage.safeParse(jsonIn(noted ?? '')).data ?? null
}

/**
 * Combines the person's own words with the picked message, which keeps its author (S34). Without
 * words, the request is to look at the message.
 */
export const saidAbout = (text: string, shared: Shared, { core }: Texts): Submitted =>
  text.trim() === ''
    ? { way: 'handed_over', text: core.handedOver, shared: [shared] }
    : { way: 'form', text, shared: [shared] }
