import { ApprovalUse, StandingApproval } from '../../agent/domain/standing-approval.ts'
import type { Approvals } from '../../agent/ports/approvals.ts'
import type { Client } from './client.ts'
import { encode, readGood } from './codec.ts'
import { keysOf } from './keys.ts'

/** Most uses that are kept, the newest. */
export const usesKept = 5_000

export function createApprovals({ redis }: Client): Approvals {
  return {
    async list(workspace) {
      const rows = await redis.hgetall(keysOf(workspace).approvals)
      return readGood(StandingApproval, Object.values(rows)).sort((a, b) => a.number - b.number)
    },
    uses: async (workspace) =>
      readGood(ApprovalUse, await redis.lrange(keysOf(workspace).approvalUses, 0, -1)),
    async end(workspace, approval, ended) {
      await redis.hset(
        keysOf(workspace).approvals,
        approval.id,
        encode({ ...approval, ended: approval.ended ?? ended }),
      )
    },
    async drop(workspace, ids) {
      if (ids.length > 0) await redis.hdel(keysOf(workspace).approvals, ...ids)
    },
  }
}
