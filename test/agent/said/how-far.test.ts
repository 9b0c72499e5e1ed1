import { expect, it } from 'vitest'
import { asksHowFar } from '../../../src/agent/said/how-far.ts'

it.each([
  'how far is this?',
  'How far are you',
  'Clew, how is it going?',
  'any news?',
  'hey, are you done yet?',
  "what's the status please",
  '做到哪了？',
  '进度怎么样',
  'how much longer?',
  'is it ready yet?',
  '弄好了吗',
  '还要多久',
])('takes “%s” as asking how far the work is (C505)', (text) => {
  expect(asksHowFar(text)).toBe(true)
})

it.each([
  'how far is the venue from the station?',
  'how far is this, and add parking',
  'any news about Porto?',
  'why not Monday?',
  'the status of to-do 3',
  'Porto',
  '',
  '做到哪了算完成？',
])('takes “%s” as something else (C505)', (text) => {
  expect(asksHowFar(text)).toBe(false)
})
