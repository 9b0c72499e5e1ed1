import type { IntakeResult } from '../../agent/ports/channel.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import {
  type Gesture,
  type Meaning,
  opinionOf,
  press,
  submitText,
} from '../channel-kit/gestures.ts'
import { afterGesture } from '../channel-kit/intake.ts'
import type { Scene, Slack } from './context.ts'
import { publishHome } from './home.ts'
import type { Click, Named } from './parse.ts'
import { tell } from './private-message.ts'
import { actionIds } from './render.ts'

/** Builds a gesture with the language, zone and standing from the person's profile. */
export async function gestureOf(
  { people, deps }: Slack,
  { workspace }: Scene,
  user: Named,
  key: string,
) {
  const known = await people.who(workspace, user.id)
  const locale = known?.locale ?? deps.defaults.locale
  return {
    workspace,
    person: { id: user.id, name: known?.name ?? user.name },
    by: await people.standing(workspace, known),
    locale,
    words: texts(locale),
    timeZone: known?.timeZone ?? deps.defaults.timeZone,
    zoneUnset: known?.timeZone == null,
    key,
  } satisfies Gesture & { words: Texts }
}

/**
 * Handles a press of a button. The button names only a question or a run; the rest is looked up, so
 * it works wherever it is shown: in a thread, a direct message or on the Home tab.
 */
export async function clicked(slack: Slack, scene: Scene, click: Click): Promise<void> {
  if (click.onHome) await pressedAtHome(slack, scene, click)
  if (click.actionId.startsWith('clew:private:')) return await pressedAlone(slack, scene, click)
  // Link buttons are only acknowledged.
  const what = readClick(click)
  const result = what === null ? null : await pressed(slack, scene, click, what)
  if (click.onHome) void publishAfter(slack, scene.workspace, click.user.id, result)
}

/** Polls until the effect of a press is visible. A longer turn is not awaited. */
const looks = { everyMs: 200, most: 25 }

/** C165: publishes the Home tab once the effect of a press on it is stored. Never throws. */
async function publishAfter(
  slack: Slack,
  workspace: string,
  user: string,
  pressed: IntakeResult | null,
) {
  const { clock, conversations } = slack.deps
  const isTaken = async ({ conversationId, entryId }: Exclude<IntakeResult, { kind: 'ignored' }>) =>
    !(await conversations.state(workspace, conversationId, 0))?.inbox.some(
      ({ id }) => id === entryId,
    )
  for (let look = 0; look < looks.most && pressed !== null && pressed.kind !== 'ignored'; look++) {
    if (await isTaken(pressed).catch(() => true)) break
    await clock.sleep(looks.everyMs)
  }
  await publishHome(slack, workspace, user)
}

/** Handles a button on the Home tab: one beside an item, or the one beside the time zone. */
async function pressedAtHome(
  slack: Slack,
  scene: Scene,
  { user, actionId, value, actionTs }: Click,
): Promise<void> {
  if (actionId === actionIds.zone) await slack.people.forget(scene.workspace, user.id)
  const given = actionId.startsWith(actionIds.command('')) ? commandIn(value) : null
  if (given === null) return
  const gesture = await gestureOf(slack, scene, user, `home:${actionTs}:${value}`)
  const whose = { way: 'pressed' as const, by: gesture.by }
  await slack.deps.endpoint({ ...gesture, whose, channel: given.channel, text: given.command })
}

/**
 * C286: handles a button in a message that only one person sees, and answers that person privately.
 */
async function pressedAlone(slack: Slack, scene: Scene, click: Click): Promise<void> {
  const { user, channel, thread, actionTs, value: text } = click
  if (channel === null) return
  const gesture = await gestureOf(slack, scene, user, `private:${actionTs}:${user.id}`)
  const whose = { way: 'pressed' as const, by: gesture.by }
  const { text: answer } = await slack.deps.endpoint({ ...gesture, whose, channel, text })
  const to = { workspace: scene.workspace, channel, thread, user: user.id }
  void tell(slack, `private:${actionTs}:${user.id}`, to, answer)
}

/**
 * Hands a press to its conversation.
 *
 * @returns its result, or `null` if the press has no meaning any more.
 */
async function pressed(slack: Slack, scene: Scene, click: Click, { meaning, key }: Pressed) {
  const { channel, thread, user, actionTs } = click
  const gesture = await gestureOf(slack, scene, user, key)
  const result =
    meaning.kind === 'offer' && channel !== null
      ? await submitText(
          slack,
          gesture,
          { channel, thread },
          { text: meaning.command, way: 'pressed' },
        )
      : // Of a thread that is being opened, the message that was pressed is the first one.
        await press(slack, gesture, meaning, { thread: thread ?? '' })
  const { words } = gesture
  const line = afterGesture(
    result,
    words,
    words.core[meaning.kind === 'choice' ? 'questionGone' : 'runNotFound'],
  )
  if (line !== null && channel !== null) {
    const to = { workspace: scene.workspace, channel, thread, user: user.id }
    void tell(slack, `click:${actionTs}:${user.id}`, to, line)
  }
  return result
}

interface Pressed {
  meaning: Meaning
  key: string
}

/**
 * Parses a press. A press that arrives twice has the same key. A press by another person has its
 * own key, and that person is told who was first.
 */
function readClick({ actionId, value, channel, thread, user, actionTs }: Click): Pressed | null {
  const [, kind, index] = /^clew:(\w+)(?::(\d{1,2}))?$/.exec(actionId) ?? []
  const theirs = `${user.id}:${actionTs}`
  switch (kind) {
    case 'answer':
      return {
        meaning: { kind: 'choice', id: value, index: Number(index) },
        key: `click:${value}:${theirs}`,
      }
    case 'cancel':
    case 'continue':
    case 'retry':
      return {
        meaning: { kind: 'control', id: value, action: kind },
        key: `press:${value}:${kind}:${actionTs}`,
      }
    case 'feedback': {
      const [, word = '', id = ''] = /^([a-z]+):([\w-]+)$/.exec(value) ?? []
      const opinion = opinionOf(word)
      if (opinion === null) return null
      return {
        meaning: { kind: 'feedback', id, ...opinion },
        key: `feedback:${id}:${theirs}`,
      }
    }
    case 'offer':
      if (channel === null || thread === null || !value.startsWith('/')) return null
      // The button does not know its conversation, only the thread it was pressed in.
      return {
        meaning: { kind: 'offer', id: '', command: value },
        key: `offer:${thread}:${value}:${theirs}`,
      }
    default:
      // Buttons of other apps have arbitrary ids.
      return null
  }
}

/** Parses the value of a Home tab button. Accepts only the commands that such buttons have. */
function commandIn(value: string): { channel: string; command: string } | null {
  const [, channel, command] =
    /^(\w+) (\/(?:todo done|schedule (?:pause|resume|run)) \d{1,9})$/.exec(value) ?? []
  return channel === undefined || command === undefined ? null : { channel, command }
}
