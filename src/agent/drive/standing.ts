import { ownerOf } from '../domain/run.ts'
import { type ApprovalUse, covers, type StandingApproval } from '../domain/standing-approval.ts'
import type { AnyEvent, Call } from '../strategies/strategy.ts'
import type { Line } from './scene.ts'
import type { Session } from './session.ts'

/**
 * Approval that stays for this very call, looked up as who asked (C771, S77): it has to be theirs,
 * of this channel and these arguments, given by them or somebody who still is an admin; and they
 * may still ask here.
 */
export async function standingFor(session: Session, call: Call): Promise<StandingApproval | null> {
  const { deps, run } = session
  const owner = ownerOf(run)
  if (owner === null) return null
  const { people = ['*'] } = deps.profileIn?.(run.channel) ?? {}
  if (!people.includes('*') && !people.includes(owner.id)) return null
  const { tool, input } = call
  const asked = { channel: run.channel, asker: owner.id, tool, input }
  const rows = await deps.store.approvals.list(run.workspace)
  const may = ({ by }: StandingApproval) =>
    by.id === owner.id || deps.admins?.includes(by.id) === true
  return rows.find((row) => may(row) && covers(row, asked, deps.clock.now())) ?? null
}

/** Each use is a record, in the commit that approves the call by it (C772). */
export const usesOf = (events: readonly AnyEvent[]): Line[] =>
  events.flatMap((event) => {
    if (event.kind !== 'stands') return []
    return ({ run, now }) => {
      const { id: approval } = event.approval
      const use: ApprovalUse = { version: 1, approval, runId: run.id, step: event.step, at: now }
      return { approvalUses: [use] }
    }
  })
