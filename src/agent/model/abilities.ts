import { z } from 'zod'
import { jsonIn } from '../domain/clean-text.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { refusesForm, toolRefused } from './failures.ts'
import { Form, formAfter, hasFunctions, type Shape, type Style, strongest } from './forms.ts'

/**
 * Answers in a row that speak against a form that has worked before, until it is looked at again.
 */
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

const Known = z.object({ form: Form, at: z.number() })

/**
 * Tracks the best form for one model at one endpoint, probed once a day (C99).
 *
 * Only a readable answer proves a form. Until then, a refusal or plain words lead to the next form
 * at once. Afterwards one odd answer affects its request alone; three in a row start a new probe. A
 * tool that the endpoint refuses is left out, and the form stays.
 */
export function createAbilities(deps: {
  model: string
  host: string
  style: Style
  remembered: RememberedForms | undefined
  log: Log
  clock: Pick<Clock, 'now'>
}) {
  const { model, host, style, remembered, log, clock } = deps
  const key = `${model}@${host}#${style}`
  let known: z.infer<typeof Known> | null = null
  let isRead = false
  let doubts = 0
  /** Tools of others that the endpoint does not take, and those that it has taken. */
  const leftOut = new Set<string>()
  const taken = new Set<string>()
  const shapeOf = (form: Form): Shape => ({ form, without: new Set(leftOut) })
  function forget() {
    known = null
    doubts = 0
    leftOut.clear()
    taken.clear()
  }
  /** True if the answer stands because the form has worked before; counts it as a doubt. */
  function isDoubted() {
    if (known === null) return false
    doubts += 1
    if (doubts >= doubtsMost) forget()
    return true
  }
  return {
    /** Returns the form of the next request. */
    async shape() {
      const text = isRead ? null : await remembered?.get(key).catch(() => null)
      if (text) known = Known.safeParse(jsonIn(text)).data ?? null
      isRead = true
      if (known !== null && clock.now() - known.at >= dayMs) forget()
      return shapeOf(known?.form ?? strongest(style))
    },
    /**
     * Returns the form to try next in the same call, after a refusal or, if it is null, after a
     * reply in plain words. Null: the answer stands.
     */
    instead(shape: Shape, tools: Offered, refusal: unknown): Shape | null {
      const odd = hasFunctions(shape.form) ? oddTools(refusal, tools, taken) : []
      if (odd.length > 0) return { ...shape, without: new Set([...(shape.without ?? []), ...odd]) }
      if (refusal !== null && !refusesForm(refusal)) return null
      const next = formAfter(shape.form, style)
      return next === null || isDoubted() ? null : shapeOf(next)
    },
    /** An answer that could be read shows what the endpoint can do. */
    async proved({ form, without = new Set() }: Shape, tools: Offered) {
      doubts = 0
      for (const name of tools) if (name !== null) taken.add(name)
      for (const tool of without) {
        if (!leftOut.has(tool))
          log.warn(
            { model, host, tool },
            'model endpoint refuses this tool; leaving it out for a day',
          )
        leftOut.add(tool)
      }
      if (known?.form === form) return
      if (form !== strongest(style))
        log.info({ model, host, form }, 'model endpoint takes only a weaker request form')
      known = { form, at: clock.now() }
      await remembered?.put(key, JSON.stringify(known), dayMs).catch(() => null)
    },
  }
}

/**
 * The tool that a refusal names; of one that names none, whichever the endpoint has not taken
 * before.
 */
function oddTools(refusal: unknown, tools: Offered, taken: ReadonlySet<string>): string[] {
  const named = toolRefused(refusal, tools)
  if (named !== null) return [named]
  return refusesForm(refusal)
    ? tools.flatMap((name) => name ?? []).filter((name) => !taken.has(name))
    : []
}
