import { z } from 'zod'
import type { FileRef, InboundEvent } from '../../agent/domain/event.ts'
import { hasEnded } from '../../agent/domain/run.ts'
import type { IntakeResult } from '../../agent/ports/channel.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import { refusal } from '../refusal.ts'
import { inTime } from './in-time.ts'
import { limits } from './limits.ts'
import { escapeText } from './mrkdwn.ts'
import type { Parsed } from './parse.ts'
import type { SlackMessage, SlashCommand } from './payload.ts'
import { renderMarkdown } from './render.ts'
import type { Reply, Scene } from './scene.ts'
import { shortcuts } from './shortcuts.ts'
import type { TakeDeps } from './take-deps.ts'

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
  deps: TakeDeps & {
    hand(event: InboundEvent): Promise<IntakeResult>
    /** What a message says to Clew, with its files. */
    readMessage(scene: Scene, message: SlackMessage): Promise<{ text: string; files?: FileRef[] }>
  },
) {
  async function personOf({ workspace }: Scene, user: { id: string; name: string }) {
    const person = await deps.people.who(workspace, user.id)
    const locale = person?.locale ?? deps.defaults.locale
    return {
      author: { id: user.id, name: person?.name ?? user.name },
      locale,
      timeZone: person?.timeZone ?? deps.defaults.timeZone,
      words: texts(locale),
    }
  }

  async function task(scene: Scene, command: SlashCommand): Promise<Reply> {
    const { author, locale, timeZone, words } = await personOf(scene, command.user)
    const text = command.text.trim()
    if (text === '') return privately(await tasksOf(scene.workspace, author.id, words))
    if (text === 'help') return privately(words.slack.taskUsage)
    if (!(await isMember(scene.workspace, command.channel))) return privately(words.slack.inviteFirst)
    const result = await deps.hand({
      workspace: scene.workspace,
      channel: command.channel,
      thread: null,
      keys: [`command:${command.triggerId}`],
      author: { ...author, bot: false },
      at: deps.clock.now(),
      locale,
      timeZone,
      content: { kind: 'message', text, addressed: true, forSomeoneElse: false },
    })
    return privately(result.kind === 'ignored' ? refusal(words, result) : words.slack.taskStarted)
  }

  async function tasksOf(workspace: string, person: string, { slack }: Texts): Promise<string> {
    const runs = await deps.runs.list(workspace, runsRead)
    const open = runs.filter((run) => run.requestedBy?.id === person && !hasEnded(run.status))
    if (open.length === 0) return `${slack.noTasks} ${slack.taskUsage}`
    return [`**${slack.yourTasks}**`, ...open.map((run) => `- ${run.title} (${slack.status[run.status]})`)].join('\n')
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
      const { author, locale, timeZone } = await personOf(scene, command.user)
      const result = await deps.desk({
        workspace: scene.workspace,
        channel: command.channel,
        person: author,
        locale,
        timeZone,
        text: `${command.name} ${command.text}`.trim(),
        key: `command:${command.triggerId}`,
      })
      return privately(result.text)
    },

    /** "Open task" hands a message to Clew in its own thread; "Stop" stops what goes on there. */
    async shortcut(scene: Scene, given: Extract<Parsed, { kind: 'shortcut' }>): Promise<void> {
      const { author, locale, timeZone, words } = await personOf(scene, given.user)
      const { channel, thread, ts } = given.message
      const to = { workspace: scene.workspace, channel, thread, user: author.id }
      if (given.name !== shortcuts.open && given.name !== shortcuts.stop) return
      const opens = given.name === shortcuts.open
      if (opens && !(await isMember(scene.workspace, channel)))
        return void deps.whisper.once(`shortcut:${given.actionTs}`, to, words.slack.notInThread)
      const said = opens ? await deps.readMessage(scene, given.message) : { text: words.core.cancelWords[0] ?? 'stop' }
      const result = await deps.hand({
        workspace: scene.workspace,
        channel,
        thread,
        keys: [`shortcut:${given.name}:${ts}:${given.actionTs}`],
        author: { ...author, bot: false },
        at: deps.clock.now(),
        locale,
        timeZone,
        content: { kind: 'message', ...said, addressed: true, forSomeoneElse: false },
      })
      const done = opens ? words.slack.opened : words.slack.stopped
      const line = result.kind === 'ignored' ? refusal(words, result) : done
      void deps.whisper.once(`shortcut:${given.actionTs}`, to, line)
    },
  }
}

/** An acknowledgement that only the person sees. */
function privately(text: string): Reply {
  const [post] = renderMarkdown(text, () => false)
  return { response_type: 'ephemeral', text: post?.text ?? escapeText(text), blocks: post?.blocks ?? [] }
}
