import type { Conversation } from '../../agent/domain/conversation.ts'
import type { InboundEvent } from '../../agent/domain/event.ts'
import type { IntakeResult } from '../../agent/ports/channel.ts'
import { texts } from '../../locales/texts.ts'
import { refusal } from '../refusal.ts'
import type { Click } from './payload.ts'
import { actionIds } from './render.ts'
import type { Scene } from './scene.ts'
import type { TakeDeps } from './take-deps.ts'

/**
 * A press of a button. It names a question or a run by id; where that belongs and what the choice says is looked up, so
 * that a button works wherever it was shown (in its thread, in a direct message, on the Home tab) and an old one can do
 * nothing.
 */
export function createClicks(
  deps: TakeDeps & { hand(event: InboundEvent): Promise<IntakeResult> },
): (scene: Scene, click: Click) => Promise<void> {
  async function conversationOf(workspace: string, id: string | null): Promise<Conversation | null> {
    if (id === null) return null
    return (await deps.conversations.state(workspace, id, 0))?.conversation ?? null
  }

  async function eventOf({ workspace }: Scene, click: Click, conversation: Conversation, key: string) {
    const person = await deps.people.who(workspace, click.user.id)
    const { address } = conversation
    const event: Omit<InboundEvent, 'content'> = {
      workspace,
      channel: address.channel,
      thread: address.thread ?? '',
      // Of a thread that is being opened, the message that was pressed is the first one.
      ...(address.thread === null ? { thread: click.thread ?? '', openedFor: conversation.id } : {}),
      keys: [key],
      author: { id: click.user.id, name: person?.name ?? click.user.name, bot: false },
      at: deps.clock.now(),
      locale: person?.locale ?? deps.defaults.locale,
    }
    return event
  }

  async function answered(scene: Scene, click: Click, index: number): Promise<IntakeResult | null> {
    const found = await deps.conversations.question(scene.workspace, click.value)
    const conversation = await conversationOf(scene.workspace, found?.conversationId ?? null)
    const choice = found?.question.choices[index]
    if (conversation === null || choice === undefined) return null
    // A press that arrives twice is one; somebody else's is another, and is told who was first.
    const event = await eventOf(scene, click, conversation, `click:${click.value}:${click.user.id}:${click.actionTs}`)
    return await deps.hand({ ...event, content: { kind: 'answer', questionId: click.value, text: choice } })
  }

  async function controlled(scene: Scene, click: Click): Promise<IntakeResult | null> {
    const action = controlOf(click.actionId)
    if (action === null) return null
    const state = await deps.runs.state(scene.workspace, click.value)
    const conversation = await conversationOf(scene.workspace, state?.run.conversationId ?? null)
    if (conversation === null) return null
    const event = await eventOf(scene, click, conversation, `press:${click.value}:${action}:${click.actionTs}`)
    return await deps.hand({ ...event, content: { kind: 'control', action, runId: click.value } })
  }

  /** A button on the Home tab beside a thing of theirs, or beside their time zone. */
  async function pressedAtHome({ workspace }: Scene, { user, actionId, value, actionTs }: Click): Promise<void> {
    if (actionId === actionIds.zone) await deps.people.forget(workspace, user.id)
    const given = actionId.startsWith(actionIds.command('')) ? commandIn(value) : null
    if (given !== null) {
      const person = await deps.people.who(workspace, user.id)
      await deps.desk({
        ...{ workspace, channel: given.channel, person: { id: user.id, name: person?.name ?? user.name } },
        ...{ locale: person?.locale ?? deps.defaults.locale, timeZone: person?.timeZone ?? deps.defaults.timeZone },
        ...{ text: given.command, key: `home:${actionTs}:${value}` },
      })
    }
  }

  /** The button's command, as if the person had written it in the thread of the button. */
  async function offered({ workspace }: Scene, click: Click): Promise<void> {
    const { channel, thread, user, value, actionTs } = click
    if (channel === null || thread === null || !value.startsWith('/')) return
    const person = await deps.people.who(workspace, user.id)
    const locale = person?.locale ?? deps.defaults.locale
    const result = await deps.hand({
      workspace,
      channel,
      thread,
      // Pressed twice it is one gesture; pressed by another person it is another.
      keys: [`offer:${thread}:${value}:${user.id}:${actionTs}`],
      author: { id: user.id, name: person?.name ?? user.name, bot: false },
      at: deps.clock.now(),
      locale,
      content: { kind: 'message', text: value, addressed: true, forSomeoneElse: false },
    })
    if (result.kind !== 'ignored') return
    const to = { workspace, channel, thread, user: user.id }
    void deps.whisper.once(`click:${actionTs}:${user.id}`, to, refusal(texts(locale), result))
  }

  return async (scene, click) => {
    if (click.onHome) await pressedAtHome(scene, click)
    if (/^clew:offer:\d$/.test(click.actionId)) return await offered(scene, click)
    const index = /^clew:answer:(\d{1,2})$/.exec(click.actionId)?.[1]
    const isControl = controlOf(click.actionId) !== null
    const result =
      index !== undefined
        ? await answered(scene, click, Number(index))
        : isControl
          ? await controlled(scene, click)
          : null
    if (click.onHome) void deps.homeTab.publish(scene.workspace, click.user.id)
    // Buttons that only lead somewhere are acknowledged and nothing else.
    if (index === undefined && !isControl) return
    const refused = result?.kind === 'ignored'
    if (click.channel === null || (result !== null && !refused)) return
    const person = await deps.people.who(scene.workspace, click.user.id)
    const { core } = texts(person?.locale ?? deps.defaults.locale)
    const line = refused ? core.notAllowed : index === undefined ? core.runNotFound : core.questionGone
    const to = { workspace: scene.workspace, channel: click.channel, thread: click.thread, user: click.user.id }
    void deps.whisper.once(`click:${click.actionTs}:${click.user.id}`, to, line)
  }
}

/** What a button on the Home tab carries; only commands that such buttons give. */
function commandIn(value: string): { channel: string; command: string } | null {
  const [, channel, command] = /^(\w+) (\/(?:todo done|schedule (?:pause|resume|run)) \d{1,9})$/.exec(value) ?? []
  return channel === undefined || command === undefined ? null : { channel, command }
}

function controlOf(actionId: string): 'cancel' | 'continue' | 'retry' | null {
  switch (actionId) {
    case actionIds.cancel:
      return 'cancel'
    case actionIds.continue:
      return 'continue'
    case actionIds.retry:
      return 'retry'
    default:
      return null
  }
}
