import type { HeldBy, HeldHere } from '../agent/commands/about.ts'
import type { TeamWords } from '../agent/contracts/input.ts'
import { limitsIn, type Profile, type ProfileIn } from '../agent/domain/profile.ts'
import type { Toolbox } from '../agent/tools/registry.ts'
import { answersIn } from '../agent/turn/meant-for.ts'
import { type Config, readConfig } from '../config.ts'
import { usageLimitsOf } from './settings.ts'

interface Sources {
  profileIn: ProfileIn
  /** Name of the model that answers where no profile names one. */
  model: string
  words(channel: string): TeamWords | null
  toolbox(): Toolbox
}

/** What holds in a channel, by its profile, the settings and their defaults (C763). */
export function heldIn(
  config: Config,
  { profileIn, model, words, toolbox }: Sources,
): (place: { workspace: string; channel: string }) => HeldHere {
  const usual = readConfig({})
  const set = (...names: (keyof Config)[]): HeldBy =>
    names.some((name) => JSON.stringify(config[name]) !== JSON.stringify(usual[name]))
      ? 'setting'
      : 'default'
  return ({ workspace, channel }) => {
    const profile = profileIn(channel)
    const by = (key: keyof Profile, ...names: (keyof Config)[]) =>
      profile?.[key] === undefined ? set(...names) : 'profile'
    const known = words(channel)
    const { ALLOWED_USERS: users, ALLOW_OUTSIDERS: open, AGENT_ANSWERS_TO: answers } = config
    const people = profile?.people ?? users
    const isAnybody = people.includes('*') || (profile?.people === undefined && users.length === 0)
    return {
      profile: profile && { name: profile.name ?? '', fault: profile.fault ?? null },
      people: { is: isAnybody ? null : people.length, by: by('people', 'ALLOWED_USERS') },
      outsiders: {
        is: profile?.outsiders ?? open.includes(channel),
        by: by('outsiders', 'ALLOW_OUTSIDERS'),
      },
      language: { is: profile?.language ?? null, by: by('language') },
      zone: { is: profile?.zone ?? config.DEFAULT_TIME_ZONE, by: by('zone', 'DEFAULT_TIME_ZONE') },
      speaks: {
        is: answersIn({ ...answers, profileIn }, channel),
        by: by('speaks', 'AGENT_ANSWERS_TO'),
      },
      model: { is: profile?.model ?? model, by: by('model', 'AGENT_MODELS', 'OPENAI_MODEL') },
      budget: budgetIn(config, profile),
      currency: config.MODEL_CURRENCY,
      planFirst: {
        is: profile?.['plan-first'] ?? config.PLAN_FIRST,
        by: by('plan-first', 'PLAN_FIRST'),
      },
      instructions: {
        team:
          (known?.instructions ?? profile?.instructions ?? '') !== (profile?.instructions ?? ''),
        channel: profile?.instructions != null,
      },
      skills: {
        is: known?.skills.map(({ name }) => name) ?? [],
        by: by('skills', 'AGENT_HOME'),
      },
      tools: toolsIn(toolbox(), { workspace, channel }),
      toolsBy: by('tools', 'AGENT_TOOL_APPROVAL'),
    }
  }
}

function budgetIn(config: Config, profile: Profile | null): HeldHere['budget'] {
  const limits = limitsIn(usageLimitsOf(config), profile)
  return (['day', 'month'] as const).flatMap((period) =>
    (['tokens', 'cost'] as const).flatMap((unit) => {
      const most = limits[period].channel[unit]
      const by: HeldBy = profile?.[`${unit}-per-${period}`] !== undefined ? 'profile' : 'setting'
      return most === null ? [] : [{ is: { period, unit, most }, by }]
    }),
  )
}

function toolsIn(toolbox: Toolbox, place: { workspace: string; channel: string }) {
  const asking = { source: 'interactive' as const, ...place }
  const ruled = toolbox.names().flatMap((name) => {
    if (toolbox.hides(name, asking)) return { name, rule: 'hidden' as const }
    const tool = toolbox.get(name, asking)
    return tool === null ? [] : { name, rule: tool.approval ?? ('never' as const) }
  })
  const of = (rule: keyof HeldHere['tools']) =>
    ruled.filter((one) => one.rule === rule).map(({ name }) => name)
  return { hidden: of('hidden'), always: of('always'), first: of('first'), never: of('never') }
}
