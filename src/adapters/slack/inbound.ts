import type { App } from '@slack/bolt'
import type { z } from 'zod'
import { present } from '../../agent/domain/present.ts'
import { submitText } from '../channel-kit/gestures.ts'
import { markReadBy, take } from '../channel-kit/intake.ts'
import { wasTaken } from '../channel-kit/missed.ts'
import { isAdmitted } from './apps.ts'
import { sceneOf } from './bolt.ts'
import { shortcut, slash } from './commands.ts'
import { contentOf, withAttached } from './content.ts'
import type { Scene, Slack } from './context.ts'
import { answeredThread } from './direct-answers.ts'
import { isFromBefore } from './first-instant.ts'
import { openForm, submitted } from './forms.ts'
import { clicked, gestureOf } from './gestures.ts'
import { deleted, isGone, keyOf } from './gone.ts'
import { publishHome } from './home.ts'
import { mentionsIn } from './markdown.ts'
import type { SlackMessage } from './message.ts'
import {
  ButtonPress,
  Command,
  Envelope,
  Joined,
  Mention,
  MessageEvent,
  MessageShortcut,
  type MessageUpdate,
  Reacted,
  Revoked,
  SessionStopped,
  SubmittedForm,
  TabOpened,
  Uninstalled,
} from './parse.ts'
import { tellNow } from './private-message.ts'
import { suggest } from './prompts.ts'
import { react, seen } from './reactions.ts'
import { openedFor, threadAt } from './readback.ts'
import { showThinking } from './status.ts'
import { reactedWith, watched } from './watched.ts'
import { greet, meet } from './welcome.ts'

/**
 * Registers listeners for everything from Slack that Clew uses. Each resolves when its event is
 * stored, and throws if the store is down.
 */
export function listen(app: App, slack: Slack): void {
  const on = <T>(
    type: string,
    event: z.ZodType<T>,
    take: (scene: Scene, read: T & {}) => unknown,
  ) =>
    app.event(type, async ({ payload, context }) => {
      const read = readAs(slack, event, payload)
      if (read !== null) await take(sceneOf(context), read)
    })
  on('message', MessageEvent, (scene, told) => heard(slack, scene, told))
  on('app_mention', Mention, (scene, message) => said(slack, scene, message))
  on('reaction_added', Reacted, (scene, reaction) => reacted(slack, scene, reaction))
  on('app_home_opened', TabOpened, (scene, tab) => tabOpened(slack, scene, tab))
  on('member_joined_channel', Joined, async (scene, { channel, user, inviter }) => {
    if (user === scene.botUserId) await greet(slack, scene, channel, inviter)
  })
  app.event('agent_session_stopped', async ({ payload, body, context }) => {
    const by = readAs(slack, SessionStopped, payload)
    const { event_id: eventId } = Envelope.parse(body)
    if (by !== null) await stopped(slack, sceneOf(context), { ...by, eventId })
  })
  listenForEnds(app, slack)
  listenToGestures(app, slack)
}

/** Listens for the removal of Clew from a workspace and for revoked tokens. */
function listenForEnds(app: App, slack: Slack): void {
  const ends = { app_uninstalled: Uninstalled, tokens_revoked: Revoked }
  for (const [type, end] of Object.entries(ends))
    app.event(type, async ({ payload, body, context }) => {
      const { teamId: team, enterpriseId: enterprise, isEnterpriseInstall: isOrg } = context
      if (readAs<unknown>(slack, end, payload) === null || team === undefined) return
      const { event_time: seconds } = Envelope.parse(body)
      const home = { team, enterprise: enterprise ?? null, isOrg }
      await slack.installations.forget(home, seconds * 1_000)
    })
}

/**
 * Listens for forms and commands, whose acknowledgement carries an answer, and for presses and
 * shortcuts.
 */
function listenToGestures(app: App, slack: Slack): void {
  app.action({ type: 'block_actions' }, async ({ body, context }) => {
    const click = readAs(slack, ButtonPress, body)
    if (click === null) return
    void openForm(slack, sceneOf(context), click)
    await clicked(slack, sceneOf(context), click)
  })
  app.view({ type: 'view_submission' }, async ({ body, context, ack }) => {
    const form = readAs(slack, SubmittedForm, body)
    if (form !== null) await ack((await submitted(slack, sceneOf(context), form)) ?? undefined)
  })
  app.shortcut({ type: 'message_action' }, async ({ body, context }) => {
    const picked = readAs(slack, MessageShortcut, body)
    if (picked !== null) await shortcut(slack, sceneOf(context), picked)
  })
  app.command(/^\//, async ({ body, context, ack }) => {
    const command = readAs(slack, Command, body)
    if (command !== null) await ack((await slash(slack, sceneOf(context), command)) ?? undefined)
  })
}

/** Parses a payload. Returns `null` if Clew does not use it. */
function readAs<T>({ deps: { log } }: Slack, schema: z.ZodType<T>, given: unknown) {
  const { data: read } = schema.safeParse(given)
  if (read === undefined || read === null) {
    log.debug({}, 'Slack sent something that Clew has no use for')
    return null
  }
  return read
}

async function heard(slack: Slack, scene: Scene, told: MessageUpdate): Promise<void> {
  if (told.kind === 'said') await said(slack, scene, told.message)
  else if (told.kind === 'edited') await edited(slack, scene, told)
  else await deleted(slack, scene, told)
}

