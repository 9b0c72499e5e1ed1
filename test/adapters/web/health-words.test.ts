import { expect, it } from 'vitest'
import { healthInWords } from '../../../src/adapters/web/health-words.ts'
import { noFigures } from '../../../src/agent/domain/figures.ts'
import { unlimited } from '../../support/agent.ts'

const now = Date.UTC(2026, 2, 4, 12)
const minute = 60_000
const nobody = { count: 0, since: null }
type Known = Parameters<typeof healthInWords>[0]
const channel = { ok: true, detail: 'socket', lastSuccess: now - 3 * minute }
const well: Known = {
  ...{ now, locale: 'en', timeZone: 'UTC', limits: unlimited, used: [], names: new Map() },
  health: {
    ok: true,
    store: { ok: true, detail: 'takes writes' },
    queue: { ok: true, detail: 'idle' },
    channels: { slack: channel },
    model: {
      ok: true,
      detail: '',
      name: 'gpt',
      rehearsal: false,
      last: { kind: 'answered', at: now - 2 * minute },
    },
  },
  backlog: { due: nobody, outbox: nobody, aside: 0, failed: 0 },
}
const linesOf = (patch: Partial<Known>) => healthInWords({ ...well, ...patch })
const named = (name: string, patch: Partial<Known>) =>
  linesOf(patch).filter((line) => line.name === name)

it('says of each part in a sentence how it is, and where nothing is to be done, nothing (C229)', () => {
  expect(linesOf({}).map(({ name, level, text }) => [name, level, text])).toEqual([
    ['Store', 'well', 'Saving works.'],
    ['Queue', 'well', 'Nothing is waiting.'],
    ['Outbox', 'well', 'Everything has been delivered.'],
    ['Slack', 'well', 'Connected. It last received or posted something 3 minutes ago.'],
    ['Model', 'well', 'gpt answered 2 minutes ago.'],
    ['Budget', 'well', 'No limit for a day or month is set.'],
  ])
  expect(linesOf({}).flatMap(({ mend }) => mend ?? [])).toHaveLength(1)
})

it('says what is to be done about whatever is in trouble or late, in both languages (C229)', () => {
  const broken = { ok: false, detail: 'ECONNREFUSED' }
  const troubled: Partial<Known> = {
    health: {
      ...well.health,
      ...{ store: broken, queue: broken, channels: { slack: { ...channel, ...broken } } },
      model: {
        ...well.health.model,
        ...{ ok: false, last: { kind: 'rate_limited', at: now - minute }, awayUntil: now + minute },
      },
    },
    backlog: { due: nobody, outbox: { count: 2, since: now - 5 * minute }, aside: 3, failed: 1 },
  }
  for (const locale of ['en', 'zh']) {
    const lines = linesOf({ ...troubled, locale })
    expect(lines.map(({ level }) => level)).toEqual([
      'trouble',
      'trouble',
      'trouble',
      'look',
      'trouble',
      'trouble',
      'well',
    ])
    expect(lines.every(({ mend }) => mend !== null && mend.length > 10)).toBe(true)
    expect(lines.flatMap(({ detail }) => detail ?? [])).toEqual([
      'ECONNREFUSED',
      'ECONNREFUSED',
      'ECONNREFUSED',
    ])
  }
  expect(named('Outbox', troubled)[0]?.text).toBe(
    '1 could not be delivered. 2 waiting to be delivered, the oldest for 5 minutes.',
  )
  const alone = { ...well.backlog, failed: 1 }
  expect(named('Outbox', { backlog: alone })[0]?.text).toBe('1 could not be delivered.')
  expect(named('Model', troubled)[0]?.mend).toContain('before 2026-03-04 12:01')
  const late = { ...well.backlog, due: { count: 7, since: now - 2 * minute } }
  expect(named('Queue', { backlog: late })).toMatchObject([
    { level: 'look', mend: expect.stringContaining('ROLES=worker') },
  ])
  const justNow = { ...well.backlog, due: { count: 7, since: now - 2_000 } }
  expect(named('Queue', { backlog: justNow })).toMatchObject([{ level: 'well', mend: null }])
})

