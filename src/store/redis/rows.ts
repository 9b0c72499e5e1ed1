import type { Client } from './client.ts'
import { alarmLetter, keysOf } from './keys.ts'

/** Longer than any interrupted step waits for its process to come back. */
export const effectKeptMs = 30 * 24 * 60 * 60 * 1000

/** One write of a numbered row that may have an alarm. */
export interface RowWrite {
  workspace: string
  scope: string
  effectId: string
  operation: 'add' | 'update' | 'remove'
  id?: number
  row?: string
  /** What the row was when the new one was made of it. */
  was?: string
  alarm?: number | null
}

/**
 * Writes to-dos and schedules: numbered per scope, each effect once, the alarm in the same step. Answers the row's text, ''
 * when there is none, null when it was changed by somebody else meanwhile.
 */
export function createRowWriter(client: Client, kind: 'schedule' | 'todo') {
  return async (write: RowWrite): Promise<string | null> => {
    const { workspace, scope, effectId, operation, id = 0, row = '', was = '', alarm = null } = write
    const keys = keysOf(workspace)
    const rows = kind === 'todo' ? keys.todos(scope) : keys.schedules(scope)
    const places = [rows, keys.effect(effectId), keys.alarms, keys.scheduler, keys.changes, keys.due('schedules')]
    const args = [operation, id, row, effectKeptMs, was, alarmLetter(kind), scope, alarm ?? '']
    const answer = await client.run('row', places, args)
    return answer === null ? null : String(answer)
  }
}
