import type { ViewResponseAction } from '@slack/bolt'
import { z } from 'zod'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import { type Question, seenBy } from '../../agent/domain/question.ts'
import type { Texts } from '../../locales/texts.ts'
import { scheduleFields, scheduleLine } from '../channel-kit/chosen-command.ts'
import { editable, type Meaning, press, submitText } from '../channel-kit/gestures.ts'
import { afterGesture } from '../channel-kit/intake.ts'
import { pickedBy, saidAbout } from '../channel-kit/picked.ts'
import { defang } from '../safety.ts'
import { shortened } from '../text.ts'
import { Anything } from './api.ts'
import { type Block, plain, section } from './blocks.ts'
import type { Scene, Slack } from './context.ts'
import { gestureOf } from './gestures.ts'
import { publishHome } from './home.ts'
import { limits } from './limits.ts'
import { escapeText, lineInMrkdwn } from './markdown.ts'
import type { Click, Form, Named } from './parse.ts'
import { tell } from './private-message.ts'
import { actionIds } from './render.ts'

/**
 * Data that a form carries until it is submitted: its subject and the place where it was opened.
 */
const About = z.object({
  id: z.string(),
  channel: z.string().nullable(),
  thread: z.string().nullable(),
})
type About = z.infer<typeof About>

type View = Record<string, unknown>

/**
 * Opens a form after a press. Slack allows three seconds and nothing is stored, so callers do not
 * wait for it. Never throws.
 */
export async function openForm(
  slack: Slack,
  scene: Scene,
  { actionId, triggerId, ...click }: Click,
): Promise<void> {
  const { id, channel, thread, user } = { ...click, id: click.value }
  const pressed = { user, triggerId, channel: channel ?? user.id, thread }
  try {
    if (actionId === actionIds.schedule)
      return await openSchedule(slack, scene, { ...pressed, channel: id, thread: null })
    if (actionId === actionIds.why || actionId === actionIds.keep)
      return await openOpinion(slack, scene, pressed, { id, name: actionId })
    if (actionId !== actionIds.words && actionId !== actionIds.edit) return
    const { words } = await gestureOf(slack, scene, user, '')
    const found = await slack.deps.conversations.question(scene.workspace, id)
    const view =
      found === null
        ? null
        : formFor(seenBy(found.question, user.id), actionId, { id, channel, thread }, words.slack)
    if (view !== null) return await open(slack, scene, pressed, { view, words })
    await tell(slack, `form:${triggerId}`, placeOf(scene, pressed), words.core.questionGone)
  } catch (error) {
    slack.deps.log.warn({ err: error }, 'form not opened')
  }
}

/** C185: opens the form for a new schedule of a channel. */
export async function openSchedule(slack: Slack, scene: Scene, pressed: Pressed): Promise<void> {
  const { words } = await gestureOf(slack, scene, pressed.user, '')
  const { form } = words.slack
  const fields = scheduleFields.map((name) =>
    input(name, form[name], {
      multiline: name === 'what',
      placeholder: plain(form.example[name], 150),
    }),
  )
  const about = { id: '', channel: pressed.channel, thread: null }
  const view = modal(actionIds.schedule, form.newSchedule, fields, { about, words: words.slack })
  await open(slack, scene, pressed, { view, words })
}

/** C303: opens the form about a picked message, which is stored under `id`. Never throws. */
export async function openPicked(
  slack: Slack,
  scene: Scene,
  pressed: Pressed,
  id: string,
): Promise<void> {
  try {
    const { words } = await gestureOf(slack, scene, pressed.user, '')
    const { form } = words.slack
    const more = { multiline: true, placeholder: plain(form.ifBlank, limits.labelCharacters) }
    const field = { ...input('text', form.wish, more), optional: true }
    const { channel, thread } = pressed
    const about = { id, channel, thread }
    const view = modal(actionIds.picked, form.picked, [field], { about, words: words.slack })
    await open(slack, scene, pressed, { view, words })
  } catch (error) {
    slack.deps.log.warn({ err: error }, 'form not opened')
  }
}

/**
 * C730, C732: opens the form for what was wrong with the report of a run, or would have been right.
 */
async function openOpinion(
  slack: Slack,
  scene: Scene,
  pressed: Pressed,
  { id, name }: { id: string; name: string },
) {
  const { words } = await gestureOf(slack, scene, pressed.user, '')
  const { core, slack: own } = words
  const { channel, thread } = pressed
  const about = { id, channel, thread }
  const isTest = name === actionIds.keep
  const field = input('text', isTest ? core.test.right : core.feedbackForm, {
    multiline: true,
    placeholder: isTest ? plain(core.test.example, 150) : undefined,
  })
  const title = isTest ? core.test.keep : own.form.title
  const view = modal(name, title, [field], { about, words: own })
  await open(slack, scene, pressed, { view, words })
}

interface Pressed {
  user: Named
  triggerId: string
  /** Place of the message that says that the form did not open. */
  channel: string
  thread: string | null
}

const placeOf = ({ workspace }: Scene, { user, channel, thread }: Pressed) => ({
  workspace,
  channel,
  thread,
  user: user.id,
})

