/**
 * Small notes of an adapter that must outlive the process and be seen by all of a workspace's processes: where a run's
 * plan is shown, who a person is.
 *
 * Contract: everything throws when the store is away; applied twice each call equals once, but that a claim is somebody's then.
 */
export interface Notes {
  get(workspace: string, key: string): Promise<string | null>
  /** Kept for `keepMs`; for good when it is null. */
  put(workspace: string, key: string, value: string, keepMs: number | null): Promise<void>
  drop(workspace: string, key: string): Promise<void>
  /** True for the first of all who claim this key within `keepMs`, and for nobody else. */
  claim(workspace: string, key: string, keepMs: number): Promise<boolean>
}
