import type { AnsweredQuestion } from '../../agent/domain/question.ts'
import type { Texts } from '../../locales/texts.ts'

/**
 * Line under a closed question: who answered what. An approval that was not given says so (C1001).
 * `shown`: name and answer as the platform may show them.
 */
export function answerLine(
  { question: { approval, choices }, answer }: AnsweredQuestion,
  shown: { name: string; answer: string },
  { slack: chat, core }: Texts,
): string {
  const { approve, always } = core.approval
  const yes = [approve, always, core.plan.approve]
  const isRefused = approval === true && yes.includes(choices[0] ?? '') && !yes.includes(answer)
  return (isRefused ? chat.notApproved : chat.chose)(shown.name, shown.answer)
}
