import { texts } from '../../locales/texts.ts'
import type { Author } from '../domain/message.ts'
import type { CommandContext } from './command.ts'
import { inlineCode } from './command-line.ts'
import type { OwnerWord } from './todo-kinds.ts'

/** Everybody who is known in a workspace. */
export type PeopleOf = (workspace: string) => Promise<readonly Author[]>

/**
 * The person whom a word names there (C374); null for nobody, or a sentence where it names none or
 * several.
 */
export async function ownerOf(
  word: OwnerWord,
  context: CommandContext,
  people: PeopleOf,
): Promise<{ owner: Author | null } | { problem: string }> {
  if (word === null) return { owner: null }
  const { person, workspace, locale } = context
  const words = texts(locale).todo
  if (word === 'me')
    return person === null
      ? { problem: words.nobodyAsks }
      : { owner: { id: person.id, name: person.name } }
  const known = await people(workspace)
  const all =
    person === null || known.some(({ id }) => id === person.id) ? known : [...known, person]
  const name = word.name.toLowerCase()
  const called = [
    all.filter(({ id }) => id.toLowerCase() === name),
    all.filter((one) => one.name.toLowerCase() === name),
    all.filter((one) => one.name.toLowerCase().split(/\s+/).includes(name)),
  ]
  const found = called.find((some) => some.length > 0) ?? []
  const [only, ...others] = found
  if (only === undefined) return { problem: words.nobodyCalled(inlineCode(word.name)) }
  if (others.length === 0) return { owner: { id: only.id, name: only.name } }
  const which = found.slice(0, 5).map((one) => `${one.name} (${inlineCode(one.id)})`)
  return { problem: words.severalCalled(inlineCode(word.name), which.join(', ')) }
}
