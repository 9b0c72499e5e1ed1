import type { ApprovalUse, StandingApproval } from '../domain/standing-approval.ts'

/** Approvals that stay (C770), by workspace. Commits add them, and their uses. */
export interface Approvals {
  /** By number; those that have ended too, until the retention removes them. */
  list(workspace: string): Promise<StandingApproval[]>
  /** The newest uses, oldest first. */
  uses(workspace: string): Promise<ApprovalUse[]>
  /** Ends one; one that has ended before keeps its end. */
  end(
    workspace: string,
    approval: StandingApproval,
    ended: NonNullable<StandingApproval['ended']>,
  ): Promise<void>
  /** Removes their rows, by id. */
  drop(workspace: string, ids: readonly string[]): Promise<void>
}
