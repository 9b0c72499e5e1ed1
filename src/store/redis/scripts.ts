import { addAudit, setNote, trimAudit } from './lua/audit.ts'
import * as commit from './lua/commit.ts'
import * as inbox from './lua/inbox.ts'
import * as leases from './lua/leases.ts'
import * as memory from './lua/memory.ts'
import * as needs from './lua/needs.ts'
import * as numbered from './lua/numbered.ts'
import * as outbox from './lua/outbox.ts'
import * as privacy from './lua/privacy.ts'
import * as rates from './lua/rates.ts'
import * as retention from './lua/retention.ts'
import * as rows from './lua/rows.ts'
import * as runs from './lua/runs.ts'
import { reindex } from './lua/words.ts'

/**
 * All Lua scripts. Each applied twice in a row equals once (P8): ioredis sends a command again if
 * the connection broke before its answer came. Fields that begin with `~` belong to the lease, not
 * to the record. Numbers cross as strings.
 */
export const scripts = {
  ...commit,
  ...inbox,
  ...leases,
  ...memory,
  ...needs,
  ...numbered,
  ...outbox,
  ...privacy,
  ...rates,
  ...retention,
  ...rows,
  ...runs,
  addAudit,
  reindex,
  setNote,
  trimAudit,
}
export type ScriptName = keyof typeof scripts
