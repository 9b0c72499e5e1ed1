import { hasEnded, type Run } from '../../agent/domain/run.ts'
import type { Discord } from './context.ts'

/** Tasks that still go on, of a thread or of a whole channel, newest first. */
export async function openTasks(
  { deps }: Discord,
  workspace: string,
  place: { channel: string; thread: string | null },
): Promise<Run[]> {
  const runs = (await deps.store.runs.list(workspace, 200)).filter(
    (run) => !hasEnded(run.status) && run.channel === place.channel,
  )
  if (place.thread === null) return runs
  const kept: Run[] = []
  for (const run of runs) {
    const state =
      run.conversationId === null ? null : await deps.store.conversations.state(workspace, run.conversationId, 0)
    if (state?.conversation.address.thread === place.thread) kept.push(run)
  }
  return kept
}
