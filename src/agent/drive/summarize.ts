import { texts } from '../../locales/texts.ts'
import type { SummaryInput } from '../contracts/conversation-summary.ts'
import { readReply } from '../contracts.ts'
import type { Usage } from '../domain/budget.ts'
import type { Message } from '../domain/message.ts'
import { noUsage, plus } from '../domain/usage.ts'
import { formatInstant } from '../domain/zone.ts'
import { zonedTime } from '../domain/zoned-time.ts'
import { type Rest, rest } from '../kernel/lease.ts'
import { counted } from '../kernel/usage-meter.ts'
import { SummarizeInput } from '../run-types.ts'
import { endWith } from './outcome.ts'
import type { Session } from './session.ts'

/** Requests for one summary; then a digest is made without a model, so that there is always something to read. */
const attempts = 3

/** Messages of the request: itself and Clew's answer. */
const requestMost = 2

/**
 * Run type `summarize_conversation` (F31): the newest messages of the run's own thread in a few sentences. Whatever
 * conversation the input names, only this one is read (C52, S5), and no message is in the result as it was said.
 */
export async function driveSummary(session: Session): Promise<Rest> {
  const { run, deps, signal } = session
  const { max_messages: most } = SummarizeInput.parse(run.input)
  const { locale, timeZone } = await session.surroundings()
  const state =
    run.conversationId === null
      ? null
      : await deps.store.conversations.state(run.workspace, run.conversationId, most + requestMost)
  // The request itself and the word that it begins are no part of what was said.
  const messages = (state?.messages ?? [])
    .filter(({ at, source }) => at <= run.createdAt && source.refId !== run.requestId)
    .slice(-most)
  const words = texts(locale).summary
  if (messages.length === 0) return await endWith(session, { status: 'succeeded', text: words.nothing })
  const input: SummaryInput = {
    messages: messages.map(({ role, author, text }) => ({ role, author: author?.name ?? null, text })),
    locale,
    timeZone,
    now: zonedTime(deps.clock.now(), timeZone),
    refusal: null,
  }
  const { text: made, usage } = await summaryOf(session, input)
  if (signal.aborted) return rest
  const text = made ?? digestOf(messages, locale, timeZone)
  const used = counted(deps.day, deps.clock.now(), run.requestedBy, usage)
  return await endWith(session, { status: 'succeeded', text }, used)
}

async function summaryOf(session: Session, input: SummaryInput): Promise<{ text: string | null; usage: Usage }> {
  const { deps, signal } = session
  let refusal: string | null = null
  let usage = noUsage
  if ((await session.meter.reached(deps.clock.now())) !== null) return { text: null, usage }
  for (let attempt = 0; attempt < attempts && !signal.aborted; attempt += 1) {
    const asked: SummaryInput = { ...input, refusal }
    const answer = await deps.model.call('conversation_summary', asked, signal)
    usage = plus(usage, answer.usage)
    if (!answer.ok) {
      if (answer.code !== 'bad_reply') return { text: null, usage }
      refusal = answer.message
      continue
    }
    const read = readReply('conversation_summary', asked, answer.value)
    if (read.ok) {
      const { summary, open_points: open } = read.reply
      const words = texts(input.locale).summary
      const points = open.filter((point) => point.trim() !== '').map((point) => `- ${point}`)
      const text = points.length === 0 ? summary : [summary, `**${words.open}**`, ...points].join('\n')
      return { text, usage }
    }
    refusal = read.problem
  }
  return { text: null, usage }
}

/** Who said how much and when: what can be said of a thread without a model and without its words. */
function digestOf(messages: readonly Message[], locale: string, timeZone: string): string {
  const words = texts(locale).summary
  const counts = new Map<string, number>()
  for (const { author } of messages) {
    const name = author?.name ?? 'Clew'
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const [first, last] = [messages[0]?.at ?? 0, messages.at(-1)?.at ?? 0].map((at) => formatInstant(timeZone, at))
  const people = [...counts].map(([name, count]) => words.wrote(name, count))
  return words.digest(messages.length, first ?? '', last ?? '', people)
}
