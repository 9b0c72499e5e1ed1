import { assertNever } from '../../agent/domain/assert.ts'
import { submitText } from '../channel-kit/gestures.ts'
import { markReadBy, take } from '../channel-kit/intake.ts'
import { wasTaken } from '../channel-kit/missed.ts'
import { shortcut, slash } from './commands.ts'
import { contentOf } from './content.ts'
import type { Reply, Scene, Slack } from './context.ts'
import { answeredThread } from './direct-answers.ts'
import { openForm, submitted } from './forms.ts'
import { clicked, gestureOf } from './gestures.ts'
import { publishHome } from './home.ts'
import { workspaceOf } from './installations.ts'
import { mentionsIn } from './markdown.ts'
import type { SlackMessage } from './message.ts'
import type { Parsed } from './parse.ts'
import { tellNow } from './private-message.ts'
import { suggest } from './prompts.ts'
import { react, seen } from './reactions.ts'
import { openedFor, threadAt } from './readback.ts'
import { showThinking } from './status.ts'
import { greet, meet } from './welcome.ts'

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
  await slack.people.note(home)
  return await work(
    slack,
    { workspace: workspaceOf(home.team), botUserId: installation.botUserId },
    parsed,
  )
}

type AtHome = Exclude<Parsed, { kind: 'unsupported' | 'uninstalled' }>

/** Forms and commands are answered with the acknowledgement; nothing else is. */
async function work(slack: Slack, scene: Scene, parsed: AtHome): Promise<Reply> {
  if (parsed.kind === 'submitted') return await submitted(slack, scene, parsed.form)
  if (parsed.kind === 'command') return await slash(slack, scene, parsed.command)
  await store(slack, scene, parsed)
  return null
}

async function store(
  slack: Slack,
  scene: Scene,
  parsed: Exclude<AtHome, { kind: 'submitted' | 'command' }>,
) {
  switch (parsed.kind) {
    case 'said':
      return await said(slack, scene, parsed.message)
    case 'edited':
      return await edited(slack, scene, parsed)
    case 'deleted':
      return await deleted(slack, scene, parsed)
    case 'reacted':
      return await reacted(slack, scene, parsed)
    case 'session_stopped':
      return await stopped(slack, scene, parsed)
    case 'clicked':
      void openForm(slack, scene, parsed.click)
      return await clicked(slack, scene, parsed.click)
    case 'shortcut':
      return await shortcut(slack, scene, parsed)
    case 'home_opened':
      return void publishHome(slack, scene.workspace, parsed.user, parsed.channel)
    case 'messages_opened':
      void suggest(slack, scene.workspace, parsed.channel, parsed.user)
      return await meet(slack, scene, parsed.channel, parsed.user)
    case 'member_joined':
      if (parsed.user === scene.botUserId) await greet(slack, scene, parsed.channel, parsed.inviter)
      return
    default:
      return assertNever(parsed)
  }
}

/** A message as it was said; one that was missed is read later and is the same (C155). */
export async function said(slack: Slack, scene: Scene, message: SlackMessage): Promise<void> {
  const { channel, ts, thread, user, direct } = message
  const addressed = direct || mentionsIn(message.text).includes(scene.botUserId)
  const keys = [keyOf(message), ...(message.clientId === null ? [] : [`msg:${message.clientId}`])]
  const place = await placeOf(slack, scene, message, keys)
  // Talk that is not ours costs nobody a question about who said it.
  if (isBots(message, scene) || (!addressed && !(await slack.deps.inbox.knows(place)))) return
  const at = timeOf(ts)
  if (await wasTaken(slack.deps, { ...place, at })) return
  const content = await contentOf(slack, scene, message)
  const event = {
    ...place,
    ref: ts,
    ...(await authorOf(slack, scene, message)),
    at,
    content: { kind: 'message' as const, addressed, ...content, ...(direct ? toClew : {}) },
  }
  const { workspace } = scene
  const tell = (line: string) => tellNow(slack, { workspace, channel, thread, user }, line)
  const result = await take(slack, event, { refuses: 'each', tell })
  if (result.kind !== 'accepted' || !addressed) return
  void react(slack, 'add', seen, { workspace, channel, ts })
  if (event.thread !== null) void showThinking(slack, { ...event, thread: event.thread }, result)
}

/** Files that an app shares come as any person's do, under its user (C177, S9). */
const isBots = ({ bot, user }: SlackMessage, { botUserId }: Scene): boolean =>
  bot || user === botUserId

/** A direct message is for Clew, no matter whom it mentions. */
const toClew = { forSomeoneElse: false, namesOthers: false }

