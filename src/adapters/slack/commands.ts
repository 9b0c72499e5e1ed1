import { z } from 'zod'
import type { FileRef } from '../../agent/domain/event.ts'
import { hasEnded } from '../../agent/domain/run.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import { createGestures } from '../channel-kit/gestures.ts'
import { inTime } from '../channel-kit/in-time.ts'
import { afterGesture } from '../channel-kit/refusals.ts'
import { gestureOf, type InboundDeps } from './inbound-deps.ts'
import { limits } from './limits.ts'
import { escapeText } from './mrkdwn.ts'
import type { Parsed, SlackMessage, SlashCommand } from './parse.ts'
import { renderMarkdown } from './render.ts'
import type { Reply, Scene } from './scene.ts'
import { shortcuts } from './shortcuts.ts'

const Info = z.looseObject({
  channel: z.looseObject({ is_member: z.boolean().nullish(), is_im: z.boolean().nullish() }),
})

/** How many runs are looked through for somebody's own. */
const runsRead = 100

/**
 * Slack's own commands and shortcuts. Commands cannot be given in threads, so they act on the channel's scope and answer
 * privately (C44); `/task` with words opens a thread of its own.
 */
export function createSlashCommands(
  deps: InboundDeps & {
    /** What a message says to Clew, with its files. */
    readMessage(scene: Scene, message: SlackMessage): Promise<{ text: string; files?: FileRef[] }>
  },
) {
  const gestures = createGestures(deps)

  async function task(scene: Scene, { user, triggerId, channel, ...command }: SlashCommand): Promise<Reply> {
    const gesture = await gestureOf(deps, scene, user, `command:${triggerId}`)
    const words = texts(gesture.locale)
    const text = command.text.trim()
    if (text === '') return privately(await tasksOf(scene.workspace, user.id, words))
    if (text === 'help') return privately(words.slack.taskUsage)
    if (!(await isMember(scene.workspace, channel))) return privately(words.slack.inviteFirst)
    const result = await gestures.say(gesture, { channel, thread: null }, { text })
    return privately(afterGesture(result, words, '') ?? words.slack.taskStarted)
  }

  async function tasksOf(workspace: string, person: string, { slack }: Texts): Promise<string> {
    const runs = await deps.runs.list(workspace, runsRead)
    const open = runs.filter((run) => run.requestedBy?.id === person && !hasEnded(run.status))
    if (open.length === 0) return `${slack.noTasks} ${slack.taskUsage}`
    return [`**${slack.home.tasks}**`, ...open.map((run) => `- ${run.title} (${slack.status[run.status]})`)].join('\n')
  }

  /** Where Slack does not say so in time, it is: what cannot be posted there reaches the person directly. */
  async function isMember(workspace: string, channel: string): Promise<boolean> {
    const asked = deps.api.call(workspace, 'conversations.info', { channel }, Info)
    const answer = await inTime(deps.clock, limits.profileMs, asked)
    if (answer === null || !answer.ok) return answer?.problem.kind !== 'refused'
    const { is_member: member, is_im: direct } = answer.value.channel
    return member === true || direct === true
  }

  return {
    async slash(scene: Scene, command: SlashCommand): Promise<Reply> {
      if (command.name === '/task') return await task(scene, command)
      const gesture = await gestureOf(deps, scene, command.user, `command:${command.triggerId}`)
      const text = `${command.name} ${command.text}`.trim()
      return privately((await deps.endpoint({ ...gesture, channel: command.channel, text })).text)
    },

    /** "Open task" hands a message to Clew in its own thread; "Stop" stops what goes on there. */
    async shortcut(scene: Scene, given: Extract<Parsed, { kind: 'shortcut' }>): Promise<void> {
      const { channel, thread, ts } = given.message
      if (given.name !== shortcuts.open && given.name !== shortcuts.stop) return
      const gesture = await gestureOf(deps, scene, given.user, `shortcut:${given.name}:${ts}:${given.actionTs}`)
      const words = texts(gesture.locale)
      const to = { workspace: scene.workspace, channel, thread, user: given.user.id }
      const tell = (line: string) => void deps.whisper(`shortcut:${given.actionTs}`, to, line)
      const opens = given.name === shortcuts.open
      if (opens && !(await isMember(scene.workspace, channel))) return tell(words.slack.notInThread)
      const said = opens ? await deps.readMessage(scene, given.message) : { text: words.core.cancelWords[0] ?? 'stop' }
      const result = await gestures.say(gesture, { channel, thread }, said)
      tell(afterGesture(result, words, '') ?? words.slack[opens ? 'opened' : 'stopped'])
    },
  }
}

/** An acknowledgement that only the person sees. */
function privately(text: string): Reply {
  const [post] = renderMarkdown(text, () => false)
  return { response_type: 'ephemeral', text: post?.text ?? escapeText(text), blocks: post?.blocks ?? [] }
}
