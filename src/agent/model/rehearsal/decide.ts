import { languages, texts } from '../../../locales/texts.ts'
import type { SummaryInput } from '../../contracts/conversation-summary.ts'
import type { DecisionInput, OverheardInput } from '../../contracts/decision.ts'
import type { ContractReplies } from '../../contracts.ts'
import { answerTo, holds, languageIn, readable, readRequest } from './request.ts'

type Decision = Omit<ContractReplies['decision'], 'calls' | 'report'>

/** Work that a rehearsal knows becomes a run; everything else is answered at once (R91). */
export function decide(input: DecisionInput): Decision {
  const wanted = workIn(input)
  return wanted !== null && input.runTypes.some(({ type }) => type === wanted.type)
    ? {
        decision: 'run',
        reply: null,
        runs: null,
        confidence: 0.9,
        reason: 'One of the scenarios.',
        run: {
          type: wanted.type,
          title: null,
          conversation_id: null,
          input: JSON.stringify(wanted.input),
        },
      }
    : {
        decision: 'reply',
        run: null,
        runs: null,
        confidence: 0.9,
        reason: 'None of the scenarios.',
        reply: chat(input),
      }
}

/**
 * Gives a message to the waiting task or question; without one, only to work that a rehearsal knows
 * (C76).
 */
export function overhear(input: OverheardInput): ContractReplies['overheard'] {
  const wanted = decide(input)
  if (input.waiting === null && wanted.decision === 'run') return wanted
  const decision = input.waiting === null ? 'ignore' : 'join'
  return { ...wanted, decision, reply: null, run: null, reason: 'Said in the thread.' }
}

/** The message, or what was handed over with it. */
function subjectOf({ message, recentMessages }: DecisionInput): string {
  const isHandedOver = languages.some((one) => texts(one).core.handedOver === message.trim())
  const handed = recentMessages.findLast(({ where }) => where === 'linked')
  return isHandedOver && handed !== undefined ? handed.text : message
}

function workIn(input: DecisionInput): { type: string; input: object } | null {
  const { locale } = input
  const message = subjectOf(input)
  const said = readable(message).toLowerCase()
  const { codes, summarizes } = languageIn(message, locale)
  if (holds(said, codes)) return { type: 'coding', input: { goal: message.trim() } }
  if (holds(said, summarizes))
    return { type: 'summarize_conversation', input: { max_messages: 50 } }
  return (
    readRequest(message, locale) && {
      type: 'agent_task',
      input: { goal: message.trim(), strategy: 'step' },
    }
  )
}

/** Without Decisions there is no work to start, only talk (R118). */
export const chat = ({ message, locale }: DecisionInput): ContractReplies['chat'] => ({
  content: answerTo(message, locale),
})

/** Lists who took part and how much; the result itself needs a model (F31). */
export function summarize({
  messages,
  locale,
}: SummaryInput): ContractReplies['conversation_summary'] {
  const { words } = languageIn(messages.map(({ text }) => text).join('\n'), locale)
  const people = [...new Set(messages.flatMap(({ author }) => author ?? []))]
  return { summary: words.summary(messages.length, people), open_points: [] }
}