const timeOf = (ts: string): number => Math.floor(Number(ts) * 1_000)
const keyOf = ({ channel, ts }: { channel: string; ts: string }) => `${channel}:${ts}`

/**
 * A reply in a thread that Clew has just opened by itself may come in before that is stored; the thread's first message
 * then says whose it is.
 */
async function placeOf(
  slack: Slack,
  { workspace, botUserId }: Scene,
  message: SlackMessage,
  keys: string[],
) {
  const { channel, ts, parentUser } = message
  const thread = (await answeredThread(slack, workspace, message)) ?? message.thread
  const place = { workspace, channel, thread, keys }
  if (thread === ts || parentUser !== botUserId || (await slack.deps.inbox.knows(place)))
    return place
  const conversation = await openedFor(slack, { workspace, channel, thread })
  return conversation === null ? place : { ...place, openedFor: conversation }
}

async function authorOf(
  { people, deps: { defaults } }: Slack,
  { workspace }: Scene,
  { user, bot }: SlackMessage,
) {
  const person = user === '' ? null : await people.who(workspace, user)
  return {
    author: { id: user, name: person?.name ?? user, bot },
    whose: {
      way: 'typed' as const,
      by: bot ? ('bot' as const) : await people.standing(workspace, person),
    },
    locale: person?.locale ?? defaults.locale,
    ...(person?.timeZone ? { timeZone: person.timeZone } : {}),
  }
}

async function edited(
  slack: Slack,
  scene: Scene,
  { message, editedTs, before }: Extract<Parsed, { kind: 'edited' }>,
) {
  const { clock, inbox } = slack.deps
  const names = (text: string) => mentionsIn(text).includes(scene.botUserId)
  const addressed = names(message.text) && !names(before)
  const key = keyOf(message)
  const { workspace } = scene
  const place = {
    workspace,
    channel: message.channel,
    thread: message.thread,
    keys: [`${key}:edited:${editedTs}`],
  }
  if (isBots(message, scene) || (!addressed && !(await inbox.knows(place)))) return
  const author = await authorOf(slack, scene, message)
  const { text, files } = await contentOf(slack, scene, message)
  const more = { ...(addressed ? { addressed } : {}), ...(files === undefined ? {} : { files }) }
  const content = { kind: 'edited' as const, key, text, ...more }
  const event = {
    ...place,
    ref: message.ts,
    ...author,
    whose: { ...author.whose, way: 'edited' as const },
    at: clock.now(),
    content,
  }
  const to = { workspace, channel: message.channel, thread: message.thread, user: message.user }
  const tell = (line: string) => tellNow(slack, to, line)
  const result = await take(slack, event, { refuses: 'each', tell })
  // Only now it is said to Clew (C78).
  if (result.kind === 'accepted' && addressed)
    void react(slack, 'add', seen, { workspace, ...message })
}

async function deleted(
  { deps, hand }: Slack,
  { workspace }: Scene,
  gone: Extract<Parsed, { kind: 'deleted' }>,
) {
  const { channel, thread, user } = gone
  const key = keyOf(gone)
  const place = { workspace, channel, thread, keys: [`${key}:deleted`] }
  if (!(await deps.inbox.knows(place))) return
  const author = { id: user, name: user, bot: false }
  const whose = { way: 'edited' as const, by: 'member' as const }
  await hand({ ...place, author, whose, at: deps.clock.now(), content: { kind: 'deleted', key } })
}

/** Slack does not say in which thread that was; what others wrote need not be asked for (C115). */
async function reacted(
  slack: Slack,
  { workspace, botUserId }: Scene,
  on: Extract<Parsed, { kind: 'reacted' }>,
) {
  const { channel, ts, author, user } = on
  if (author !== botUserId || user === botUserId) return
  const thread = await threadAt(slack, { workspace, channel, ts })
  const by = await slack.people.standing(workspace, await slack.people.who(workspace, user))
  if (thread !== null)
    await markReadBy(slack, { id: user, by }, { workspace, channel, thread }, timeOf(ts))
}

/** The native Stop button is the word. */
async function stopped(
  slack: Slack,
  scene: Scene,
  by: Extract<Parsed, { kind: 'session_stopped' }>,
): Promise<void> {
  const { channel, thread, user, eventId } = by
  const gesture = await gestureOf(slack, scene, { id: user, name: user }, `stop:${eventId}`)
  await submitText(
    slack,
    gesture,
    { channel, thread },
    { text: gesture.words.said.stop[0] ?? 'stop', way: 'pressed' },
  )
}
