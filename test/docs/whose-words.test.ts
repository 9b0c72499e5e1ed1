import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createApi } from '../../src/adapters/discord/api.ts'
import { createStandings } from '../../src/adapters/discord/standings.ts'
import { standingOf } from '../../src/adapters/slack/people.ts'
import { commandFrom } from '../../src/agent/commands/command-from-table.ts'
import { privacyTable } from '../../src/agent/commands/privacy.ts'
import {
  allowed,
  type Power,
  powers,
  type Standing,
  type Way,
  ways,
} from '../../src/agent/domain/words.ts'
import { mayAnswer } from '../../src/agent/turn/answer.ts'
import { contextOf } from '../agent/commands/context.ts'
import { createManualClock } from '../fakes/clock.ts'
import { silent } from '../support/silent.ts'

/*
 * The matrix in docs/security.md is written by hand, and nothing here is taken from the table in the domain: what the code does is
 * asked of the adapters (who somebody is), of the table, and of the rules for approvals and erasing.
 */

const roles = ['owner', 'colleague', 'admin', 'outsider', 'guest', 'bot'] as const
type Role = (typeof roles)[number]

const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
const [, section = ''] = page.split('## Whose words may do what')
const rows = (section.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
const [head = [], , ...body] = rows

const role = '300000000000000001'
const clock = createManualClock()
/** Nothing is asked of it where an event tells the roles. */
const api = createApi({
  token: '',
  apiUrl: 'http://127.0.0.1:1',
  clock,
  log: silent,
  onRefused() {},
})

const profile = { team: 'T1', enterprise: null, guest: false, stranger: false }
const profiles: Record<Role, typeof profile & { bot?: boolean }> = {
  owner: profile,
  colleague: profile,
  admin: profile,
  outsider: { ...profile, team: 'T9' },
  guest: { ...profile, guest: true },
  bot: { ...profile, bot: true },
}

/** Who somebody is, as each platform's adapter judges. */
const platforms: Record<string, (who: Role) => Promise<Standing>> = {
  async slack(who) {
    return standingOf(profiles[who], { team: 'T1', enterprise: '' })
  },
  async discord(who) {
    const standing = createStandings({ memberRoles: [role], clock }, api, { guilds: () => ['1'] })
    const isMember = ['owner', 'colleague', 'admin'].includes(who)
    return await standing({
      id: who,
      bot: who === 'bot',
      guildId: '1',
      roles: isMember ? [role] : [],
    })
  },
}

const approval = {
  ...{
    version: 1 as const,
    id: 'q',
    runId: 'r',
    text: '?',
    choices: [],
    askedAt: 0,
    askedOf: null,
  },
  ...{ approval: true, approvers: ['owner'] },
}

async function erases(who: Role, way: Way, by: Standing): Promise<boolean> {
  let erased = false
  const privacy = {
    people: async () => [{ id: 'U1', name: 'Li' }],
    kept: async () => [],
    handOver: async () => ({ task: 0, schedule: 0, approval: 0, todo: 0, own: 0 }),
    async erase() {
      erased = true
      return []
    },
  }
  const notes = { get: async () => null, put: async () => {}, drop: async () => {} }
  const audit = { append: async () => {} }
  const command = commandFrom(privacyTable, { privacy, admins: ['admin'], notes, audit })
  await command.run(
    'erase U1 --yes',
    contextOf({ person: { id: who, name: who }, whose: { way, by } }),
  )
  return erased
}

async function may(who: Role, way: Way, power: Power, by: Standing): Promise<boolean> {
  if (power === 'erase') return await erases(who, way, by)
  const person = { id: who, name: who }
  const isTheirs =
    power !== 'approve' ||
    mayAnswer(
      { whoMayAnswer: 'anyone', admins: ['admin'] },
      approval,
      { id: 'owner', name: 'owner' },
      person,
    )
  return isTheirs && allowed({ way, by }, power) !== null
}

/** Whom a cell of the matrix names. */
const named: Record<string, readonly Role[]> = {
  all: ['owner', 'colleague', 'admin'],
  'owner, admin': ['owner', 'admin'],
  admin: ['admin'],
  asks: [],
  '–': [],
}

describe('the matrix of whose words may do what (C283, S33 to S36)', () => {
  it('names every way and every power', () => {
    expect(head.slice(1)).toEqual(powers)
    expect(body.map(([way]) => way)).toEqual(ways)
  })

  it.each(Object.keys(platforms))(
    'is what the code does, for everybody, in %s',
    async (platform) => {
      const wrong: string[] = []
      for (const who of roles) {
        const by = (await platforms[platform]?.(who)) ?? 'bot'
        for (const [row, way] of ways.entries())
          for (const [at, power] of powers.entries()) {
            const expected = named[body[row]?.[at + 1] ?? '']?.includes(who)
            const found = await may(who, way, power, by)
            if (found !== expected) wrong.push(`${who}, ${way}, ${power}: ${found}`)
          }
      }
      expect(wrong).toEqual([])
    },
  )

  it('is for the operator what it is for a colleague, whose approvals count as the token does (S22)', () => {
    const wrong = ways.flatMap((way, row) =>
      powers.filter((power, at) => {
        const cell = body[row]?.[at + 1] ?? ''
        const expected = cell === 'all' || (power === 'approve' && cell === 'owner, admin')
        return (allowed({ way, by: 'operator' }, power) !== null) !== expected
      }),
    )
    expect(wrong).toEqual([])
  })
})
