import type { IntakeResult } from '../agent/ports/channel.ts'
import type { Texts } from '../locales/texts.ts'

type Ignored = Extract<IntakeResult, { kind: 'ignored' }>

/** Why something that somebody did on purpose was not taken, for them alone. */
export const refusal = ({ core }: Texts, { reason }: Ignored): string =>
  reason === 'too_many' ? core.tooFast : core.notAllowed
