import { isRecord, thoughtless } from '../contracts/forgiving.ts'
import { type ContractName, finalText } from '../contracts.ts'
import { cleanTexts } from '../domain/clean-text.ts'
import { withoutThinking } from '../domain/thinking.ts'
import type { Clock } from '../ports/clock.ts'
import { type Form, hasFunctions, styleOf } from './forms.ts'
import { partialObject } from './json-text.ts'
import type { Hear, Heard } from './stream.ts'

/** The least time between two looks at what is written, in milliseconds. */
const everyMs = 150

/**
 * Reads the text for people out of an answer that is still being written, and tells it on whenever
 * there is more of it (C150).
 */
export function drafting(
  contract: ContractName,
  {
    form,
    clock,
    written,
  }: { form: Form; clock: Pick<Clock, 'now'>; written: (text: string) => void },
): Hear {
  let looked = Number.NEGATIVE_INFINITY
  let told = ''
  return (message) => {
    const now = clock.now()
    if (now - looked < everyMs) return
    looked = now
    const text = draftIn(contract, form, message)
    if (text === null || text === told) return
    told = text
    written(text)
  }
}

/**
 * The text for people so far; null while it is not known that there will be one, and that it is
 * final. Plain words are never shown before they have ended: some could be thinking whose mark
 * comes last, or words before a call (R42).
 */
export function draftIn(
  contract: ContractName,
  form: Form,
  { content, calls }: Heard,
): string | null {
  if (styleOf(contract) !== 'forced') return null
  const [call] = calls
  const inCall = call?.name === contract ? call.arguments : ''
  const json = hasFunctions(form) ? inCall : bareJson(content)
  const value = thoughtless(cleanTexts(partialObject(json)))
  const text = isRecord(value) ? finalText(contract, value) : null
  // What begins with a mark may be thinking.
  if (typeof text !== 'string' || /^[\s\u200b]*(?:[<◁＜〈⟨【&\\]|\[think|analysis)/i.test(text))
    return null
  // The second half of the last character may be on its way.
  const whole = text.replace(/\ufffd$/, '')
  return whole.trim() === '' ? null : whole
}

/** JSON that stands by itself, or in the fence that it begins with. */
function bareJson(content: string): string {
  const text = withoutThinking(content).replace(/^```(?:json)?\s*/i, '')
  if (!text.startsWith('{')) return ''
  return text.endsWith('```') ? text.slice(0, -3) : text
}
