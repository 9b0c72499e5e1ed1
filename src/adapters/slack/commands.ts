import type { RespondArguments } from '@slack/bolt'
import { z } from 'zod'
import { inTime } from '../../agent/deadline.ts'
import type { Shared } from '../../agent/domain/event.ts'
import type { MadeFile } from '../../agent/domain/made-file.ts'
import { hasEnded } from '../../agent/domain/run.ts'
import type { Texts } from '../../locales/texts.ts'
import { type Gesture, submitText } from '../channel-kit/gestures.ts'
import { afterGesture } from '../channel-kit/intake.ts'
import { keepPicked, saidAbout } from '../channel-kit/picked.ts'
import { threadLink } from '../channel-kit/thread-link.ts'
import { handedOver } from './content.ts'
import type { Scene, Slack } from './context.ts'
import { traits } from './deps.ts'
import { attach } from './files.ts'
import { openPicked, openSchedule } from './forms.ts'
import { gestureOf } from './gestures.ts'
import { limits } from './limits.ts'
import { shortcuts } from './manifest.ts'
import type { Shortcut, SlashCommand } from './parse.ts'
import { post } from './post.ts'
import { openDirect, tell, tellNow } from './private-message.ts'
import { actionIds, renderMarkdown, withOffers } from './render.ts'

const Info = z.looseObject({
  channel: z.looseObject({ is_member: z.boolean().nullish(), is_im: z.boolean().nullish() }),
})

/** Newest runs that are searched for a person's own. */
const runsRead = 100

/**
 * Handles Slack's slash commands. They do not work in threads, so they act on the channel's scope
 * and answer privately (C44). `/task` with words opens a thread.
 */
export async function slash(
  slack: Slack,
  scene: Scene,
  command: SlashCommand,
): Promise<RespondArguments | null> {
  const { name, channel, user } = command
  const gesture = await gestureOf(slack, scene, user, `command:${command.triggerId}`)
  const text = command.text.trim()
  if (name === '/schedule' && /^(?:new)?$/.test(text)) {
    void openSchedule(slack, scene, { user, triggerId: command.triggerId, channel, thread: null })
    return null
  }
  if (name !== '/task') {
    const result = await slack.deps.endpoint({
      ...gesture,
      whose: { way: 'typed', by: gesture.by },
      channel,
      text: `${name} ${text}`.trim(),
    })
    const { text: answer, file } = result
    if (file !== undefined) void handOver(slack, scene.workspace, command, file)
    const offers = result.private === true ? (result.offers ?? []) : []
    const parts = renderMarkdown(answer, () => false)
    const [first, ...rest] = withOffers(parts, offers, actionIds.privateOffer)
    void tellNow(slack, { workspace: scene.workspace, channel, thread: null, user: user.id }, rest)
    return { response_type: 'ephemeral', ...first }
  }
  const { words } = gesture
  if (text === '') return await tasksOf(slack, scene.workspace, user.id, words)
  if (text === 'help') return privately(words.slack.taskUsage)
  if (!(await isMember(slack, scene.workspace, channel))) return privately(words.slack.inviteFirst)
  const result = await submitText(slack, gesture, { channel, thread: null }, { text, way: 'typed' })
  return privately(afterGesture(result, words, '') ?? words.slack.taskStarted)
}

/** Sends a file as a direct message, because private answers cannot contain files. */
async function handOver(
  slack: Slack,
  workspace: string,
  { user, triggerId }: SlashCommand,
  file: MadeFile,
) {
  const opened = await openDirect(slack, workspace, user.id)
  if (opened.kind !== 'ready') return
  const { name, base64 } = file
  const sent = await post(slack, opened.where, { text: name, blocks: [] })
  if (sent.kind !== 'sent') return
  const place = { ...opened.where, thread: sent.ref }
  await attach(slack, place, `d_${triggerId}`, {
    name,
    title: name,
    content: Buffer.from(base64, 'base64'),
  })
}

async function tasksOf(
  { deps }: Slack,
  workspace: string,
  person: string,
  { slack }: Texts,
): Promise<RespondArguments | null> {
  const runs = await deps.runs.list(workspace, runsRead)
  const open = runs.filter((run) => run.requestedBy?.id === person && !hasEnded(run.status))
  if (open.length === 0) return privately(`${slack.noTasks} ${slack.taskUsage}`)
  const links = await Promise.all(open.map((run) => threadLink(deps, traits, run)))
  const lines = open.map((run, index) => {
    const link = links[index] ?? null
    return `- ${run.title} (${slack.status[run.status]})${link === null ? '' : ` ${link}`}`
  })
  return privately([`**${slack.home.tasks}**`, ...lines].join('\n'), (url) => links.includes(url))
}

/**
 * True if Clew is in the channel, or if Slack does not answer in time. A delivery that cannot be
 * posted there goes to the person directly.
 */
async function isMember(
  { api, deps }: Slack,
  workspace: string,
  channel: string,
): Promise<boolean> {
  const asked = api.call(workspace, 'conversations.info', { channel }, Info)
  const answer = await inTime(deps.clock, limits.profileMs, asked)
  if (answer?.kind !== 'ok') return answer?.kind !== 'refused'
  const { is_member: member, is_im: direct } = answer.value.channel
  return member === true || direct === true
}

/**
 * Handles message shortcuts. "Open task" opens a form and hands the message with the form's text to
 * Clew in its own thread (C303). "Stop" stops the work there.
 */
export async function shortcut(slack: Slack, scene: Scene, given: Shortcut) {
  const { channel, thread, ts } = given.message
  if (given.name !== shortcuts.open && given.name !== shortcuts.stop) return
  const gesture = await gestureOf(
    slack,
    scene,
    given.user,
    `shortcut:${given.name}:${ts}:${given.actionTs}`,
  )
  const { words } = gesture
  const to = { workspace: scene.workspace, channel, thread, user: given.user.id }
  const tellThem = (line: string) => void tell(slack, `shortcut:${given.actionTs}`, to, line)
  const opens = given.name === shortcuts.open
  if (opens && !(await isMember(slack, scene.workspace, channel)))
    return tellThem(words.slack.notInThread)
  const shared = opens ? await handedOver(slack, scene, given.message) : null
  if (shared !== null && (await opensForm(slack, scene, { given, gesture, shared }))) return
  const said =
    shared === null
      ? { way: 'pressed' as const, text: words.said.stop[0] ?? 'stop' }
      : saidAbout('', shared, words)
  const result = await submitText(slack, gesture, { channel, thread }, said)
  tellThem(afterGesture(result, words, '') ?? words.slack[opens ? 'opened' : 'stopped'])
}

/**
 * C303: opens the form about a picked message. Returns false if the person may not ask, so the
 * caller can say why.
 */
async function opensForm(
  slack: Slack,
  scene: Scene,
  { given, gesture, shared }: { given: Shortcut; gesture: Gesture; shared: Shared },
): Promise<boolean> {
  const { message, user, triggerId, actionTs } = given
  const { channel, thread, ts } = message
  const { deps } = slack
  const mayAsk = deps.standingIn(gesture.by, channel) === 'member' && deps.mayUse(user.id, channel)
  if (!mayAsk || triggerId === '') return false
  const id = `${ts}:${actionTs}`
  await keepPicked(deps.notes, gesture, id, { message: ts, shared })
  void openPicked(slack, scene, { user, triggerId, channel, thread }, id)
  return true
}

/** Builds an acknowledgement that only the person sees. */
const privately = (
  text: string,
  isLive: (url: string) => boolean = () => false,
): RespondArguments => ({
  response_type: 'ephemeral',
  ...renderMarkdown(text, isLive)[0],
})
