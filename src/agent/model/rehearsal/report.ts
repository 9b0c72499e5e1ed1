import type { LoopInput } from '../../contracts/input.ts'
import { present } from '../../domain/present.ts'
import { oneLine } from './request.ts'
import { type Task, whyNot } from './task.ts'

const linesMost = 30
const saidMost = 200

/**
 * The final message: what each call came to, in the tool's own words, who said what, and that it
 * was a rehearsal.
 */
export function reportOf(task: Task, input: LoopInput): string {
  const { words } = task.language
  const done = task.steps.filter(({ state }) => state === 'done')
  return present([
    // C153: what is all there below needs no count.
    done.length < task.steps.length && words.done(done.length, task.steps.length),
    ...done.map(({ text, result }) => `**${text}**\n${shown(result)}`),
    ...[...said(task, input), ...missing(task, input)].map((line) => `- ${line}`),
    `*${words.rehearsal}*`,
  ]).join('\n\n')
}

function said({ language: { words }, question }: Task, { clarifications }: LoopInput): string[] {
  return clarifications.flatMap(({ question: asked, text, author }) => {
    const answer = oneLine(text, saidMost)
    if (asked === null) return [words.added(author.name, answer)]
    return question !== null && asked.includes(question.text)
      ? [words.answered(author.name, question.text, answer)]
      : []
  })
}

function missing(
  { language: { words }, steps, question, isAnswered }: Task,
  { unattended }: LoopInput,
): string[] {
  const unasked =
    question === null || isAnswered || !unattended ? [] : [words.unanswered(question.text)]
  const failed = steps.filter(({ state }) => state === 'failed' || state === 'left')
  return [...unasked, ...failed.map((step) => words.notDone(step.text, whyNot(step)))]
}

function shown(result: string): string {
  const lines = result.split('\n', linesMost + 1)
  return lines.length <= linesMost ? result : [...lines.slice(0, linesMost), '…'].join('\n')
}
