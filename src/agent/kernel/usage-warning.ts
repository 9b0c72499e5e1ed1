import { LRUCache } from 'lru-cache'
import { texts } from '../../locales/texts.ts'
import { atMost } from '../domain/at-most.ts'
import type { Conversation } from '../domain/conversation.ts'
import { limitsIn, type ProfileIn } from '../domain/profile.ts'
import {
  endOf,
  monthOf,
  type PeriodCeiling,
  type PeriodUsage,
  type UsageLimits,
  usedShares,
} from '../domain/usage.ts'
import { showInstant, type TimesIn } from '../domain/zone.ts'
import type { Log } from '../ports/log.ts'
import type { Change } from '../ports/store.ts'
import { type ChangePart, mergeChanges } from './change.ts'
import type { Hold, LeaseDeps } from './lease.ts'
import { type Cause, delivery, type Origin, postMessage } from './messages.ts'

/** From which share on people are told. */
const warnFrom = 0.8
const toldMost = atMost(10_000)

/**
 * Usage of a commit, the counters after it, and the thread where a warning fits; `where` null:
 * none.
 */
export interface Counted {
  usage: NonNullable<Change['usage']>
  now: PeriodUsage
  cause: Cause
  where: Pick<Conversation, 'id' | 'locale' | 'timeZone'> | null
}

export type WarnOfUsage = (
  work: Pick<Hold, 'lease'> & { commit(change: ChangePart): Promise<unknown> },
  counted: Counted,
) => Promise<void>

type WarningDeps = Pick<LeaseDeps, 'clock'> & {
  usage: UsageLimits
  log: Log
  timesIn: TimesIn
  /** None where it is left out. */
  profileIn?: ProfileIn
}

/**
 * C132: at 80 % of an allowance those whom it concerns are told, once a day or month: the person
 * alone of their own, the thread of its channel's and of everybody's, the log of all. What is said
 * and that it was said are one commit, so that a crash before it leaves it to the next one to
 * count, and nobody says it twice.
 */
export function createUsageWarning(deps: WarningDeps): WarnOfUsage {
  /** Warnings that are known to be posted; skips another look. */
  const told = new LRUCache<string, true>(toldMost)
  const logged = new LRUCache<string, true>(toldMost)
  return async ({ lease, commit }, { usage, now, cause, where }) => {
    const { workspace } = lease.item
    const profile = usage.channel === null ? null : (deps.profileIn?.(usage.channel) ?? null)
    for (const { name, share } of usedShares(limitsIn(deps.usage, profile), now)) {
      const period = name.endsWith('_month') ? monthOf(usage.day) : usage.day
      const mark = { period, name: markOf(name, usage) }
      const key = [workspace, mark.period, mark.name].join(' ')
      if (share < warnFrom || share >= 1 || told.has(key)) continue
      if (!logged.has(key))
        deps.log.warn({ workspace, ceiling: name, period, share }, 'most of an allowance is used')
      logged.set(key, true)
      const show = (at: number) =>
        showInstant(deps.timesIn(workspace), where?.timeZone ?? 'UTC', at)
      const line = where && wordsFor(deps, { name, share, usage, cause, where, show })
      if (line === null) continue
      await commit({ ...line, warned: mark })
      told.set(key, true)
    }
  }
}

const markOf = (name: PeriodCeiling, { person, channel }: NonNullable<Change['usage']>): string => {
  const inChannel = name.startsWith('channel') ? channel : null
  const who = name.startsWith('person') ? person : inChannel
  return who === null ? name : `${name}:${who}`
}

interface Warning {
  name: PeriodCeiling
  share: number
  usage: NonNullable<Change['usage']>
  cause: Cause
  where: NonNullable<Counted['where']>
  show(at: number): string
}

/** Null: there is nobody to tell. */
function wordsFor(
  { usage: limits, clock }: { usage: UsageLimits; clock: LeaseDeps['clock'] },
  { name, share, usage: { person }, cause, where, show }: Warning,
): ChangePart | null {
  const { core } = texts(where.locale)
  const at = clock.now()
  const again = show(endOf(name, at, limits.timeZone))
  const text = core.usageWarning(core.allowances[name](Math.floor(share * 100)), again)
  const origin: Origin = { conversationId: where.id, cause, at }
  const purpose = `usage:${name}`
  if (!name.startsWith('person'))
    return mergeChanges({ conversationId: where.id }, postMessage(origin, purpose, text))
  if (person === null) return null
  return {
    conversationId: where.id,
    deliveries: [delivery(origin, purpose, { kind: 'private', to: person, text })],
  }
}
