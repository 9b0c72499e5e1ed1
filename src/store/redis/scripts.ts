import { commit } from './lua/commit.ts'
import { accept } from './lua/inbox.ts'
import { claim, expire, hold, release } from './lua/leases.ts'
import { remember } from './lua/memory.ts'
import { row } from './lua/numbered.ts'
import { sent, shown, trying } from './lua/outbox.ts'
import { forget, forgetRun } from './lua/retention.ts'
import { open, read, reserve } from './lua/rows.ts'

/**
 * The Lua scripts, all of them. Each applied twice in a row equals once (P8): ioredis sends a command again when a
 * connection broke before its answer came. Fields that begin with `~` belong to the lease, not to the record.
 * Numbers cross as strings.
 */
export const scripts = {
  claim,
  hold,
  release,
  expire,
  accept,
  commit,
  trying,
  sent,
  shown,
  open,
  read,
  reserve,
  row,
  remember,
  forget,
  forgetRun,
}
export type ScriptName = keyof typeof scripts
