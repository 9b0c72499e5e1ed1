import type { DiscordDeps } from './deps.ts'

/** How long to wait before a channel in which something could not be stored is read again; doubled up to the last. */
const againMs = { first: 1_000, last: 30_000 }

/**
 * Work in order, one thing of a channel after the other. A channel in which something failed is behind: `catchUp` is tried
 * after growing pauses until it calls `caughtUp`.
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
          'a message could not be stored; the channel is read again',
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
      // The newest failure waits for all of them.
      if (!stopping.aborted && behind.get(channelId) === wait)
        enqueue(channelId, () => catchUp(channelId))
    })
  }

  return {
    enqueue,
    /** Resolves when what has come in so far for a channel has been looked at. */
    done: async (channelId: string): Promise<void> => await queues.get(channelId),
    isBehind: (channelId: string): boolean => behind.has(channelId),
    caughtUp: (channelId: string): void => void behind.delete(channelId),
    /** Resolves when everything that has come in so far has been looked at. */
    async idle(): Promise<void> {
      while (queues.size > 0) await Promise.all(queues.values())
    },
  }
}
