import type { NeedView } from '../views.ts'
import { spoken, type Words } from './language.ts'
import { hashOf, routeTo } from './route.ts'

/** Address where an entry is dealt with: its thread, or the queue where no thread shows it. */
export const placeOf = ({ workspace, conversationId }: NeedView): string =>
  conversationId === null ? '#/needs' : hashOf(routeTo(workspace, conversationId))

/** Words of an entry, without the marks of their format. */
export function textOf({ kind, question, text, title }: NeedView, words: Words): string {
  if (kind === 'unreadable') return words.needs.unreadable
  if (question !== null) return spoken(question.html).trim()
  return text || title || words.untitled
}

/** Name of what was done something with. */
export const aboutOf = (needs: readonly NeedView[], words: Words): string =>
  needs.length === 1 ? needs[0]?.title || words.untitled : words.needs.several(needs.length)
