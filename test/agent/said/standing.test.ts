import { expect, it } from 'vitest'
import { covers, type StandingApproval } from '../../../src/agent/domain/standing-approval.ts'
import { standingIn } from '../../../src/agent/said/standing.ts'

it.each([
  ['always here', null],
  ['Always.', null],
  ['yes, always', null],
  ['ok, from now on', null],
  ['approve it for good', null],
  ['yes, until Friday', 'Friday'],
  ['Approved, until 1 December', '1 December'],
  ['until tomorrow', 'tomorrow'],
  ['allow this until 2026-12-01', '2026-12-01'],
  ['always until Monday', 'Monday'],
  ['以后都可以', null],
  ['可以，一直批准', null],
  ['可以，到周五', '周五'],
  ['同意，到12月1日为止', '12月1日'],
])('“%s” stays (C770)', (text, until) => expect(standingIn(text)).toEqual({ until }))

it.each([
  'yes',
  'no, never',
  'not always',
  'always ask me',
  'until Friday?',
  'wait until Friday comes and then ask Ben whether he still wants the mail to go out to everybody, please, as he may not',
  '可以',
  '不要一直问我',
  '都可以',
  '可以，都行',
])('“%s” does not (C989)', (text) => expect(standingIn(text)).toBeNull())

const row: StandingApproval = {
  ...{ version: 1, id: 'q', number: 1, channel: 'C1', tool: 'mail', at: 0, until: 100 },
  ...{ asker: { id: 'ana', name: 'Ana' }, by: { id: 'ana', name: 'Ana' }, ended: null },
  input: '{"to":"all","text":"Hi"}',
}
const call = { channel: 'C1', asker: 'ana', tool: 'mail', input: '{ "text":"Hi", "to":"all" }' }

it('covers the same arguments however they are written, and nothing else (S77)', () => {
  expect(covers(row, call, 99)).toBe(true)
  const others = [
    { ...call, channel: 'C2' },
    { ...call, asker: 'ben' },
    { ...call, tool: 'mail2' },
    { ...call, input: '{"to":"all","text":"hi"}' },
    { ...call, input: '{"to":"all","text":"Hi","cc":"ben"}' },
    { ...call, input: '{"to":["all"],"text":"Hi"}' },
  ]
  expect(others.filter((one) => covers(row, one, 99))).toEqual([])
  expect(covers(row, call, 100)).toBe(false)
  expect(covers({ ...row, ended: { by: row.by, at: 1 } }, call, 99)).toBe(false)
})
