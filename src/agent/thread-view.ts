import type { MessageForModel, Missing, ThreadView } from './contracts/input.ts'
import type { Conversation } from './domain/conversation.ts'
import { asSaid, type Message } from './domain/message.ts'
import { type Overheard, withinTokens } from './domain/overheard.ts'
import { formatInstant } from './domain/zone.ts'

/** Where it was said, and how many tokens of it a model is to read. */
type ViewOptions = Pick<Conversation, 'heard' | 'timeZone'> & { tokens: number }

/** Messages of a conversation and what was overheard in it, in the order in which it was said. */
export function withOverheard(
  messages: readonly Message[],
  overheard: readonly Overheard[],
  options: ViewOptions,
): { said: MessageForModel[]; missing: Missing } {
  const { said, missing } = shortened(overheard, options)
  const all = [
    ...messages.map((message) => ({ at: message.at, said: asSaid(message) })),
    ...said.map((one) => ({ at: one.at, said: asOverheard(one, options) })),
  ]
  return { said: all.sort((one, other) => one.at - other.at).map((one) => one.said), missing }
}

/**
 * The same for a task that was asked for at an instant: what comes in while it works stands apart.
 */
export function threadView(
  overheard: readonly Overheard[],
  since: number,
  options: ViewOptions,
): ThreadView {
  const before = shortened(
    overheard.filter(({ at }) => at <= since),
    options,
  )
  const meanwhile = shortened(
    overheard.filter(({ at }) => at > since),
    { ...options, tokens: options.tokens / 2 },
  )
  return {
    before: before.said.map((one) => asOverheard(one, options)),
    meanwhile: meanwhile.said.map((one) => asOverheard(one, options)),
    missing: {
      ...before.missing,
      shortened: before.missing.shortened + meanwhile.missing.shortened,
      leftOut: before.missing.leftOut + meanwhile.missing.leftOut,
    },
  }
}

function shortened(overheard: readonly Overheard[], { tokens, heard }: ViewOptions) {
  const { said, ...missing } = withinTokens(overheard, tokens)
  return {
    said,
    missing: { ...missing, gap: heard?.gap ?? false, problem: heard?.problem ?? null },
  }
}

function asOverheard(
  { author, text, files = [], at, where }: Overheard,
  { timeZone }: { timeZone: string },
): MessageForModel {
  const named = files.length === 0 ? [] : [`(files, not read: ${files.join(', ')})`]
  return {
    role: 'overheard',
    author: author?.name ?? null,
    text: [text, ...named].filter((part) => part !== '').join('\n'),
    at: formatInstant(timeZone, at),
    where,
  }
}