it('names the setting of the limit that is used most, be it of tokens or of cost (C221, C229)', () => {
  const row = {
    ...noFigures,
    workspace: 'slack:T1',
    day: '2026-03-04',
    period: 'day' as const,
    name: null,
  }
  const used = [{ ...row, by: 'team' as const, id: '', promptTokens: 10, cost: 5_000_000 }]
  const none = { tokens: null, cost: null }
  const limits = {
    ...unlimited,
    day: { person: none, channel: none, team: { tokens: 100, cost: 5 } },
  }
  const [line] = named('Budget', { used, limits })
  expect(line).toMatchObject({
    level: 'trouble',
    mend: expect.stringContaining('AGENT_COST_PER_DAY'),
  })
})

it('says how much of each limit is used by whoever used most, when it begins anew and what to raise (C229)', () => {
  const row = {
    ...noFigures,
    workspace: 'slack:T1',
    day: '2026-03-04',
    period: 'day' as const,
    name: null,
  }
  const used = [
    { ...row, by: 'team' as const, id: '', promptTokens: 100 },
    { ...row, by: 'person' as const, id: 'U1', name: 'Ana', promptTokens: 90 },
    { ...row, by: 'person' as const, id: 'U2', name: 'Ben', promptTokens: 10 },
    { ...row, by: 'channel' as const, id: 'C1', promptTokens: 30 },
  ]
  const limits = {
    ...unlimited,
    day: {
      person: { tokens: 100, cost: null },
      channel: { tokens: 100, cost: null },
      team: { tokens: 100, cost: null },
    },
  }
  const names = new Map([
    ['channel slack:T1 C1', '#general'],
    ['person slack:T1 U1', 'Ana'],
  ])
  expect(
    named('Budget', { used, limits, names }).map(({ level, text, mend }) => [level, text, mend]),
  ).toEqual([
    [
      'look',
      'Ana has used 90% of today’s limit. Next reset: 2026-03-05 00:00 (UTC).',
      expect.stringContaining('raise AGENT_PERSON_TOKENS_PER_DAY'),
    ],
    ['well', '#general has used 30% of today’s limit. Next reset: 2026-03-05 00:00 (UTC).', null],
    [
      'trouble',
      expect.stringContaining('The team has used 100% of today’s limit'),
      expect.stringContaining('raise AGENT_TOKENS_PER_DAY'),
    ],
  ])
})

it('shows each server of tools: what of its list is odd, that it wants a sign-in, or why it is away (C365, C366)', () => {
  const server = { ok: true, tools: 3, detail: 'up', signIn: false, odd: [] }
  const servers = [
    { ...server, name: 'files' },
    { ...server, name: 'odd', odd: ['entry 2 of its list is no tool with a name'] },
    { ...server, name: 'tickets', ok: false, signIn: true },
    { ...server, name: 'gone', ok: false, detail: 'spawn ENOENT' },
  ]
  const shown = (locale: string) =>
    linesOf({ locale, health: { ...well.health, servers } })
      .slice(5, 9)
      .map(({ name, level, text, detail }) => [name, level, text, detail])
  expect(shown('en')).toEqual([
    ['Tools: files', 'well', 'Connected, with 3 tools.', null],
    ['Tools: odd', 'look', expect.stringContaining('entry 2 of its list is no tool'), null],
    ['Tools: tickets', 'look', expect.stringContaining('needs a sign-in (401)'), null],
    ['Tools: gone', 'look', 'Not connected. Clew tries again by itself.', 'spawn ENOENT'],
  ])
  expect(shown('zh').map(([name, level]) => [name, level])).toEqual([
    ['工具：files', 'well'],
    ['工具：odd', 'look'],
    ['工具：tickets', 'look'],
    ['工具：gone', 'look'],
  ])
})
