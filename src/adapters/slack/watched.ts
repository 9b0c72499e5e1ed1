import { channelSource, sourceOf } from '../../agent/domain/event-source.ts'
import { mayStart, reactionGiven, type Seen, toldOf } from '../channel-kit/happenings.ts'
import { contentOf, withAttached } from './content.ts'
import type { Scene, Slack } from './context.ts'
import { traits } from './deps.ts'
import { isFromBefore } from './first-instant.ts'
import { gestureOf } from './gestures.ts'
import { parseSaid, type SlackMessage } from './message.ts'
import { tell } from './private-message.ts'
import { readUpTo } from './readback.ts'

const timeOf = (ts: string) => Math.floor(Number(ts) * 1_000)

/**
 * Tells the rules of a channel about a message at its top that is not for Clew (C782, C783).
 * Resolves once each rule that it matches has it stored.
 */
export async function watched(slack: Slack, scene: Scene, message: SlackMessage): Promise<void> {
  const { channel, ts, thread, bot, app } = message
  const { deps } = slack
  const byBot = bot || message.user === ''
  if (thread !== ts || message.direct || (byBot && app === null)) return
  const names = [app?.id, app?.name].flatMap((name) => name ?? [])
  const sources = byBot ? names.map((name) => sourceOf('bot', name)) : [channelSource]
  const at = timeOf(ts)
  const { workspace } = scene
  await deps.happened({ workspace, channel, sources, at, byBot }, async () => {
    const now = { notes: deps.notes, now: deps.clock.now() }
    if (await isFromBefore(now, scene, at)) return null
    if (!byBot && !(await isPersons(slack, scene, message))) return null
    return toldOf(await seenOf(slack, scene, message))
  })
}

async function isPersons({ people, deps }: Slack, { workspace }: Scene, said: SlackMessage) {
  const person = await people.who(workspace, said.user)
  const by = await people.standing(workspace, person)
  return person?.bot !== true && mayStart(deps, { id: said.user, by }, said.channel)
}

async function seenOf(slack: Slack, scene: Scene, message: SlackMessage): Promise<Seen> {
  const { channel, ts, thread, user, app } = message
  const { workspace } = scene
  const [{ text, files }, person] = await Promise.all([
    contentOf(slack, scene, withAttached(message)),
    user === '' ? null : slack.people.who(workspace, user),
  ])
  const author = person?.name ?? app?.name ?? user
  const link = traits.linkTo?.({ workspace, channel, thread: ts }) ?? null
  return { id: `${channel}:${ts}`, thread, author, text, files, link }
}

interface Reaction {
  channel: string
  ts: string
  user: string
  sign: string
  eventTs: string | null
}

/** Tells what a person's reaction starts (C781, C785). Throws if the store is down. */
export async function reactedWith(slack: Slack, scene: Scene, on: Reaction): Promise<void> {
  const { channel, ts, user, sign, eventTs } = on
  const { deps, people } = slack
  const { workspace } = scene
  if (user === scene.botUserId) return
  const known = await people.who(workspace, user)
  if (known?.bot === true) return
  const person = { id: user, by: await people.standing(workspace, known) }
  const at = eventTs === null ? deps.clock.now() : timeOf(eventTs)
  const read = async () => {
    const message = await messageAt(slack, workspace, { channel, ts })
    return message === null ? null : await seenOf(slack, scene, message)
  }
  const gesture = (key: string) => gestureOf(slack, scene, { id: user, name: user }, key)
  const given = { workspace, channel, sign, at, person }
  const line = await reactionGiven(deps, given, { read, gesture })
  if (line === null) return
  void tell(slack, `todo:${channel}:${ts}:${user}`, { workspace, channel, thread: ts, user }, line)
}

async function messageAt(
  slack: Slack,
  workspace: string,
  { channel, ts }: { channel: string; ts: string },
): Promise<SlackMessage | null> {
  const read = await readUpTo(slack, { workspace, channel, ts })
  const found = read.find((one) => one.ts === ts)
  return found === undefined ? null : parseSaid(found, channel)
}
