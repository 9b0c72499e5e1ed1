import type { ProgressView } from '../../../agent/domain/progress.ts'
import type { WebHealth } from '../deps.ts'
import type { ConversationLine, ConversationView, NeedView } from '../views.ts'
import type { Attached } from './attached.ts'
import { keep, newId, recall } from './browser-storage.ts'
import { firstLanguage, type Language, vocabularies } from './language.ts'
import type { Unsent } from './outbox.ts'
import { type Route, routeOf } from './route.ts'
import { signedIn } from './signed-in.ts'

/** A line for this person only: a refusal, or a private answer. */
export interface Note {
  id: string
  text: string
}

/** What everything else waits for while it is open. */
export type DialogName = 'palette' | 'settings' | 'rename' | 'delete'

export interface State {
  route: Route
  dialog: DialogName | null
  /** The message whose words are being changed. */
  edited: string | null
  language: Language
  person: { id: string; name: string }
  /** Null until the first answer. */
  conversations: readonly ConversationLine[] | null
  /** A platform does not say just now what this member sees. */
  untold: boolean
  /** There are older ones than those. */
  hasOlder: boolean
  /** What waits for a person, as far as it is shown, and how much there is; null until the first answer. */
  needs: { needs: readonly NeedView[]; total: number; next: string | null } | null
  /** The thread that is open; null while it loads. */
  view: ConversationView | null
  /** There is no such thread. */
  isMissing: boolean
  /** Plans as last told by the server, by run; newer than those of the view. */
  live: Readonly<Record<string, ProgressView>>
  /** What is being written in the open thread; `after` is Clew's newest message when it began. */
  draft: { html: string; at: number; after: string | null } | null
  unsent: readonly Unsent[]
  connection: 'ok' | 'cut' | 'store'
  health: WebHealth | null
  notes: readonly Note[]
  /** A text for the box of a thread (or of a new one), which takes it out of here. */
  suggestion: { draft: string; text: string; files?: readonly Attached[] } | null
  /** Runs, and what else waits, that a button was pressed for and that have not changed since. */
  pressed: Readonly<Record<string, string>>
}

export function firstState(): State {
  return {
    route: routeOf(location.hash),
    dialog: null,
    edited: null,
    language: firstLanguage(),
    person: whoIsHere(),
    conversations: null,
    untold: false,
    hasOlder: false,
    needs: null,
    view: null,
    isMissing: false,
    live: {},
    draft: null,
    unsent: [],
    connection: 'ok',
    health: null,
    notes: [],
    suggestion: null,
    pressed: {},
  }
}

/** Who is signed in; else the same person on every visit of this browser, with the name that was given here. */
function whoIsHere(): { id: string; name: string } {
  if (signedIn.member !== null) return signedIn.member
  const id = recall('person') ?? newId()
  keep('person', id)
  return { id, name: recall('name') ?? '' }
}

/** Who asks, in what language and zone. The name is the one that others see; until one is given, the word for it in this person's language. */
export function senderOf({ person, language }: State) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const author = { id: person.id, name: person.name || vocabularies[language].you }
  return { author, locale: language, timeZone }
}

export const isLive = (status: ProgressView['status']): boolean =>
  !['succeeded', 'failed', 'canceled'].includes(status)

/** What waits, by a name for `pressed`; its own name tells it apart in its workspace alone. */
export const pressName = ({ workspace, name }: Pick<NeedView, 'workspace' | 'name'>): string =>
  `${workspace} ${name}`
