import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ConversationView } from '../views.ts'
import { usePage } from './context.ts'
import { hashOf } from './route.ts'

/** C206: address of a message in the open thread. */
export function useLinkTo(messageId: string | undefined): string | undefined {
  const { route } = usePage().state
  return route.view === 'thread' && messageId !== undefined
    ? hashOf({ ...route, message: messageId })
    : undefined
}

/**
 * Scrolls to the message that the address names, once it is there. For a pressed choice, that is
 * its question's card.
 */
export function useLinked(
  view: ConversationView | null,
  scroll: RefObject<HTMLElement | null>,
): void {
  const { route } = usePage().state
  const id = route.view === 'thread' ? route.message : undefined
  const message = view?.messages.find((one) => one.id === id)
  useEffect(() => {
    if (message === undefined) return
    const question =
      message.outcome?.kind === 'answer' ? message.outcome.questionId : message.questionId
    const found = (selector: string) => scroll.current?.querySelector<HTMLElement>(selector)
    const line = found(`[data-message="${message.id}"]`) ?? found(`[data-question="${question}"]`)
    for (const other of scroll.current?.querySelectorAll('.linked') ?? [])
      other.classList.remove('linked')
    line?.classList.add('linked')
    line?.setAttribute('tabindex', '-1')
    line?.focus({ preventScroll: true })
    line?.scrollIntoView({ block: 'center' })
  }, [id, message?.id])
}
