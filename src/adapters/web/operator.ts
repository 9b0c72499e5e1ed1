import type { Conversation } from '../../agent/domain/conversation.ts'
import type { InboundEvent } from '../../agent/domain/event.ts'
import { texts } from '../../locales/texts.ts'
import { webWorkspace } from './deps.ts'
import { isUnnamed } from './names.ts'

const prefix = 'page:'

/**
 * Author in a thread that is not the operators' own. There an operator's name says where they are
 * from, and is never that of a platform's person. Members stay who they are.
 */
export function asOperator(
  { id, name, bot, operator }: InboundEvent['author'],
  { address, locale }: Pick<Conversation, 'address' | 'locale'>,
): InboundEvent['author'] {
  if (operator !== true || address.workspace === webWorkspace) return { id, name, bot }
  const { page } = texts(locale)
  return {
    id: prefix + id,
    name: page.fromPage(isUnnamed(name) ? page.somebody : name),
    bot,
    operator: true,
  }
}

/** Person of the page behind an operator. */
export const personBehind = (operator: string): string =>
  operator.startsWith(prefix) ? operator.slice(prefix.length) : operator
