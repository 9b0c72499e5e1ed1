import { expect, it } from 'vitest'
import { told } from '../../src/adapters/channel-kit/findings.ts'
import { readConfig } from '../../src/config.ts'
import { examineTeam } from '../../src/doctor/team.ts'
import { texts } from '../../src/locales/texts.ts'
import { createManualClock } from '../fakes/clock.ts'

it('says of a server of tools that it wants a sign-in, and what of its list is odd (C365, C366), and which act unasked (S56)', async () => {
  const server = { ok: true, tools: 3, detail: 'up' }
  const servers = [
    { ...server, name: 'odd', odd: ['bad: is listed twice'] },
    { ...server, name: 'tickets', ok: false, signIn: true },
  ]
  const clock = createManualClock()
  const acting = { asking: ['mail', 'book'], unasked: ['post'] }
  const team = { servers, problems: [], acting }
  const findings = await examineTeam(readConfig({}), {}, { clock, team })
  const shown = (locale: string) =>
    findings
      .map((one) => told(one, texts(locale), (text) => text))
      .map((one) => [one.verdict, one.line])
  expect(shown('en')).toEqual([
    ['good', 'MCP server odd: 3 tools.'],
    ['note', 'MCP server odd: bad: is listed twice.'],
    ['bad', 'MCP server tickets needs a sign-in (401).'],
    ['good', 'Tools that ask people before they act: mail, book.'],
    ['note', 'Tools that act without asking: post.'],
  ])
  expect(shown('zh')).toContainEqual(['bad', 'MCP 服务器 tickets 要求先登录（401）。'])
  expect(shown('zh').at(-1)).toEqual(['note', '不问就直接用的工具：post。'])
})
