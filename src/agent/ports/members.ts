import type { Address } from '../domain/conversation.ts'
import type { Author } from '../domain/message.ts'

/** Somebody who signed in on the page with a platform (S25). */
export interface Member {
  platform: string
  /** Theirs alone among the people of all platforms, as `slack:T1:U1`. */
  key: string
  person: Author
  /**
   * Where they were together with Clew when they signed in; whether they still are is asked of
   * `Members`.
   */
  workspaces: string[]
}

/**
 * View of a workspace for one person, for a few minutes. Never throws; what the platform cannot
 * tell is hidden.
 */
export interface Rooms {
  has(channel: string, thread: string | null): Promise<boolean>
}

/** `Rooms` that also know for whom else a text is that is shown in a channel. */
export interface Places extends Rooms {
  /**
   * True if everybody who reads along in `channel` may read a thread, too; false if that is not
   * known.
   */
  isOpenTo(channel: string, thread: Pick<Address, 'channel' | 'thread'>): Promise<boolean>
}

/**
 * Places of a workspace that one person may write to now, as the platform tells at this moment.
 *
 * Contract: never throws; what the platform does not tell now is `away`.
 */
export interface Reach {
  /** Channels in which the person may write. */
  readonly channels: readonly Named[]
  /** True if Clew may write in one of them. */
  isOurs(channel: string): Promise<boolean | 'away'>
  /** Members by a part of their names; no bots. `gap`: there may be more. */
  people(name: string): Promise<{ people: readonly Named[]; gap: boolean } | 'away'>
  /** Null: nobody of this id is a member. */
  person(id: string): Promise<Named | null | 'away'>
  /** Channel of a member's direct messages with Clew; null: they take none. */
  direct(person: string): Promise<string | null | 'away'>
}

/** Channel or person; names are as people write them, without a sign before them. */
export type Named = Author

/** A platform that says what a person sees there now. */
export interface PlacesSource {
  readonly platform: string
  /**
   * Null: the person is not in this workspace any more, or Clew is not. `away`: the platform does
   * not tell now. Never throws.
   */
  places(workspace: string, person: string): Promise<Places | null | 'away'>
  /** Null: the person is not in this workspace any more, or Clew is not. */
  reach(workspace: string, person: string): Promise<Reach | null | 'away'>
}

/** Sign-in in progress: the address to come back to, and secrets of the browser that began it. */
export interface SignIn {
  redirectUri: string
  state: string
  nonce: string
  verifier: string
}

export type SignedIn =
  | { kind: 'member'; member: Member }
  /**
   * The person, or somebody else's page, broke it off; they are nowhere where Clew is; the platform
   * did not do it.
   */
  | { kind: 'refused' | 'stranger' | 'failed' }

/**
 * A platform whose people can sign in on the page.
 *
 * Contract: nothing throws; all ends by itself in a few seconds. `finish` believes nothing but what
 * the platform says to Clew itself.
 */
export interface Members {
  readonly platform: string
  /** Display name of the platform. */
  readonly label: string
  /** Where the browser is sent. */
  begin(signIn: SignIn): Promise<string>
  /** @param back the address that the browser came back with. */
  finish(signIn: SignIn, back: URL): Promise<SignedIn>
  /**
   * Null: the person is not in this workspace any more, or Clew is not. `away`: the platform does
   * not tell now.
   */
  rooms(workspace: string, person: string): Promise<Rooms | null | 'away'>
}
