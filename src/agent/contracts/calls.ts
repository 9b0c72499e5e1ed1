import { recallMost } from '../domain/cut.ts'
import { isRecord } from './forgiving.ts'
import type { ToolCard } from './input.ts'

/**
 * Card of the call that asks people, in strategies that plan calls. It is never carried out as a
 * tool (C37, C40).
 */
export const askCard: ToolCard = {
  name: 'ask_user',
  description:
    'Puts a question to the people in the thread and waits for their answer. Only as the last call. The input is the question; each further line that begins with "- " is one of 2 to 5 answers to choose from.',
}

/** Card of the tool over the task itself. */
export const recallCard: ToolCard = {
  name: 'recall',
  description: `Shows the result of an earlier step again where it is folded, or reads on in one that was cut, ${recallMost} characters at a time. The input is its number, such as 3, or "3 from 10000" to begin behind so many characters.`,
}

/** Stages of the loop itself; they cannot be called (C40). */
const stages: readonly string[] = ['plan_tool_call', 'think']

/** Callable cards: the tools, and a question where somebody can answer it. */
export function callable(input: {
  tools: readonly ToolCard[]
  unattended: boolean
}): readonly ToolCard[] {
  return input.unattended ? input.tools : [...input.tools, askCard]
}

export interface PlannedCall {
  tool: string
  input: string
}

/** Calls that a Decision may make along with a task (C578). */
export const firstMost = 8

/**
 * Why these calls cannot be made; null when they can. Nothing of a refused list is carried out
 * (R48).
 */
export function callsProblem(
  calls: readonly PlannedCall[],
  input: { tools: readonly ToolCard[]; unattended: boolean },
): string | null {
  const known = callable(input).map((card) => card.name)
  for (const [index, { tool, input: text }] of calls.entries()) {
    if (stages.includes(tool)) return `"${tool}" is a stage of the work and cannot be called`
    if (!known.includes(tool))
      return `there is no tool "${tool}"; the tools are ${known.join(', ')}`
    if (text.trim() === '') return `the call of "${tool}" has no input`
    if (tool !== askCard.name) continue
    if (index !== calls.length - 1) return 'ask_user can only be the last call'
    const tooLong = choicesProblem(readQuestion(text).choices)
    if (tooLong !== null) return tooLong
  }
  return null
}

/** Length of a choice in characters that every platform's button shows whole. */
const choiceMost = 75

/** S37: nobody presses what they cannot read to its end. */
export function choicesProblem(choices: readonly string[]): string | null {
  return choices.some((choice) => choice.trim().length > choiceMost)
    ? `a choice has at most ${choiceMost} characters; what it means in full belongs into the question`
    : null
}

/** The question and the choices of an `ask_user` call. */
export function readQuestion(input: string): { text: string; choices: string[] } {
  const lines = input.trim().split('\n')
  const isChoice = (line: string) => /^\s*[-*•]\s+\S/.test(line)
  const choices = lines.filter(isChoice).map((line) => line.replace(/^\s*[-*•]\s+/, '').trim())
  const text = lines.filter((line) => !isChoice(line)).join('\n')
  return text.trim() === '' ? { text: input.trim(), choices: [] } : { text: text.trim(), choices }
}

/** A call whose input is given as an object, or under the name `arguments`. */
export function tidyCall(call: unknown): unknown {
  if (!isRecord(call)) return call
  return { ...call, input: inputText('input' in call ? call.input : call.arguments) }
}

/**
 * Models write a tool's input as text, or as an object that holds it under `input`, or as an object
 * of its own.
 */
export function inputText(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [key, held] = entries[0] ?? []
  if (entries.length === 1 && key === 'input' && typeof held === 'string') return held
  return JSON.stringify(value)
}
