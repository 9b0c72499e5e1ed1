/** A plan that comes again: the steps that a team takes for some kind of work (C124). */
export interface PlanTemplate {
  readonly name: string
  /** Purpose of the template, in one line. */
  readonly about: string
  readonly steps: readonly string[]
}

/** Matches the name of a template that a plan gives in place of steps: `@release`. */
const named = /^@([a-z0-9][a-z0-9-]{0,63})$/

/** A plan with the steps of the templates that it names, which are from then on its own. */
export const withTemplates = (
  plan: readonly string[],
  templates: readonly PlanTemplate[],
): string[] =>
  plan.flatMap(
    (item) => templates.find(({ name }) => name === named.exec(item.trim())?.[1])?.steps ?? [item],
  )

/** The first item that names a template which is not there; null: none does. */
export const unknownTemplate = (
  plan: readonly string[],
  templates: readonly PlanTemplate[],
): string | null =>
  plan.find(
    (item) => named.test(item.trim()) && !templates.some(({ name }) => `@${name}` === item.trim()),
  ) ?? null
