import type { DiscordDeps } from './deps.ts'

/** Pauses before a channel with a failed write is read again, doubled up to the last. */
const againMs = { first: 1_000, last: 30_000 }

/**
 * Runs the work of each channel in order. A channel with a failure is behind: `catchUp` is retried
 * with growing pauses until it calls `caughtUp`.
 */
export function createQueues(
  { clock, log }: Pick<DiscordDeps, 'clock' | 'log'>,
  stopping: AbortSignal,
  catchUp: (channelId: string) => Promise<void>,
) {
  const queues = new Map<string, Promise<void>>()
  const behind = new Map<string, { ms: number }>()

  function enqueue(channelId: string, work: () => Promise<void>): void {
    const next = (queues.get(channelId) ?? Promise.resolve()).then(async () => {
      if (stopping.aborted) return
      try {
        await work()
      } catch (error) {
        log.warn(
          { err: error, channel: channelId },
          'Discord message not stored; reading the channel again',
        )
        fallBehind(channelId)
      }
    })
    queues.set(channelId, next)
    void next.then(() => queues.get(channelId) === next && queues.delete(channelId))
  }

  function fallBehind(channelId: string): void {
    const wait = {
      ms: Math.min(againMs.last, (behind.get(channelId)?.ms ?? againMs.first / 2) * 2),
    }
    behind.set(channelId, wait)
    void clock.sleep(wait.ms, stopping).then(() => {
      // Only the newest failure retries; it covers the earlier ones.
      if (!stopping.aborted && behind.get(channelId) === wait)
        enqueue(channelId, () => catchUp(channelId))
    })
  }

  return {
    enqueue,
    /** Resolves when the current work of a channel is done. */
    done: async (channelId: string): Promise<void> => await queues.get(channelId),
    isBehind: (channelId: string): boolean => behind.has(channelId),
    caughtUp: (channelId: string): void => void behind.delete(channelId),
    /** Resolves when all current work is done. */
    async idle() {
      while (queues.size > 0) await Promise.all(queues.values())
    },
  }
}
