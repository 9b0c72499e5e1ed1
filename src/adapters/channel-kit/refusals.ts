import type { IntakeResult } from '../../agent/ports/channel.ts'
import type { Texts } from '../../locales/texts.ts'

type Ignored = Extract<IntakeResult, { kind: 'ignored' }>

/** Why something that somebody did on purpose was not taken, for them alone. */
const refusal = ({ core }: Texts, { reason }: Ignored): string =>
  reason === 'too_many' ? core.tooFast : core.notAllowed

/** What a person is told of a gesture; null where what came of it is seen in the thread. @param gone it meant nothing any more. */
export function afterGesture(result: IntakeResult | null, words: Texts, gone: string): string | null {
  if (result === null) return gone
  return result.kind === 'ignored' ? refusal(words, result) : null
}
