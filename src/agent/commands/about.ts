import { texts } from '../../locales/texts.ts'
import { moneyIn } from '../domain/money.ts'
import { present } from '../domain/present.ts'
import type { ToolRule } from '../domain/profile.ts'
import type { Period } from '../domain/usage.ts'
import type { CommandContext } from './command.ts'
import { type CommandTable, subcommand } from './grammar.ts'

/** Cause of what holds: the channel's profile, a setting, or neither. */
export type HeldBy = 'profile' | 'setting' | 'default'
interface Held<T> {
  is: T
  by: HeldBy
}

/** Everything that holds in one channel, and why (C763). */
export interface HeldHere {
  /** Name in the profile; blank without one. Null: there is no profile. */
  profile: { name: string; fault: string | null } | null
  /** Number of people who may ask; null: everybody. */
  people: Held<number | null>
  outsiders: Held<boolean>
  /** Null: as people write. */
  language: Held<'en' | 'zh' | null>
  zone: Held<string>
  speaks: Held<'auto' | 'mention'>
  model: Held<string>
  budget: readonly Held<{ period: Period; unit: 'tokens' | 'cost'; most: number }>[]
  /** ISO 4217, of costs. */
  currency: string
  planFirst: Held<boolean>
  instructions: { team: boolean; channel: boolean }
  skills: Held<readonly string[]>
  /** Names by the rule that holds for them; `never`: no approval. */
  tools: Readonly<Record<Exclude<ToolRule, 'offered'>, readonly string[]>>
  /** Cause of the tools' rules. */
  toolsBy: HeldBy
}

export interface AboutDeps {
  heldIn(place: Pick<CommandContext, 'workspace' | 'channel'>): HeldHere
  /** People who are told what is wrong with a profile. */
  admins: readonly string[]
}

/** `/about` (C763): what holds in this channel and why, in one message. */
export const aboutTable: CommandTable<AboutDeps> = {
  name: 'about',
  aliases: ['here', '关于', '本频道'],
  about: 'aboutOf',
  words: ({ about }) => about,
  subcommands: [
    subcommand('', 'aboutOf', [], {
      looks: true,
      request: () => ({}),
      async answer(_, context, { heldIn, admins }) {
        const { person, locale } = context
        const held = heldIn(context)
        const isAdmin = person !== null && admins.includes(person.id)
        return { ok: true, text: inWords(held, { isAdmin, locale }), data: held }
      },
    }),
  ],
}

function inWords(held: HeldHere, reader: { isAdmin: boolean; locale: string }): string {
  const words = texts(reader.locale).about
  const { profile } = held
  const fault = profile?.fault ?? null
  const lines = [
    ...[words.people(held.people.is), words.outsiders(held.outsiders.is)],
    ...[words.language(held.language.is), words.zone(held.zone.is), words.speaks[held.speaks.is]],
    ...[words.model(held.model.is), words.planFirst(held.planFirst.is)],
  ]
  const causes = [held.people, held.outsiders, held.language, held.zone, held.speaks]
  const by = [...causes, held.model, held.planFirst].map((one) => one.by)
  const said = lines.map((line, at) => `- ${line} ${words.by[by[at] ?? 'default']}`)
  return present([
    words.title(profile?.name ?? ''),
    profile === null ? words.noProfile : words.hasProfile,
    fault !== null && words.fault(reader.isAdmin ? fault : null),
    ...said,
    ...budgetLines(held, reader.locale),
    ...partLines(held, reader.locale),
    words.rest,
  ]).join('\n')
}

function budgetLines({ budget, currency }: HeldHere, locale: string): string[] {
  const words = texts(locale).about
  if (budget.length === 0) return [`- ${words.noBudget} ${words.by.default}`]
  return budget.map(({ is: { period, unit, most }, by }) => {
    const amount =
      unit === 'cost' ? moneyIn(most, currency, locale) : words.tokens(most.toLocaleString(locale))
    return `- ${words.budget[period](amount)} ${words.by[by]}`
  })
}

function partLines({ instructions, skills, tools, toolsBy }: HeldHere, locale: string): string[] {
  const words = texts(locale).about
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  const rules = (['never', 'first', 'always', 'hidden'] as const).flatMap((rule) =>
    tools[rule].length === 0
      ? []
      : `- ${words.tools[rule](list(tools[rule]))} ${words.by[toolsBy]}`,
  )
  const given = present([
    instructions.team && `- ${words.instructions} ${words.by.setting}`,
    instructions.channel && `- ${words.channelInstructions} ${words.by.profile}`,
    skills.is.length > 0 && `- ${words.skills(list(skills.is))} ${words.by[skills.by]}`,
  ])
  return [...given, ...rules]
}
