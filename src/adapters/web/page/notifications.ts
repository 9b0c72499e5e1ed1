import type { NeedView } from '../views.ts'
import { keep, recall } from './browser-storage.ts'
import { askNeeds, type Session } from './fetches.ts'
import { type Language, spoken, vocabularies } from './language.ts'
import { hashOf, routeTo } from './route.ts'
import { pressName } from './state.ts'
import { ownTime, ownTimes } from './time.ts'

/**
 * State of notifications. `missing`: this browser has none here, such as without https or on a
 * phone.
 */
export type Notifying = 'on' | 'off' | 'blocked' | 'missing'

export function notifying(): Notifying {
  if (!('Notification' in globalThis)) return 'missing'
  if (Notification.permission === 'denied') return 'blocked'
  return recall('notifications') === 'on' && Notification.permission === 'granted' ? 'on' : 'off'
}

/** Asks for permission if the browser has no decision yet. */
export async function turnOn(): Promise<Notifying> {
  if ((await Notification.requestPermission()) !== 'granted') return notifying()
  try {
    // Phones have the class, but making one throws.
    new Notification('Clew', { silent: true }).close()
  } catch {
    return 'missing'
  }
  keep('notifications', 'on')
  return notifying()
}

export const turnOff = (): void => keep('notifications', '')

/**
 * Overlap of two polls, in ms: entries may be slightly out of order, as each process has its own
 * clock.
 */
const overlapMs = 60_000

/**
 * C247: notifies of entries that are new since the last poll, except in quiet hours (C490). The
 * first poll only learns them.
 */
export function createNotifier(session: Pick<Session, 'api' | 'store'>): () => Promise<void> {
  let known: { names: Set<string>; until: number } | null = null

  return async () => {
    if (notifying() !== 'on') {
      known = null
      return
    }
    const since = known === null ? 0 : Math.max(0, known.until - overlapMs)
    const newer = await askNeeds(session, `${since}:!`, Number.POSITIVE_INFINITY)
    if (newer.kind !== 'ok') return
    const { needs, quiet } = newer.value
    const { names, until } = known ?? { names: null, until: 0 }
    known = {
      names: new Set(needs.map(tagOf)),
      until: Math.max(until, ...needs.map(({ at }) => at)),
    }
    if (document.visibilityState !== 'hidden' || names === null || quiet) return
    for (const need of needs) if (!names.has(tagOf(need))) show(need, session.store.get().language)
  }
}

/** Tag of a notification. The browser shows each tag once, however many tabs send it. */
const tagOf = (need: NeedView) => `${pressName(need)} ${need.at}`

function show(need: NeedView, language: Language) {
  const { kind, title, question, workspace, conversationId } = need
  const { needs } = vocabularies[language]
  const text = kind === 'unreadable' ? needs.unreadable : need.text
  const shown = new Notification([needs.kinds[kind], title].filter(Boolean).join(' · '), {
    body:
      question === null
        ? ownTime(text, language)
        : spoken(ownTimes(question.html, language)).trim(),
    tag: tagOf(need),
    lang: language,
  })
  shown.onclick = () => {
    focus()
    location.hash = conversationId === null ? '#/' : hashOf(routeTo(workspace, conversationId))
    shown.close()
  }
}
