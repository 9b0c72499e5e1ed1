import { z } from 'zod'
import { normalised } from '../domain/same-item.ts'
import { defineContract } from './contract.ts'
import { isBlank } from './forgiving.ts'
import type { MessageForModel, Missing } from './input.ts'

/** Input of a summary (F31), oldest message first. */
export interface SummaryInput {
  messages: readonly MessageForModel[]
  /** Parts that are missing of what was overheard. */
  missing?: Missing
  locale: string
  timeZone: string
  now: string
  refusal: string | null
}

/** A message of at least so many letters would be recognised as it was said. */
const recognisable = 40
const longestSummary = 3_000

/** F31: a summary says what was said in other words. */
export const conversation_summary = defineContract({
  reply: z.object({ summary: z.string(), open_points: z.array(z.string()) }),
  rules({ summary, open_points }, { messages }: SummaryInput) {
    if (isBlank(summary)) return 'summary is empty'
    const whole = [summary, ...open_points].join('\n')
    if (whole.length > longestSummary) return `at most ${longestSummary} characters in all`
    const said = normalised(whole)
    const raw = messages.some(
      ({ text }) => normalised(text).length >= recognisable && said.includes(normalised(text)),
    )
    return raw ? 'a message is repeated as it was said; say it in other words' : null
  },
})
