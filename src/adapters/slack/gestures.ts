import { texts } from '../../locales/texts.ts'
import { createGestures, type Gesture, type Meaning } from '../channel-kit/gestures.ts'
import { afterGesture } from '../channel-kit/refusals.ts'
import { gestureOf, type InboundDeps } from './inbound-deps.ts'
import type { Click } from './parse.ts'
import { actionIds } from './render.ts'
import type { Scene } from './scene.ts'

/**
 * A press of a button. It names a question or a run by id; where that belongs and what the choice says is looked up, so
 * that a button works wherever it was shown (in its thread, in a direct message, on the Home tab).
 */
export function createGestureReader(deps: InboundDeps): (scene: Scene, click: Click) => Promise<void> {
  const gestures = createGestures({
    ...deps,
    // Of a thread that is being opened, the message that was pressed is the first one.
    threadOf: ({ thread }: Gesture & { thread: string | null }) => thread ?? '',
  })

  /** A button on the Home tab beside a thing of theirs, or beside their time zone. */
  async function pressedAtHome(scene: Scene, { user, actionId, value, actionTs }: Click): Promise<void> {
    if (actionId === actionIds.zone) await deps.people.forget(scene.workspace, user.id)
    const given = actionId.startsWith(actionIds.command('')) ? commandIn(value) : null
    if (given === null) return
    const gesture = await gestureOf(deps, scene, user, `home:${actionTs}:${value}`)
    await deps.endpoint({ ...gesture, channel: given.channel, text: given.command })
  }

  async function pressed(scene: Scene, click: Click, { meaning, key }: Pressed): Promise<void> {
    const { channel, thread, user, actionTs } = click
    const gesture = { ...(await gestureOf(deps, scene, user, key)), thread }
    const offered = meaning.kind === 'offer' && channel !== null
    const result = offered
      ? await gestures.say(gesture, { channel, thread }, { text: meaning.command })
      : await gestures.press(gesture, meaning)
    const words = texts(gesture.locale)
    const line = afterGesture(result, words, words.core[meaning.kind === 'choice' ? 'questionGone' : 'runNotFound'])
    const to = { workspace: scene.workspace, channel: channel ?? '', thread, user: user.id }
    if (line !== null && channel !== null) void deps.whisper(`click:${actionTs}:${user.id}`, to, line)
  }

  return async (scene, click) => {
    if (click.onHome) await pressedAtHome(scene, click)
    // Buttons that only lead somewhere are acknowledged and nothing else.
    const what = readClick(click)
    if (what !== null) await pressed(scene, click, what)
    if (click.onHome) void deps.homeTab.publish(scene.workspace, click.user.id)
  }
}

interface Pressed {
  meaning: Meaning
  key: string
}

/** What a press means. One that arrives twice is one; somebody else's is another, and is told who was first. */
function readClick({ actionId, value, channel, thread, user, actionTs }: Click): Pressed | null {
  const [, kind, index] = /^clew:(\w+)(?::(\d{1,2}))?$/.exec(actionId) ?? []
  switch (kind) {
    case 'answer':
      return {
        meaning: { kind: 'choice', id: value, index: Number(index) },
        key: `click:${value}:${user.id}:${actionTs}`,
      }
    case 'cancel':
    case 'continue':
    case 'retry':
      return { meaning: { kind: 'control', id: value, action: kind }, key: `press:${value}:${kind}:${actionTs}` }
    case 'offer':
      if (channel === null || thread === null || !value.startsWith('/')) return null
      // Of its conversation it says only where it was pressed.
      return {
        meaning: { kind: 'offer', id: '', command: value },
        key: `offer:${thread}:${value}:${user.id}:${actionTs}`,
      }
    default:
      // A platform's text: it may be anybody's.
      return null
  }
}

/** What a button on the Home tab carries; only commands that such buttons give. */
function commandIn(value: string): { channel: string; command: string } | null {
  const [, channel, command] = /^(\w+) (\/(?:todo done|schedule (?:pause|resume|run)) \d{1,9})$/.exec(value) ?? []
  return channel === undefined || command === undefined ? null : { channel, command }
}
