import type { Payer, Period, UsageLimits } from '../../../src/agent/domain/usage.ts'
import { closes, decides, ends, plans } from '../../fakes/model.ts'
import { type TestClew, unlimited } from '../../support/agent.ts'

export const allow = (
  payer: Payer,
  period: Period,
  tokens: number | null,
  cost: number | null = null,
): UsageLimits => ({
  ...unlimited,
  [period]: { ...unlimited[period], [payer]: { tokens, cost } },
})
export const usedAt = async (clew: TestClew, person: string | null = 'ana', on = '2026-03-04') =>
  await clew.store.usage.ofDay('test:team', on, { person, channel: 'general' })
export const used = async (clew: TestClew, person: string | null = 'ana', on = '2026-03-04') =>
  (await usedAt(clew, person, on)).day
/** A Decision and a task of three calls, 120 tokens each. */
export function script(clew: TestClew) {
  clew.model.on('decision', decides.run('Tidy up'))
  clew.model.on('plan', plans('Look'))
  clew.model.on('thought', closes('ok'))
  clew.model.on('replan', ends('Tidied.'))
}

/** Warnings that most of an allowance is used, each by its kind. */
export const warning = (clew: TestClew) =>
  clew.channel.shown.flatMap(({ delivery: { body } }) =>
    'text' in body && body.text.includes(' At 100% ') ? [`${body.kind}: ${body.text}`] : [],
  )
