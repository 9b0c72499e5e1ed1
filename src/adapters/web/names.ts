import type { Texts } from '../../locales/texts.ts'

type Words = Texts['page']
interface Named {
  id: string
  name: string
}

/** Names of persons without one, in any language; earlier versions wrote “You”. */
const placeholders = ['You', '你', 'Somebody on this page', '本页的一位同事']
export const isUnnamed = (name: string): boolean => placeholders.includes(name)

/** Name of a person for the reader, whose id is `own`. */
export function nameOf({ id, name }: Named, own: string, words: Words): string {
  if (!isUnnamed(name)) return name
  return id === own ? words.you : words.somebody
}

/** The same name within a sentence. */
export function nameWithin({ id, name }: Named, own: string, words: Words): string {
  if (!isUnnamed(name)) return name
  return id === own ? words.youWithin : words.somebodyWithin
}

interface Asked {
  mine: boolean
  askedOf: string | null
}

/** Line that says whose answer a question waits for (C830). */
export function waitsOf(question: Asked | null, { plan, question: words }: Words): string {
  if (question === null || question.mine) return plan.waiting
  const { askedOf } = question
  if (askedOf !== null && isUnnamed(askedOf)) return words.waitsForAsker
  return words.waitsFor(askedOf ?? words.admin)
}
