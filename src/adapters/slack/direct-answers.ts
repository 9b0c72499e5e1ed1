import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import type { Question } from '../../agent/domain/question.ts'
import { hasEnded } from '../../agent/domain/run.ts'
import { isStop } from '../../agent/said/stop.ts'
import type { Slack } from './context.ts'
import type { SlackMessage } from './message.ts'

/*
 * Bare answers in direct messages. Every top-level message begins a thread there, but people often
 * answer Clew's question with one: a bare “Lisbon” belongs to the thread that asked (C79).
 */

/** Age up to which a question can be answered outside its thread. */
const keptMs = 30 * 24 * 60 * 60 * 1_000
const keyOf = (channel: string) => `asked:${channel}`

/** Stores the thread of a question in direct messages, before anybody can answer. Never throws. */
export async function noteQuestion(
  { deps }: Slack,
  { body }: Delivery,
  { address }: Conversation,
): Promise<void> {
  const { workspace, channel, thread } = address
  if (body.kind === 'question' && thread !== null && channel.startsWith('D'))
    await deps.notes
      .put(workspace, keyOf(channel), thread, keptMs)
      .catch((error) => deps.log.warn({ err: error }, 'place of a question not stored'))
}

/**
 * Returns the thread that a top-level message belongs to: that of the open question it answers, or
 * for a “stop” that of the newest task (C170). Returns `null` if there is none or the message says
 * more.
 */
export async function answeredThread(
  { deps }: Slack,
  workspace: string,
  message: SlackMessage,
): Promise<string | null> {
  const { channel, text, thread, ts, direct, files } = message
  if (!direct || thread !== ts || files.length > 0) return null
  if (isStop(text)) return await newestTask(deps, workspace, channel)
  const asked = await deps.notes.get(workspace, keyOf(channel))
  if (asked === null) return null
  const id = await deps.inbox.knows({ workspace, channel, thread: asked, keys: [] })
  const [question] =
    id === null ? [] : ((await deps.conversations.state(workspace, id, 0))?.questions ?? [])
  return question !== undefined && isBareAnswer(question, text.trim()) ? asked : null
}

const runsRead = 100

async function newestTask(
  { runs, conversations }: Slack['deps'],
  workspace: string,
  channel: string,
) {
  const open = (await runs.list(workspace, runsRead)).find(
    (run) => run.channel === channel && run.conversationId !== null && !hasEnded(run.status),
  )
  const state = open?.conversationId
    ? await conversations.state(workspace, open.conversationId, 0)
    : null
  return state?.conversation.address.thread ?? null
}

/**
 * True for a choice or its number. If there are no choices, true for up to three words or eight
 * Chinese characters without a question mark.
 */
function isBareAnswer({ choices }: Question, text: string): boolean {
  const said = text.toLowerCase().replace(/[.!。！]$/u, '')
  if (choices.some((choice) => choice.toLowerCase() === said)) return true
  if (/^\d[.)、]?$/u.test(said)) return true
  if (choices.length > 0 || said.length > longest || /[?？]/u.test(said)) return false
  return said.split(/\s+/u).length <= 3 && (said.match(/\p{Script=Han}/gu)?.length ?? 0) <= 8
}

const longest = 60