/** Opens a form. Slack refuses it three seconds after the press. */
async function open(
  slack: Slack,
  scene: Scene,
  pressed: Pressed,
  { view, words }: { view: View; words: Texts },
): Promise<void> {
  const args = { trigger_id: pressed.triggerId, view }
  const opened = await slack.api.call(scene.workspace, 'views.open', args, Anything, {
    minor: true,
  })
  if (opened.kind === 'ok') return
  await tell(
    slack,
    `form:${pressed.triggerId}`,
    placeOf(scene, pressed),
    words.slack.form.notOpened,
  )
}

function formFor(
  question: Question,
  actionId: string,
  about: About,
  words: Texts['slack'],
): View | null {
  const { form } = words
  const isEdit = actionId === actionIds.edit
  if (isEdit && question.input === undefined) return null
  const asked = section(escapeText(defang(shortened(question.text, 1_000), () => false)))
  const given = isEdit ? { initial_value: editable(question) } : {}
  const field = input('text', isEdit ? form.call : form.answer, { multiline: true, ...given })
  const blocks = isEdit ? [field] : [asked, field]
  return modal(actionId, isEdit ? words.editFirst : form.title, blocks, { about, words })
}

function input(block_id: string, label: string, more: object): Block {
  const element = {
    type: 'plain_text_input' as const,
    action_id: 'value',
    max_length: limits.formCharacters,
    ...more,
  }
  return { type: 'input', block_id, label: plain(label, limits.labelCharacters), element }
}

const modal = (
  callback_id: string,
  title: string,
  blocks: readonly Block[],
  { about, words: { form } }: { about: About; words: Texts['slack'] },
): View => ({
  type: 'modal',
  callback_id,
  title: plain(title, limits.formTitleCharacters),
  submit: plain(
    callback_id === actionIds.edit ? form.approve : form.send,
    limits.formTitleCharacters,
  ),
  close: plain(form.close, limits.formTitleCharacters),
  private_metadata: JSON.stringify(about),
  blocks,
})

/**
 * C183 to C185: handles a submitted form. Stores it before the acknowledgement; a second submission
 * is a no-op.
 */
export async function submitted(
  slack: Slack,
  scene: Scene,
  form: Form,
): Promise<ViewResponseAction | null> {
  const about = About.safeParse(jsonIn(form.about)).data
  if (about === undefined) return null
  const gesture = await gestureOf(slack, scene, form.user, `form:${form.id}`)
  const { words } = gesture
  if (form.name === actionIds.schedule)
    return await scheduled(slack, gesture, about, form, words.slack)
  const line =
    form.name === actionIds.picked
      ? await handedIn(slack, gesture, about, form)
      : await answered(slack, gesture, about, form)
  if (line !== null && about.channel !== null) {
    const to = {
      workspace: scene.workspace,
      channel: about.channel,
      thread: about.thread,
      user: form.user.id,
    }
    void tell(slack, `form:${form.id}`, to, line)
  }
  return null
}

type FormGesture = Awaited<ReturnType<typeof gestureOf>>

/**
 * Hands over an answer or an edited call.
 *
 * @returns the line for the person, or `null`.
 */
async function answered(slack: Slack, gesture: FormGesture, about: About, form: Form) {
  const meaning = meaningOf(form.name, about.id, form.fields.get('text') ?? '')
  const result = await press(slack, gesture, meaning, { thread: about.thread ?? '' })
  const { core } = gesture.words
  const isAnswer = meaning.kind === 'edited' || meaning.kind === 'words'
  const gone = core[isAnswer ? 'questionGone' : 'runNotFound']
  return afterGesture(result, gesture.words, gone)
}

function meaningOf(name: string, id: string, text: string): Meaning {
  if (name === actionIds.keep) return { kind: 'keep_test', id, right: text }
  if (name === actionIds.why) return { kind: 'feedback', id, good: false, words: text }
  return { kind: name === actionIds.edit ? 'edited' : 'words', id, text }
}

/**
 * C303: hands over a picked message with the words of the person who picked it.
 *
 * @returns the line for that person.
 */
async function handedIn(slack: Slack, gesture: FormGesture, about: About, { fields }: Form) {
  const { words } = gesture
  const picked = await pickedBy(slack.deps.notes, gesture, about.id)
  if (picked === null || about.channel === null) return words.slack.form.gone
  const place = { channel: about.channel, thread: about.thread }
  const said = saidAbout(fields.get('text') ?? '', picked.shared, words)
  const result = await submitText(slack, gesture, place, said)
  return afterGesture(result, words, '') ?? words.slack.opened
}

/**
 * Creates a schedule. Shows an error in the form, which stays open; otherwise replaces the form by
 * the result.
 */
async function scheduled(
  slack: Slack,
  gesture: FormGesture,
  about: About,
  { fields }: Form,
  words: Texts['slack'],
): Promise<ViewResponseAction | null> {
  const text = scheduleLine({ when: fields.get('when') ?? '', what: fields.get('what') ?? '' })
  const { ok, text: answer } = await slack.deps.endpoint({
    ...gesture,
    whose: { way: 'form', by: gesture.by },
    channel: about.channel ?? '',
    text,
  })
  if (!ok)
    return {
      response_action: 'errors',
      errors: { when: shortened(answer, limits.labelCharacters) },
    }
  void publishHome(slack, gesture.workspace, gesture.person.id)
  const { form } = words
  const blocks = [section(lineInMrkdwn(defang(answer, () => false)))]
  const title = plain(form.newSchedule, limits.formTitleCharacters)
  return {
    response_action: 'update',
    view: { type: 'modal', title, close: plain(form.done, 24), blocks },
  }
}
