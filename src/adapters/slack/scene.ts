import type { Home, Installation } from './installations.ts'

/** What goes back with the acknowledgement; null is nothing. */
export type Reply = Record<string, unknown> | null

/** What an event is about, once it is known which installation it reached us through. */
export interface Scene {
  home: Home
  workspace: string
  installation: Installation
}
