import { texts } from '../../locales/texts.ts'
import { strategyNames } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import type { OutsideStrategy } from './define-strategy.ts'

/** A strategy's name, or `auto`: the Decision chooses. */
export type StrategySetting = string

/** A strategy from outside, as far as it matters for the choice. */
type Named = Pick<OutsideStrategy, 'name' | 'words'>

export type Choice = Omit<Extract<TraceEvent, { kind: 'strategy' }>, 'kind' | 'runId'>

/**
 * Chooses a task's strategy. A person's words come first ("step by step", "quickly"), then the
 * setting. With `auto` the Decision chooses, and only there a model's word counts.
 */
export function chooseStrategy(
  setting: StrategySetting,
  message: string,
  decided: { strategy: unknown; reason: string },
  outside: readonly Named[] = [],
): Choice {
  const said = strategyInWords(message, outside)
  if (said !== null) return { strategy: said, by: 'request', reason: null }
  if (setting !== 'auto') return { strategy: setting, by: 'setting', reason: null }
  const names = [...strategyNames, ...outside.map(({ name }) => name)]
  const strategy = names.find((name) => name === decided.strategy) ?? 'free'
  return { strategy, by: 'decision', reason: decided.reason }
}

/** The way of working that a request names; null when it names none, or says how not to work. */
export function strategyInWords(message: string, outside: readonly Named[] = []): string | null {
  const own = strategyNames.map((name) => ({
    name,
    words: ['en', 'zh'].flatMap((locale) => texts(locale).core.strategyWords[name]),
  }))
  const named: readonly Named[] = [...outside, ...own]
  // Words of letters stand by themselves; Chinese ones have no boundaries.
  const words = named.flatMap(({ name, words }) =>
    words.map((word) =>
      /^[a-z ]+$/.test(word) ? { name, alone: ` ${word} ` } : { name, anywhere: word },
    ),
  )
  for (const clause of message.toLowerCase().split(/[,.;:!?\n，。；：！？、]/u)) {
    if (clause === '' || /\b(?:not|no|without)\b|n[’']t\b|[不别没]/u.test(clause)) continue
    const spaced = ` ${clause.replace(/\W+/g, ' ')} `
    const found = words.find(({ alone, anywhere = '' }) =>
      alone === undefined ? clause.includes(anywhere) : spaced.includes(alone),
    )
    if (found !== undefined) return found.name
  }
  return null
}
