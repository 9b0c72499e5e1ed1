import type { Conversation } from '../agent/domain/conversation.ts'
import { texts } from '../locales/texts.ts'

/**
 * Returns a thread's title for people: its subject and the date. The stored title keeps the format
 * of R106 (C449).
 */
export function shownTitle({
  title,
  createdAt,
  locale,
  timeZone,
}: Pick<Conversation, 'title' | 'createdAt' | 'locale' | 'timeZone'>): string {
  for (const { core } of [texts('en'), texts('zh')]) {
    const { titleSucceeded, titleFailed, titleGivenUp, titleCanceled, titleQuestion } = core
    for (const titled of [titleSucceeded, titleFailed, titleGivenUp, titleCanceled, titleQuestion])
      if (title.startsWith(titled('')))
        return `${title.slice(titled('').length)} · ${dayOf(createdAt, locale, timeZone)}`
  }
  return title
}

const dayOf = (at: number, locale: string, timeZone: string) =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone }).format(at)
