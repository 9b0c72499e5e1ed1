/**
 * Small notes of an adapter that must outlive the process and be seen by all of a workspace's processes: where a run's
 * plan is shown, who a person is, when the next place in a budget is.
 *
 * Contract: everything throws when the store is away; applied twice each call equals once, but for `reserve`, where the
 * second one only leaves a place unused.
 */
export interface Notes {
  get(workspace: string, key: string): Promise<string | null>
  /** Kept for `keepMs`; for good when it is null. */
  put(workspace: string, key: string, value: string, keepMs: number | null): Promise<void>
  drop(workspace: string, key: string): Promise<void>
  /** The instant of the next free place of a line in which places are `everyMs` apart; never before `now`. */
  reserve(workspace: string, line: string, everyMs: number, now: number): Promise<number>
}
