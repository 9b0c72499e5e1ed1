import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { marked, type Term, termsIn } from '../../../agent/domain/search-words.ts'
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
  const { route, sought } = usePage().state
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
    const passage = line ? showFound(line, termsIn(sought)) : undefined
    line?.classList.toggle('passage', passage !== undefined)
    const target = passage ?? line
    target?.scrollIntoView({ block: 'center' })
  }, [id, message?.id, sought])
}

/**
 * C695: marks the words by which a message was found, and returns where the first stands; undefined
 * where the browser cannot mark them, or none is there. A highlight leaves the elements of the
 * message alone.
 */
function showFound(line: HTMLElement, terms: readonly Term[]): Element | undefined {
  if (!('highlights' in CSS)) return undefined
  const ranges = terms.length === 0 ? [] : rangesOf(line, terms)
  CSS.highlights.set('found', new Highlight(...ranges))
  return ranges[0]?.startContainer.parentElement ?? undefined
}

function rangesOf(line: HTMLElement, terms: readonly Term[]): Range[] {
  const nodes = document.createTreeWalker(line.querySelector('.text') ?? line, NodeFilter.SHOW_TEXT)
  const ranges: Range[] = []
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    let from = 0
    for (const { text, hit } of marked(node.nodeValue ?? '', terms)) {
      const to = from + text.length
      if (hit) {
        const range = new Range()
        range.setStart(node, from)
        range.setEnd(node, to)
        ranges.push(range)
      }
      from = to
    }
  }
  return ranges
}
