import type { WithFiles } from '../../agent/ports/channel.ts'

/** Most files that are read with a thread. */
const filesMost = 4
/** Longest time between a message in a channel and the mention right below it, in ms. */
const aboveMs = 15 * 60_000

/**
 * Picks the messages whose files are read with a thread: the one that it grew from, and the newest
 * with files (C976). With a mention that opens its thread, that is the message right above it.
 *
 * @param root key of the message that the thread grew from, or `null` for a mention at `at` that
 *   opens it.
 */
export function withFiles(
  lines: readonly WithFiles[],
  root: string | null,
  at: number,
): WithFiles[] {
  const others = lines.filter(({ heard }) => heard.author !== null)
  const first = others.find(({ heard }) => heard.key === root)
  const last = root === null ? others.at(-1) : others.findLast(({ files }) => files.length > 0)
  const isNear = root !== null || (last !== undefined && at - last.heard.at <= aboveMs)
  const picked = new Set([first, isNear ? last : undefined])
  let left = filesMost
  return [...picked].flatMap((line) => {
    const files = line?.files.slice(0, left) ?? []
    if (line === undefined || files.length === 0) return []
    left -= files.length
    return [{ heard: line.heard, files }]
  })
}

/** Marks a message that was read above the first mention in a channel. */
export const inChannel = ({ heard, files }: WithFiles): WithFiles => ({
  heard: { ...heard, where: 'channel' },
  files,
})
