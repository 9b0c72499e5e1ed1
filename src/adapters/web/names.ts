import type { Texts } from '../../locales/texts.ts'

type Words = Texts['page']
interface Named {
  id: string
  name: string
}

/** The word that the page gives as the name of who has given none, in any language. */
export const isUnnamed = (name: string): boolean => name === 'You' || name === '你'

/** A person as the reader, who is `own`, knows them. */
export const nameOf = ({ id, name }: Named, own: string, words: Words): string =>
  !isUnnamed(name) ? name : id === own ? words.you : words.somebody

/** The same within a sentence. */
export const nameWithin = ({ id, name }: Named, own: string, words: Words): string =>
  !isUnnamed(name) ? name : id === own ? words.youWithin : words.somebodyWithin
