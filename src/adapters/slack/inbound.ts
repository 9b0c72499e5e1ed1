import { assertNever } from '../../agent/domain/assert.ts'
import type { FileRef } from '../../agent/domain/event.ts'
import { texts } from '../../locales/texts.ts'
import { createGestures } from '../channel-kit/gestures.ts'
import { createSlashCommands } from './commands.ts'
import { createGestureReader } from './gestures.ts'
import { gestureOf, type InboundDeps } from './inbound-deps.ts'
import { workspaceOf } from './installations.ts'
import { limits } from './limits.ts'
import { mentionsIn, readMessage } from './mrkdwn.ts'
import type { Parsed, SlackMessage } from './parse.ts'
import { openedFor } from './readback.ts'
import type { Reply, Scene } from './scene.ts'

/**
 * Takes what Slack sends. Resolves when whatever had to be stored is stored; only then may it be acknowledged (rule 1,
 * P4). Throws when the store, or who we are, is not known: Slack then sends it again.
 */
export function createInbound(deps: InboundDeps): (parsed: Parsed) => Promise<Reply> {
  const clicked = createGestureReader(deps)
  const gestures = createGestures(deps)
  const commands = createSlashCommands({
    ...deps,
    readMessage: async (scene, message) => ({ text: (await wordsOf(scene, message)).text, ...filesOf(message) }),
  })

  async function said(scene: Scene, message: SlackMessage): Promise<void> {
    const { workspace, installation } = scene
    const { channel, ts, thread } = message
    const mentioned = mentionsIn(message.text).includes(installation.botUserId)
    const addressed = message.direct || mentioned
    const keys = [`${channel}:${ts}`, ...(message.clientId === null ? [] : [`msg:${message.clientId}`])]
    const place = await placeOf(scene, message, keys)
    // Talk that is not ours costs nobody a question about who said it.
    if (message.bot || (!addressed && !(await deps.inbox.knows(place)))) return
    const event = await eventOf(scene, message, { ...place, ref: ts })
    const { text, forSomeoneElse } = await wordsOf(scene, message)
    const result = await deps.hand({
      ...event,
      keys,
      // A direct message is for Clew, whoever it mentions first.
      content: {
        ...{ kind: 'message', text, addressed },
        forSomeoneElse: forSomeoneElse && !message.direct,
        ...filesOf(message),
      },
    })
    if (result.kind === 'accepted') void deps.reactions.see({ workspace, channel, ts })
    if (result.kind === 'ignored' && result.reason === 'too_many') {
      // Said once in a minute: whoever is told for every message reads none of it.
      const minute = Math.floor(deps.clock.now() / 60_000)
      const words = texts(event.locale ?? deps.defaults.locale).core.tooFast
      const to = { workspace, channel, thread, user: message.user }
      void deps.whisper(`fast:${message.user}:${minute}`, to, words)
    }
    if (result.kind === 'ignored' && result.reason === 'not_allowed' && addressed) {
      const words = texts(event.locale ?? deps.defaults.locale).core.notAllowed
      void deps.whisper(`refused:${channel}:${ts}`, { workspace, channel, thread, user: message.user }, words)
    }
  }

  /**
   * A reply in a thread that Clew has just opened by itself may come in before that is stored; the thread's first message
   * then says whose it is.
   */
  async function placeOf({ workspace, installation }: Scene, message: SlackMessage, keys: string[]) {
    const { channel, ts, thread, parentUser } = message
    const place = { workspace, channel, thread, keys }
    if (thread === ts || parentUser !== installation.botUserId || (await deps.inbox.knows(place))) return place
    const conversation = await openedFor(deps.api, { workspace, channel, thread })
    return conversation === null ? place : { ...place, openedFor: conversation }
  }

  async function eventOf<P extends object>({ workspace }: Scene, message: SlackMessage, place: P) {
    const person = message.user === '' ? null : await deps.people.who(workspace, message.user)
    return {
      ...place,
      author: { id: message.user, name: person?.name ?? message.user, bot: message.bot },
      at: Math.floor(Number(message.ts) * 1_000),
      locale: person?.locale ?? deps.defaults.locale,
      timeZone: person?.timeZone ?? deps.defaults.timeZone,
    }
  }

  async function wordsOf({ workspace, installation }: Scene, { text }: SlackMessage) {
    const others = mentionsIn(text).filter((id) => id !== installation.botUserId)
    const known = await Promise.all(others.map(async (id) => [id, await deps.people.who(workspace, id)] as const))
    const names = new Map(known.map(([id, person]) => [id, person?.name ?? null]))
    return readMessage(text, installation.botUserId, (id) => names.get(id) ?? null)
  }

  async function edited(scene: Scene, message: SlackMessage, editedTs: string): Promise<void> {
    const { channel, ts, thread } = message
    const key = `${channel}:${ts}`
    const keys = [`${key}:edited:${editedTs}`]
    const place = { workspace: scene.workspace, channel, thread, keys }
    if (message.bot || !(await deps.inbox.knows(place))) return
    const event = await eventOf(scene, message, place)
    const { text } = await wordsOf(scene, message)
    await deps.hand({ ...event, at: deps.clock.now(), content: { kind: 'edited', key, text } })
  }

  async function deleted({ workspace }: Scene, gone: Extract<Parsed, { kind: 'deleted' }>): Promise<void> {
    const { channel, ts, thread, user } = gone
    const key = `${channel}:${ts}`
    const place = { workspace, channel, thread, keys: [`${key}:deleted`] }
    if (!(await deps.inbox.knows(place))) return
    const author = { id: user, name: user, bot: false }
    await deps.hand({ ...place, author, at: deps.clock.now(), content: { kind: 'deleted', key } })
  }

  /** The native Stop button is the word. */
  async function stopped(scene: Scene, by: Extract<Parsed, { kind: 'session_stopped' }>): Promise<void> {
    const { channel, thread, user, eventId } = by
    const gesture = await gestureOf(deps, scene, { id: user, name: user }, `stop:${eventId}`)
    await gestures.say(gesture, { channel, thread }, { text: texts(gesture.locale).core.cancelWords[0] ?? 'stop' })
  }

  return async (parsed) => {
    if (parsed.kind === 'unsupported') {
      deps.log.debug({ what: parsed.what }, 'Slack sent something that Clew has no use for')
      return null
    }
    const { home } = parsed
    if (parsed.kind === 'uninstalled') {
      await deps.installations.forget(home, parsed.at * 1_000)
      return null
    }
    const installation = await deps.installations.find(home)
    if (installation === null) {
      deps.log.warn({ team: home.team }, 'an event came from a workspace where Clew is not installed')
      return null
    }
    const scene: Scene = { home, workspace: workspaceOf(home.team), installation }
    switch (parsed.kind) {
      case 'said':
        await said(scene, parsed.message)
        return null
      case 'edited':
        await edited(scene, parsed.message, parsed.editedTs)
        return null
      case 'deleted':
        await deleted(scene, parsed)
        return null
      case 'session_stopped':
        await stopped(scene, parsed)
        return null
      case 'clicked':
        await clicked(scene, parsed.click)
        return null
      case 'command':
        return await commands.slash(scene, parsed.command)
      case 'shortcut':
        await commands.shortcut(scene, parsed)
        return null
      case 'home_opened':
        void deps.homeTab.publish(scene.workspace, parsed.user, parsed.channel)
        return null
      case 'messages_opened':
        await deps.welcome.meet(scene, parsed.channel, parsed.user)
        return null
      case 'member_joined':
        if (parsed.user === installation.botUserId) await deps.welcome.greet(scene, parsed.channel, parsed.inviter)
        return null
      default:
        return assertNever(parsed)
    }
  }
}

/** Files that Slack itself has; one that lies elsewhere has no address here. */
function filesOf({ files }: SlackMessage): { files?: FileRef[] } {
  const known = files.flatMap(({ name, mimetype, size, url }) => (url === null ? [] : [{ name, mimetype, size, url }]))
  return known.length === 0 ? {} : { files: known.slice(0, limits.filesOfMessage) }
}
