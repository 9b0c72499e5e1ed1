import { z } from 'zod'
import { texts } from '../../../locales/texts.ts'
import type { ContractReplies } from '../../contracts.ts'
import type { Message } from '../../domain/message.ts'
import { showInstant, zonedMinute } from '../../domain/zone.ts'
import { withOverheard } from '../../thread-view.ts'
import { askModel } from '../ask-after-run.ts'
import { done, onePiece } from '../one-piece.ts'

/** Messages of the request: itself and Clew's answer. */
const requestMost = 2

/** F31: number of newest messages that are read. The model never chooses the conversation (C52). */
const SummarizeInput = z.object({
  max_messages: z
    .int()
    .default(20)
    .transform((count) => Math.min(50, Math.max(10, count))),
})

/**
 * F31: the newest messages of the run's own thread in a few sentences. Whatever conversation the
 * input names, only this one is read (C52, S5), and no message is in the result as it was said.
 */
export const summaryType = onePiece({
  type: 'summarize_conversation',
  description:
    'Sum up what was said in this conversation. Input: {"max_messages": number}, how many of the newest messages to read, 10 to 50, 20 when nobody says.',
  input: SummarizeInput,
  async run({ max_messages: most }, session, { summary: words }) {
    const { run, deps } = session
    const { locale, timeZone } = await session.surroundings()
    const { conversationId: id } = run
    const state =
      id === null
        ? null
        : await deps.store.conversations.state(run.workspace, id, most + requestMost)
    // The request itself and the word that it begins are no part of what was said.
    const messages = (state?.messages ?? [])
      .filter(({ at, source }) => at <= run.createdAt && source.refId !== run.requestId)
      .slice(-most)
    const heard = await session.overheard()
    if (messages.length + heard.length === 0) return done(true, words.nothing)
    const place = { ...(await session.surroundings()), tokens: deps.threadTokens }
    const { said, missing } = withOverheard(messages, heard, place)
    const { reply, usage } = await askModel(session, 'conversation_summary', {
      messages: said,
      missing,
      locale,
      timeZone,
      now: zonedMinute(deps.clock.now(), timeZone),
      refusal: null,
    })
    // There is always something to read.
    const text =
      reply === null
        ? digestOf([...messages, ...heard], locale, (at) =>
            showInstant(deps.timesIn(run.workspace), timeZone, at),
          )
        : wordsOf(reply, locale)
    return { ...done(true, text), more: session.spent(usage) }
  },
})

function wordsOf(
  { summary, open_points: open }: ContractReplies['conversation_summary'],
  locale: string,
): string {
  const points = open.filter((point) => point.trim() !== '').map((point) => `- ${point}`)
  return points.length === 0
    ? summary
    : [summary, `**${texts(locale).summary.open}**`, ...points].join('\n')
}

/**
 * Lists who wrote how much and when: a digest that needs neither a model nor the thread's words.
 */
function digestOf(
  messages: readonly Pick<Message, 'author' | 'at'>[],
  locale: string,
  show: (at: number) => string,
): string {
  const words = texts(locale).summary
  const counts = new Map<string, number>()
  for (const { author } of messages) {
    const name = author?.name ?? 'Clew'
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const instants = messages.map(({ at }) => at)
  const [first, last] = [Math.min(...instants), Math.max(...instants)].map(show)
  const people = [...counts].map(([name, count]) => words.wrote(name, count))
  return words.digest(messages.length, first ?? '', last ?? '', people)
}
