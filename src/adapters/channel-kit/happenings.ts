import { signOf, sourceOf } from '../../agent/domain/event-source.ts'
import type { Standing } from '../../agent/domain/words.ts'
import type { HappeningDetails } from '../../agent/hooks.ts'
import { lazy } from '../../agent/kernel/lazy.ts'
import type { ChannelDeps } from './deps.ts'
import type { Gesture } from './gestures.ts'

/** Message that a rule may be about, as its platform shows it. */
export interface Seen {
  /** Name of the message, which never changes. */
  id: string
  thread: string
  author: string
  text: string
  files?: readonly { name: string }[] | undefined
  link: string | null
}

/** Data of a message for a rule and its task (C780): words of others, never a request. */
export const toldOf = (
  { id, thread, files = [], ...data }: Seen,
  more: Record<string, string> = {},
): HappeningDetails => ({
  id,
  thread,
  data: { ...data, ...more, files: files.map(({ name }) => name) },
})

/** True if what a person does may start something in a channel (S35, S80). */
export const mayStart = (
  deps: ChannelDeps,
  { id, by }: { id: string; by: Standing },
  channel: string,
) => deps.standingIn(by, channel) === 'member' && deps.mayUse(id, channel)

/** Longest to-do that a reaction makes of a message, in characters. */
const todoMost = 300

export interface Reacted {
  workspace: string
  channel: string
  sign: string
  at: number
  person: { id: string; by: Standing }
}

/**
 * Tells a reaction to the rules of its channel (C781), and makes a to-do of the message where the
 * settings name the sign (C785). Resolves once both are stored.
 *
 * @param read reads the message; null: it is not there.
 * @returns the line that says which to-do was made.
 */
export async function reactionGiven(
  deps: ChannelDeps,
  { workspace, channel, sign, at, person }: Reacted,
  how: { read(): Promise<Seen | null>; gesture(key: string): Promise<Gesture> },
): Promise<string | null> {
  if (!mayStart(deps, person, channel)) return null
  const read = lazy(how.read)
  const what = { workspace, channel, at, sources: [sourceOf('reaction', sign)] }
  await deps.happened(what, async () => {
    const seen = await read()
    return seen === null ? null : toldOf(seen, { reaction: signOf(sign) })
  })
  if (!deps.todoReactions.map(signOf).includes(signOf(sign))) return null
  const seen = await read()
  const line = seen?.text.replace(/[\s"“”\\]+/g, ' ').trim() ?? ''
  if (seen === null || line === '') return null
  // By message alone: a second person's reaction is the same to-do.
  const asked = await how.gesture(`todo:${seen.id}`)
  const text = `/todo add "${line.slice(0, todoMost)}"`
  const whose = { way: 'reaction' as const, by: asked.by }
  const { ok, text: answer } = await deps.endpoint({ ...endpointOf(asked), whose, channel, text })
  return ok ? answer : null
}

const endpointOf = ({ timeZone = 'UTC', ...gesture }: Gesture) => ({ ...gesture, timeZone })
