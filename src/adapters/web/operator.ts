import type { Conversation } from '../../agent/domain/conversation.ts'
import type { InboundEvent } from '../../agent/domain/event.ts'
import { texts } from '../../locales/texts.ts'
import { webWorkspace } from './deps.ts'
import { isUnnamed } from './names.ts'

const prefix = 'page:'

/**
 * In a thread that is not the operators' own, an operator has a name that says where from, and is never one of its own people. Members are
 * who they are.
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

/** The person of the page that an operator is. */
export const personBehind = (operator: string): string =>
  operator.startsWith(prefix) ? operator.slice(prefix.length) : operator
