import { expect, it } from 'vitest'
import { callInWords } from '../../../src/agent/tools/call-words.ts'

const now = Date.UTC(2031, 2, 7, 12)
const said = (tool: string, input: string, locale = 'en') =>
  callInWords(tool, input, { now, timeZone: 'UTC', times: 'wall', locale })

it('says in words what a call of Clew’s own tools would add (C607)', () => {
  expect(said('schedule', 'add "every month on the 1st at 9:00" Look at it --note')).toMatch(
    /^I’d schedule “Look at it”: .*month.*09:00.* It only posts these words\.$/,
  )
  const rule = { kind: 'cron', cron: '0 9 * * 1-5', at: null, every: null, unit: null }
  const fields = {
    input: 'add Post what is due',
    rule: { ...rule, zone: null, from: null, until: null },
  }
  expect(said('schedule', JSON.stringify(fields))).toBe(
    'I’d schedule “Post what is due”: every weekday at 09:00.',
  )
  expect(said('todo', 'add Buy milk --due 2031-03-08 18:00')).toBe(
    'I’d add this to the to-dos: Buy milk · due 2031-03-08 18:00',
  )
  expect(said('todo', '/todo 添加 买牛奶', 'zh')).toBe('我会加一条待办：买牛奶')
})

it.each([
  ['mail', 'add Milk'],
  ['todo', 'done 3'],
  ['schedule', 'delete 2'],
  ['schedule', 'add'],
  ['schedule', '{"input":'],
])('says nothing of what is no addition that it can read: %s %s', (tool, input) => {
  expect(said(tool, input)).toBeNull()
})
