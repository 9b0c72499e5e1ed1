import { z } from 'zod'
import { fits } from './pattern.ts'
import type { Allowance, UsageLimits } from './usage.ts'
import { isTimeZone } from './zone.ts'

/** Rules for a tool in a channel, the strictest first; `offered` keeps the tool's own approval. */
export const toolRules = ['hidden', 'always', 'first', 'never', 'offered'] as const
export type ToolRule = (typeof toolRules)[number]

const yes = ['true', 'yes']
const no = ['false', 'no']
const names = z.array(z.string().trim().min(1).max(100)).max(1_000)
const isTrue = z.stringbool({ truthy: yes, falsy: no, case: 'sensitive' })
const amount = (form: RegExp, example: string) =>
  z
    .string()
    .regex(form, `is no amount such as ${example}`)
    .transform(Number)
    .pipe(z.number().positive('is not more than 0'))
const tokens = amount(/^\d+$/, '200000')
const cost = amount(/^\d+(\.\d+)?$/, '2.50')

/** When Clew speaks in a channel: as `AGENT_ANSWERS_TO` has it. */
const speaking = ['auto', 'mention'] as const

/**
 * Frontmatter of a channel's profile, whose scalars are all texts: ids of Discord are no numbers.
 */
export const ProfileHead = z.strictObject({
  /** Name of the channel, for the people who read the file. */
  name: z.string().max(200).optional(),
  /** Ids of the people who may ask here; `*`: everybody who is a member. */
  people: names.optional(),
  /** True if guests and people of other companies may do what members may. */
  outsiders: isTrue.optional(),
  /** Skills of the team that there are here. */
  skills: names.optional(),
  /** Rules by the name of a tool, in which `*` stands for any characters. */
  tools: z.record(z.string().min(1).max(200), z.enum(toolRules)).optional(),
  /** The one model that answers here, as the settings name it. */
  model: z.string().trim().min(1).max(200).optional(),
  'tokens-per-day': tokens.optional(),
  'tokens-per-month': tokens.optional(),
  'cost-per-day': cost.optional(),
  'cost-per-month': cost.optional(),
  /** Language of all that is said in its threads. */
  language: z.enum(['en', 'zh']).optional(),
  /** Time zone of its threads. */
  zone: z.string().refine(isTimeZone, 'is no time zone such as Europe/Lisbon').optional(),
  speaks: z.enum(speaking).optional(),
  /** True if tasks show their plan, and wait, before they act (C764). */
  'plan-first': isTrue.optional(),
})

/** Rules of one channel, which outweigh the settings (C672). */
export type Profile = z.infer<typeof ProfileHead> & {
  instructions: string | null
  /** Fault of the file as it is now; the rest is the last version without one. */
  fault?: string
  /** Rules that fit no tool that there is now, in words for operators. */
  doubt?: string
  /** There is no version without a fault: nothing is done in the channel. */
  closed?: true
}

/** Returns the profile of a channel; null if it has none. */
export type ProfileIn = (channel: string) => Profile | null

/** Strictest reading of a file that was never understood (C674). */
export const closedBy = (fault: string): Profile => ({
  people: [],
  outsiders: false,
  skills: [],
  tools: { '*': 'hidden' },
  instructions: null,
  fault,
  closed: true,
})

/** Rule for a tool: of its whole name, else of the longest pattern, of two as long the stricter. */
export function ruleFor(profile: Profile | null, tool: string): ToolRule {
  const [rule] = Object.entries(profile?.tools ?? {})
    .filter(([pattern]) => fits(pattern, tool))
    .toSorted(([one, first], [other, second]) => {
      const byName = Number(other === tool) - Number(one === tool)
      const byLength = other.length - one.length
      return byName || byLength || toolRules.indexOf(first) - toolRules.indexOf(second)
    })
  return rule?.[1] ?? 'offered'
}

/** Limits on use in a channel: its profile's allowance outweighs that of the settings (C760). */
export function limitsIn(limits: UsageLimits, profile: Profile | null): UsageLimits {
  if (profile === null) return limits
  const of = (period: 'day' | 'month'): Allowance => ({
    tokens: profile[`tokens-per-${period}`] ?? limits[period].channel.tokens,
    cost: profile[`cost-per-${period}`] ?? limits[period].channel.cost,
  })
  return {
    ...limits,
    day: { ...limits.day, channel: of('day') },
    month: { ...limits.month, channel: of('month') },
  }
}
