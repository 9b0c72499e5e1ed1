import type { Setting } from './effect.ts'

/**
 * Small notes of an adapter that must outlive the process and be seen by all of a workspace's
 * processes: where a run's plan is shown, who a person is.
 *
 * Contract: everything throws when the store is away; applied twice each call equals once, but that
 * a claim is somebody's then.
 */
export interface Notes {
  /** @param keepMs it is kept for so long from now on, if it is there; never created. */
  get(workspace: string, key: string, keepMs?: number): Promise<string | null>
  /** Kept for `keepMs`; for good when it is null. */
  put(
    workspace: string,
    key: string,
    value: string,
    keepMs: number | null,
    setting?: Setting,
  ): Promise<void>
  drop(workspace: string, key: string, setting?: Setting): Promise<void>
  /**
   * True for the first of all who claim this key within `keepMs`, or ever when it is null, and for
   * nobody else.
   *
   * @param by names who claims: the one who did before may do so again, after a crash that left
   *   undone what was claimed.
   */
  claim(workspace: string, key: string, keepMs: number | null, by?: string): Promise<boolean>
}