async function tabOpened(
  slack: Slack,
  scene: Scene,
  { user, tab, channel }: z.infer<typeof TabOpened>,
): Promise<void> {
  if (tab === 'home') return void publishHome(slack, scene.workspace, user, channel)
  if (tab !== 'messages' || channel === null) return
  void suggest(slack, scene.workspace, channel, user)
  await meet(slack, scene, channel, user)
}

/** Handles a message. A missed message that is read later is handled the same way (C155). */
export async function said(slack: Slack, scene: Scene, given: SlackMessage): Promise<void> {
  // What apps say mostly stands in attachments.
  const message = given.bot ? withAttached(given) : given
  const { channel, ts, thread, user, direct } = message
  const addressed = direct || mentionsIn(message.text).includes(scene.botUserId)
  const keys = present([keyOf(message), message.clientId !== null && `msg:${message.clientId}`])
  if (isOwn(message, scene)) return
  const isReply = thread !== ts
  if (isReply && !addressed) slack.early.keep(scene.workspace, message)
  const place = await placeOf(slack, scene, message, keys)
  if (!(await concernsClew(slack, scene, message, { addressed, place }))) return
  const at = timeOf(ts)
  if (await isFromBefore(nowIn(slack), scene, at)) return
  // Also one that was stored before its process ended: its deletion may have come before that.
  if (addressed && (await isGone(slack, scene.workspace, message)))
    return await deleted(slack, scene, message)
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
  // Its deletion may have come meanwhile.
  if (await isGone(slack, scene.workspace, message)) return await deleted(slack, scene, message)
  void react(slack, 'add', seen, { workspace, channel, ts })
  if (event.thread !== null) void showThinking(slack, { ...event, thread: event.thread }, result)
  if (!isReply)
    for (const reply of slack.early.take(workspace, message)) await said(slack, scene, reply)
}

/**
 * True for what is said to Clew, or by people in a thread that it knows. The rest may be for a rule
 * that watches its channel; of other people's talk, no author is looked up.
 */
async function concernsClew(
  slack: Slack,
  scene: Scene,
  message: SlackMessage,
  { addressed, place }: { addressed: boolean; place: Awaited<ReturnType<typeof placeOf>> },
): Promise<boolean> {
  const isOfBot = isBots(message, scene)
  if (addressed) return !isOfBot || (await isAdmitted(slack, scene, message))
  if (!isOfBot && (await slack.deps.inbox.knows(place))) return true
  await watched(slack, scene, message)
  return false
}

/**
 * True if Clew itself posted it. Files that Clew shares look like a person's, under its user
 * (C177).
 */
const isOwn = ({ user }: SlackMessage, { botUserId }: Scene) => user === botUserId
const isBots = (message: SlackMessage, scene: Scene) => message.bot || isOwn(message, scene)

/** Overrides for direct messages, which are for Clew whomever they mention. */
const toClew = { forSomeoneElse: false, namesOthers: false }

const nowIn = ({ deps: { notes, clock } }: Slack) => ({ notes, now: clock.now() })
const timeOf = (ts: string) => Math.floor(Number(ts) * 1_000)

/**
 * Returns the place of a message. A reply may arrive before the thread that Clew has just opened is
 * stored. The thread's first message then names the conversation.
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
  message: SlackMessage,
) {
  const { user, bot, app } = message
  const person = user === '' ? null : await people.who(workspace, user)
  const isPersons = !bot || (user !== '' && person?.bot !== true)
  const by = isPersons ? await people.standing(workspace, person) : ('member' as const)
  const author = isPersons ? { id: user, name: person?.name ?? user } : (app ?? nobody)
  return {
    author: { ...author, bot: false },
    // An allowed app may only start work, in its own name or a person's (C397).
    whose: { way: bot ? ('program' as const) : ('typed' as const), by },
    locale: person?.locale ?? defaults.locale,
    timeZone: person?.timeZone || undefined,
  }
}

const nobody = { id: '', name: '' }

async function edited(
  slack: Slack,
  scene: Scene,
  { message, editedTs, before }: Extract<MessageUpdate, { kind: 'edited' }>,
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
  if (await isFromBefore(nowIn(slack), scene, timeOf(editedTs))) return
  const author = await authorOf(slack, scene, message)
  const { text, files } = await contentOf(slack, scene, message)
  const more = { addressed: addressed || undefined, files }
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
  // This edit addresses Clew for the first time (C78).
  if (result.kind === 'accepted' && addressed)
    void react(slack, 'add', seen, { workspace, ...message })
}

/**
 * Handles a reaction: what it starts (C781), and for a message by Clew that it was read (C115).
 * Slack does not name the thread, so it is looked up.
 */
async function reacted(slack: Slack, scene: Scene, on: z.infer<typeof Reacted>) {
  const { channel, ts, author, user } = on
  const { workspace, botUserId } = scene
  await reactedWith(slack, scene, on)
  if (author !== botUserId) return
  const thread = await threadAt(slack, { workspace, channel, ts })
  const by = await slack.people.standing(workspace, await slack.people.who(workspace, user))
  if (thread !== null)
    await markReadBy(slack, { id: user, by }, { workspace, channel, thread }, timeOf(ts))
}

/** Handles the native Stop button as if the person had written “stop”. */
async function stopped(
  slack: Slack,
  scene: Scene,
  by: z.infer<typeof SessionStopped> & { eventId: string },
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
