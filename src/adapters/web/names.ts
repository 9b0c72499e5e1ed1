import type { Texts } from '../../locales/texts.ts'

type Words = Texts['page']
interface Named {
  id: string
  name: string
}

/** True for the page's placeholder name of a person without a name, in any language. */
export const isUnnamed = (name: string): boolean => name === 'You' || name === '你'

/** Name of a person for the reader, whose id is `own`. */
export const nameOf = ({ id, name }: Named, own: string, words: Words): string =>
  !isUnnamed(name) ? name : id === own ? words.you : words.somebody

/** The same name within a sentence. */
export const nameWithin = ({ id, name }: Named, own: string, words: Words): string =>
  !isUnnamed(name) ? name : id === own ? words.youWithin : words.somebodyWithin
