import { expect, it } from 'vitest'
import { answerLine } from '../../../src/adapters/channel-kit/answer-line.ts'
import type { Question } from '../../../src/agent/domain/question.ts'
import { texts } from '../../../src/locales/texts.ts'

const approval = { approval: true, choices: ['Approve', 'Refuse', 'Always here'] }
const plan = { approval: true, plan: true, choices: ['Approve', 'Change'] }
const outcome = { approval: true, choices: ['Yes, it happened', 'No', 'Try again'] }
const asked = { choices: ['Porto', 'Refuse'] }

const lineOf = (more: Partial<Question>, answer: string, locale = 'en') => {
  const base = { version: 1 as const, id: 'q', runId: 'r', text: 'May I?', askedAt: 1 }
  const question = { ...base, askedOf: 'Ana', choices: [], ...more }
  const author = { id: 'U1', name: 'Ana' }
  return answerLine({ question, answer, author, at: 2 }, { name: 'Ana', answer }, texts(locale))
}

it.each([
  [approval, 'Approve', '✅ Ana: Approve'],
  [approval, 'Always here', '✅ Ana: Always here'],
  [approval, 'Refuse', '🚫 Ana: Refuse · not approved'],
  [approval, 'wait, the other hall', '🚫 Ana: wait, the other hall · not approved'],
  [plan, 'without step 2', '🚫 Ana: without step 2 · not approved'],
  [plan, 'Approve', '✅ Ana: Approve'],
  [outcome, 'No', '✅ Ana: No'],
  [asked, 'Refuse', '✅ Ana: Refuse'],
])(
  'an answer to %j, %s, has no tick where it approves nothing (C1001)',
  (question, answer, line) => {
    expect(lineOf(question, answer)).toBe(line)
  },
)

it('says so in Chinese, too (C1001)', () => {
  const question = { approval: true, choices: ['批准', '拒绝', '在此一直批准'] }
  expect(lineOf(question, '拒绝', 'zh')).toBe('🚫 Ana：拒绝 · 没有批准')
  expect(lineOf(question, '批准', 'zh')).toBe('✅ Ana：批准')
})
