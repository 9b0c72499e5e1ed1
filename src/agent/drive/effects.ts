import type { Texts } from '../../locales/texts.ts'
import { askCard } from '../contracts/calls.ts'
import { cut } from '../domain/cut.ts'
import type { Run } from '../domain/run.ts'
import type { Observation } from '../domain/task.ts'
import { finder } from '../tools/find-tool.ts'
import type { Toolbox } from '../tools/registry.ts'
import { askingOf } from './run-asking.ts'

/** So many calls are named, each with so much of its input. */
const named = { calls: 8, characters: 120 }

/**
 * True if a call of this tool may take effect outside; a tool that is not there any more may have
 * any.
 */
export function mayAct(
  { tool, input }: Pick<Observation, 'tool' | 'input'>,
  run: Run,
  toolbox: Toolbox,
): boolean {
  if (['recall', finder, askCard.name].includes(tool)) return false
  const known = toolbox.get(tool, askingOf(run))
  return known === null || (known.effect !== 'none' && known.looks?.(input) !== true)
}

/** Calls that took effect outside, or may have. */
export const effectsAmong = (
  calls: readonly Observation[],
  run: Run,
  toolbox: Toolbox,
): Observation[] =>
  calls.filter((call) => (call.ok || call.unknown === true) && mayAct(call, run, toolbox))

/** Calls that took effect, with the beginning of what came of each, for a model (C497). */
export function didIn(calls: readonly Observation[]): string[] {
  const short = (text: string) => cut(text.replaceAll(/\s+/g, ' ').trim(), named.characters)
  const lines = calls
    .slice(0, named.calls)
    .map(({ tool, input, result }) => `${tool} ${short(input)} → ${short(result)}`)
  return calls.length > lines.length ? [...lines, `${calls.length - lines.length} more`] : lines
}

/**
 * A call without the text that it carries from its second line on, such as that of a file; JSON in
 * one line.
 */
const firstLine = (input: string): string => {
  const all = input.trim()
  const [line = ''] = all.startsWith('{') ? [all.replaceAll(/\s+/g, ' ')] : all.split('\n')
  return line.trim()
}

/** A line for each of the first calls, and how many more there are. */
export function callLines(calls: readonly Observation[], { again }: Texts['core']): string[] {
  const lines = calls.slice(0, named.calls).map(({ tool, input }) => {
    const line = firstLine(input)
    const isLong = line.length > named.characters
    return again.call(tool, isLong ? `${line.slice(0, named.characters)}…` : line)
  })
  return calls.length > lines.length ? [...lines, again.more(calls.length - lines.length)] : lines
}
