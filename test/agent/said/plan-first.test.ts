import { expect, it } from 'vitest'
import { wantsPlanFirst } from '../../../src/agent/said/plan-first.ts'

it.each([
  'Plan first: move the offsite to Porto',
  'Invite everybody. Plan first, then do it.',
  'plan it first please',
  'Tidy up the to-dos, but show me the plan first',
  'First show me your plan, then send the mails',
  'Close the old tickets; propose a plan first.',
  'Don’t send anything until I’ve approved the plan',
  'I want to see the plan before you change anything',
  'Run the plan by me, then go',
  'Please wait for my ok on the plan',
  '把旧工单都关掉，先给我看计划',
  '先列出计划，我确认后再做',
  '先出个方案再动手',
  '先把计划发给我，再开始',
  '计划先给我看一下',
  '等我同意计划再做',
  '先规划一下，再发邮件',
])('sees the plan first: %s (C764)', (text) => expect(wantsPlanFirst(text)).toBe(true))

it.each([
  'Plan the first week of our new designer',
  'Plan first aid training for the team',
  'The floor plan first needs a new door',
  'No need to show me the plan first',
  'Just do it, don’t plan first.',
  'Do it without showing the plan first',
  'What is the plan for the offsite?',
  'Send the plan to Ben',
  '不用先给我看计划，直接做',
  '不需要先出方案',
  '先发邮件，再看计划',
  '做一个首周计划',
  '> plan first\nWhat did Ben mean?',
])('works as ever: %s (C764)', (text) => expect(wantsPlanFirst(text)).toBe(false))
