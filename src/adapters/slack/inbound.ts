import { assertNever } from '../../agent/domain/assert.ts'
import { texts } from '../../locales/texts.ts'
import { say } from '../channel-kit/gestures.ts'
import { take } from '../channel-kit/refusals.ts'
import { shortcut, slash } from './commands.ts'
import { contentOf } from './content.ts'
import type { Reply, Scene, Slack } from './context.ts'
import { answeredThread } from './direct-answers.ts'
import { clicked, gestureOf } from './gestures.ts'
import { publishHome } from './home.ts'
import { workspaceOf } from './installations.ts'
import { mentionsIn } from './mrkdwn.ts'
import type { Parsed, SlackMessage } from './parse.ts'
import { react, seen } from './reactions.ts'
import { openedFor } from './readback.ts'
import { greet, meet } from './welcome.ts'
import { tellNow } from './whisper.ts'

/**
 * Takes what Slack sends. Resolves when everything that had to be stored is stored; only then may it be acknowledged (rule
 * 1, P4). Throws when the store, or who we are, is not known: Slack then sends it again.
 */
export async function receive(slack: Slack, parsed: Parsed): Promise<Reply> {
  const { deps, installations } = slack
  if (parsed.kind === 'unsupported') {
    deps.log.debug({ what: parsed.what }, 'Slack sent something that Clew has no use for')
    return null
  }
  const { home } = parsed
  if (parsed.kind === 'uninstalled') {
    await installations.forget(home, parsed.at * 1_000)
    return null
  }
  const installation = await installations.find(home)
  if (installation === null) {
    deps.log.warn({ team: home.team }, 'an event came from a workspace where Clew is not installed')
    return null
  }
  return await work(slack, { workspace: workspaceOf(home.team), botUserId: installation.botUserId }, parsed)
}

type AtHome = Exclude<Parsed, { kind: 'unsupported' | 'uninstalled' }>

async function work(slack: Slack, scene: Scene, parsed: AtHome): Promise<Reply> {
  switch (parsed.kind) {
    case 'said':
      await said(slack, scene, parsed.message)
      return null
    case 'edited':
      await edited(slack, scene, parsed)
      return null
    case 'deleted':
      await deleted(slack, scene, parsed)
      return null
    case 'session_stopped':
      await stopped(slack, scene, parsed)
      return null
    case 'clicked':
      await clicked(slack, scene, parsed.click)
      return null
    case 'command':
      return await slash(slack, scene, parsed.command)
    case 'shortcut':
      await shortcut(slack, scene, parsed)
      return null
    case 'home_opened':
      void publishHome(slack, scene.workspace, parsed.user, parsed.channel)
      return null
    case 'messages_opened':
      await meet(slack, scene, parsed.channel, parsed.user)
      return null
    case 'member_joined':
      if (parsed.user === scene.botUserId) await greet(slack, scene, parsed.channel, parsed.inviter)
      return null
    default:
      return assertNever(parsed)
  }
}

async function said(slack: Slack, scene: Scene, message: SlackMessage): Promise<void> {
  const { channel, ts, thread, user, direct } = message
  const addressed = direct || mentionsIn(message.text).includes(scene.botUserId)
  const keys = [keyOf(message), ...(message.clientId === null ? [] : [`msg:${message.clientId}`])]
  const place = await placeOf(slack, scene, message, keys)
  // Talk that is not ours costs nobody a question about who said it.
  if (message.bot || (!addressed && !(await slack.deps.inbox.knows(place)))) return
  const content = await contentOf(slack, scene, message)
  const event = {
    ...place,
    ref: ts,
    ...(await authorOf(slack, scene, message)),
    at: Math.floor(Number(ts) * 1_000),
    content: { kind: 'message' as const, addressed, ...content, ...(direct ? toClew : {}) },
  }
  const { workspace } = scene
  const tell = (line: string) => tellNow(slack, { workspace, channel, thread, user }, line)
  const result = await take(slack, event, { refuses: 'each', tell })
  if (result.kind === 'accepted' && addressed) void react(slack, 'add', seen, { workspace, channel, ts })
}

/** A direct message is for Clew, whoever it mentions. */
const toClew = { forSomeoneElse: false, namesOthers: false }

const keyOf = ({ channel, ts }: { channel: string; ts: string }) => `${channel}:${ts}`

/**
 * A reply in a thread that Clew has just opened by itself may come in before that is stored; the thread's first message
 * then says whose it is.
 */
async function placeOf(slack: Slack, { workspace, botUserId }: Scene, message: SlackMessage, keys: string[]) {
  const { channel, ts, parentUser } = message
  const thread = (await answeredThread(slack, workspace, message)) ?? message.thread
  const place = { workspace, channel, thread, keys }
  if (thread === ts || parentUser !== botUserId || (await slack.deps.inbox.knows(place))) return place
  const conversation = await openedFor(slack, { workspace, channel, thread })
  return conversation === null ? place : { ...place, openedFor: conversation }
}

async function authorOf({ people, deps: { defaults } }: Slack, { workspace }: Scene, { user, bot }: SlackMessage) {
  const person = user === '' ? null : await people.who(workspace, user)
  return {
    author: { id: user, name: person?.name ?? user, bot },
    locale: person?.locale ?? defaults.locale,
    timeZone: person?.timeZone ?? defaults.timeZone,
  }
}

async function edited(slack: Slack, scene: Scene, { message, editedTs, before }: Extract<Parsed, { kind: 'edited' }>) {
  const { clock, inbox } = slack.deps
  const names = (text: string) => mentionsIn(text).includes(scene.botUserId)
  const addressed = names(message.text) && !names(before)
  const key = keyOf(message)
  const { workspace } = scene
  const place = { workspace, channel: message.channel, thread: message.thread, keys: [`${key}:edited:${editedTs}`] }
  if (message.bot || (!addressed && !(await inbox.knows(place)))) return
  const author = await authorOf(slack, scene, message)
  const { text, files } = await contentOf(slack, scene, message)
  const more = { ...(addressed ? { addressed } : {}), ...(files === undefined ? {} : { files }) }
  const content = { kind: 'edited' as const, key, text, ...more }
  const result = await slack.hand({ ...place, ref: message.ts, ...author, at: clock.now(), content })
  // Only now it is said to Clew (C78).
  if (result.kind === 'accepted' && addressed) void react(slack, 'add', seen, { workspace, ...message })
}

async function deleted({ deps, hand }: Slack, { workspace }: Scene, gone: Extract<Parsed, { kind: 'deleted' }>) {
  const { channel, thread, user } = gone
  const key = keyOf(gone)
  const place = { workspace, channel, thread, keys: [`${key}:deleted`] }
  if (!(await deps.inbox.knows(place))) return
  const author = { id: user, name: user, bot: false }
  await hand({ ...place, author, at: deps.clock.now(), content: { kind: 'deleted', key } })
}

/** The native Stop button is the word. */
async function stopped(slack: Slack, scene: Scene, by: Extract<Parsed, { kind: 'session_stopped' }>): Promise<void> {
  const { channel, thread, user, eventId } = by
  const gesture = await gestureOf(slack, scene, { id: user, name: user }, `stop:${eventId}`)
  await say(slack, gesture, { channel, thread }, { text: texts(gesture.locale).core.cancelWords[0] ?? 'stop' })
}
