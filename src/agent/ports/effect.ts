/**
 * A write that is done once: its id, and who asked for it where. Its row in the audit is written
 * with it (C711). The id alone: it is Clew's own bookkeeping, and has none.
 */
export type Effect = string | { id: string; by: string | null; thread: string | null }

/** A note that is a setting by a person, for its row in the audit (C711). */
export interface Setting {
  name: string
  scope: string
  effect: Effect
}
