import type { Texts } from '../../locales/texts.ts'

type Words = Texts['page']
interface Named {
  id: string
  name: string
}

/** Names of persons without one, in any language; earlier versions wrote “You”. */
const placeholders = ['You', '你', 'Somebody on this page', '本页的一位同事']
export const isUnnamed = (name: string): boolean => placeholders.includes(name)

const naming =
  (you: 'you' | 'youWithin', somebody: 'somebody' | 'somebodyWithin') =>
  ({ id, name }: Named, own: string, words: Words): string => {
    if (!isUnnamed(name)) return name
    return words[id === own ? you : somebody]
  }
/** Name of a person for the reader, whose id is `own`. */
export const nameOf = naming('you', 'somebody')
/** The same name within a sentence. */
export const nameWithin = naming('youWithin', 'somebodyWithin')

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

/** Sentence on whose thread it is, where others wrote in it; null if only its reader did (C906). */
export function whoseIs(
  { messages }: { messages: readonly { author: Named | null }[] },
  own: string,
  words: Words,
): string | null {
  const authors = messages.flatMap(({ author }) => author ?? [])
  const others = authors.filter(({ id }) => id !== own).map((one) => nameWithin(one, own, words))
  if (others.length === 0) return null
  const names = new Intl.ListFormat(words.language).format([...new Set(others)])
  return words.arrange[authors[0]?.id === own ? 'alsoOf' : 'notYours'](names)
}

/** Name of the platform of a workspace: `Slack`, or this page. */
export function platformOf(workspace: string, { needs }: Words): string {
  const [name = ''] = workspace.split(':')
  return name === 'web' ? needs.here : name.charAt(0).toUpperCase() + name.slice(1)
}
