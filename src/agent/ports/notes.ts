/**
 * Small notes of an adapter that must outlive the process and be seen by all of a workspace's processes: where a run's
 * plan is shown, who a person is.
 *
 * Contract: everything throws when the store is away; applied twice each call equals once.
 */
export interface Notes {
  get(workspace: string, key: string): Promise<string | null>
  /** Kept for `keepMs`; for good when it is null. */
  put(workspace: string, key: string, value: string, keepMs: number | null): Promise<void>
  drop(workspace: string, key: string): Promise<void>
}
