import type { ProgressView } from '../../../agent/domain/progress.ts'
import type { WebHealth } from '../deps.ts'
import type { ConversationLine, ConversationView, NeedView } from '../views.ts'
import type { Attached } from './attached.ts'
import { keep, newId, recall } from './browser-storage.ts'
import { firstLanguage, type Language, vocabularies } from './language.ts'
import type { Unsent } from './outbox.ts'
import { type Route, routeOf } from './route.ts'
import { signedIn } from './signed-in.ts'
import { ownZone } from './time.ts'

/** A notice for this person only: a refusal, or a private answer. */
export interface Note {
  id: string
  text: string
  /** True if Clew said it to this person alone. */
  isPrivate: boolean
}

/** Something that is about to be deleted and can still be kept (C533), or that was changed. */
export interface Removal {
  /** Path of the request that deletes it; of a change, a name of its own. */
  path: string
  /** Request that is sent instead of a deletion; `isLeft`: as the page goes. */
  send?: (isLeft: boolean) => unknown
  /** Takes a change back that was made; without it, and with `send`, nothing was sent yet. */
  undo?: () => unknown
  /** Sentence that says what is gone or done. */
  text: string
  /** Fetches the list anew, once it is deleted, unless that was refused. */
  done?: (isDone: boolean) => Promise<unknown>
  /** Time for which it can be taken back, in ms, if it is less than usual. */
  ms?: number
  /** Keys of waiting entries that are off the queue meanwhile. */
  hides?: readonly string[]
}

/** Modal dialogs. */
export type DialogName = 'palette' | 'settings' | 'keys' | 'rename' | 'delete'

export interface State {
  route: Route
  dialog: DialogName | null
  /** Id of the message being edited. */
  edited: string | null
  /** Messages withdrawn here, which their thread may still have. */
  withdrawn: readonly string[]
  language: Language
  person: { id: string; name: string }
  /** Threads; null until they are fetched. */
  conversations: readonly ConversationLine[] | null
  /** True if a platform does not answer now, so that some threads may be missing. */
  untold: boolean
  /** True if there are older threads. */
  hasOlder: boolean
  /**
   * Entries that wait for a person, as far as they are shown, with their total. Null until they are
   * fetched.
   */
  needs: { needs: readonly NeedView[]; total: number; next: string | null } | null
  /** Open thread; null while it loads. */
  view: ConversationView | null
  /** True if the thread does not exist. */
  isMissing: boolean
  /** Latest progress by run, from the stream; newer than the plans in the view. */
  live: Readonly<Record<string, ProgressView>>
  /** Draft in the open thread; `after` is Clew's newest message when it began. */
  draft: { html: string; at: number; after: string | null } | null
  unsent: readonly Unsent[]
  connection: 'ok' | 'cut' | 'store'
  health: WebHealth | null
  /** No process works on tasks, as last heard. */
  noWorker: boolean
  /** Failure of the model, as last heard; null while it answers. */
  modelAway: string | null
  notes: readonly Note[]
  /** Deletions that can still be undone. */
  leaving: readonly Removal[]
  /** Number of acts that were undone here. */
  undos: number
  /** Words by which the open message was found; empty if it was not. */
  sought: string
  /** Text for the box of a thread (or of a new one), which removes it from here. */
  suggestion: { draft: string; text: string; files?: readonly Attached[] } | null
  /** Pressed buttons, by run or entry, until that changes. */
  pressed: Readonly<Record<string, string>>
}

export function firstState(): State {
  return {
    route: routeOf(location.hash),
    dialog: null,
    edited: null,
    withdrawn: [],
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
    noWorker: false,
    modelAway: null,
    notes: [],
    leaving: [],
    undos: 0,
    sought: '',
    suggestion: null,
    pressed: {},
  }
}

/**
 * Signed-in person. Otherwise the same person on every visit of this browser, with the name given
 * here.
 */
function whoIsHere() {
  if (signedIn.member !== null) return signedIn.member
  const id = recall('person') ?? newId()
  keep('person', id)
  return { id, name: recall('name') ?? '' }
}

/**
 * Author, language and time zone of a request. Others see the name, or that there is none.
 */
export function senderOf({ person, language }: State) {
  const author = { id: person.id, name: person.name || vocabularies[language].unnamed }
  return { author, locale: language, timeZone: ownZone() }
}

export const isLive = (status: ProgressView['status']): boolean =>
  !['succeeded', 'failed', 'canceled', 'given_up'].includes(status)

/** Name of an entry for `pressed`, with its workspace: its own name is unique only there. */
export const pressName = ({ workspace, name }: Pick<NeedView, 'workspace' | 'name'>): string =>
  `${workspace} ${name}`
