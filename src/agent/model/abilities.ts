import { z } from 'zod'
import { jsonIn } from '../domain/clean-text.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { refusesForm, toolRefused } from './failures.ts'
import { Form, formAfter, hasFunctions, type Shape, type Style, strongest } from './forms.ts'

/** Answers in a row that speak against a form that has worked before, until it is looked at again. */
const doubtsMost = 3
const dayMs = 24 * 60 * 60 * 1000

/**
 * Store of the form that works for a model at a host, across restarts. Losing it costs a few
 * requests.
 */
export interface RememberedForms {
  get(key: string): Promise<string | null>
  put(key: string, value: string, keepMs: number): Promise<unknown>
}

/** Tools of a request in order: those that others run by name, null for Clew's own. */
type Offered = readonly (string | null)[]

export interface Abilities {
  /** Returns the form of the next request. */
  shape(): Promise<Shape>
  /**
   * Returns the form to try next in the same call, after a refusal or, if it is null, after a reply
   * in plain words. Null: the answer stands.
   */
  instead(shape: Shape, tools: Offered, refusal: unknown): Shape | null
  /** An answer that could be read shows what the endpoint can do. */
  proved(shape: Shape, tools: Offered): Promise<void>
}

const Known = z.object({ form: Form, at: z.number() })
type Known = z.infer<typeof Known>

/**
 * Tracks the best form for one model at one endpoint, probed once a day (C99).
 *
 * Only a readable answer proves a form. Until then, a refusal or plain words lead to the next form
 * at once. Afterwards one odd answer affects its request alone; three in a row start a new probe. A
 * tool that the endpoint refuses is left out, and the form stays.
 */
export function createAbilities(deps: AbilitiesDeps): Abilities {
  const { model, host, style, remembered, clock } = deps
  const found: Found = {
    key: `${model}@${host}#${style}`,
    known: null,
    doubts: 0,
    leftOut: new Set(),
    taken: new Set(),
  }
  let isRead = false
  return {
    async shape() {
      const text = isRead ? null : await remembered.get(found.key).catch(() => null)
      if (text !== null) found.known = Known.safeParse(jsonIn(text)).data ?? null
      isRead = true
      if (found.known !== null && clock.now() - found.known.at >= dayMs) forget(found)
      return { form: found.known?.form ?? strongest(style), without: new Set(found.leftOut) }
    },
    instead(shape, tools, refusal) {
      const odd = hasFunctions(shape.form) ? oddTools(refusal, tools, found.taken) : []
      if (odd.length > 0) return { ...shape, without: new Set([...(shape.without ?? []), ...odd]) }
      if (refusal !== null && !refusesForm(refusal)) return null
      const next = formAfter(shape.form, style)
      return next === null || isDoubted(found)
        ? null
        : { form: next, without: new Set(found.leftOut) }
    },
    proved: (shape, tools) => proved(deps, found, shape, tools),
  }
}

interface AbilitiesDeps {
  model: string
  host: string
  style: Style
  remembered: RememberedForms
  log: Log
  clock: Pick<Clock, 'now'>
}

interface Found {
  key: string
  known: Known | null
  doubts: number
  /** Tools of others that the endpoint does not take, and those that it has taken. */
  leftOut: Set<string>
  taken: Set<string>
}

function forget(found: Found) {
  found.known = null
  found.doubts = 0
  found.leftOut.clear()
  found.taken.clear()
}

/** True if the answer stands because the form has worked before; counts it as a doubt. */
function isDoubted(found: Found): boolean {
  if (found.known === null) return false
  found.doubts += 1
  if (found.doubts >= doubtsMost) forget(found)
  return true
}

async function proved(
  { model, host, style, remembered, log, clock }: AbilitiesDeps,
  found: Found,
  { form, without = new Set() }: Shape,
  tools: Offered,
) {
  found.doubts = 0
  for (const name of tools) if (name !== null) found.taken.add(name)
  for (const tool of without) {
    if (!found.leftOut.has(tool))
      log.warn({ model, host, tool }, 'model endpoint refuses this tool; leaving it out for a day')
    found.leftOut.add(tool)
  }
  if (found.known?.form === form) return
  if (form !== strongest(style))
    log.info({ model, host, form }, 'model endpoint takes only a weaker request form')
  found.known = { form, at: clock.now() }
  await remembered.put(found.key, JSON.stringify(found.known), dayMs).catch(() => null)
}

/** The tool that a refusal names; of one that names none, whichever the endpoint has not taken before. */
function oddTools(refusal: unknown, tools: Offered, taken: ReadonlySet<string>): string[] {
  const named = toolRefused(refusal, tools)
  if (named !== null) return [named]
  return refusesForm(refusal)
    ? tools.flatMap((name) => name ?? []).filter((name) => !taken.has(name))
    : []
}

/** Nothing outlives the process. */
export const nothingRemembered: RememberedForms = { get: async () => null, put: async () => null }

/** Pins one form, to probe it. */
export const fixedAbilities = (form: Form): Abilities => ({
  shape: async () => ({ form }),
  instead: () => null,
  proved: async () => {},
})
