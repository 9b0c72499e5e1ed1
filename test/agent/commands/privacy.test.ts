import { describe, expect, it } from 'vitest'
import { commandFrom } from '../../../src/agent/commands/command-from-table.ts'
import { privacyTable } from '../../../src/agent/commands/privacy.ts'
import type { Kept } from '../../../src/agent/domain/privacy.ts'
import type { Audit } from '../../../src/agent/ports/audit.ts'
import type { Privacy } from '../../../src/agent/ports/store.ts'
import { conversationWith, now } from './context.ts'

const row = (kind: Kept['kind'], stays?: Kept['stays']): Kept => ({
  ...{ kind, at: 1, conversationId: 'c_1', text: 'secret' },
  ...(stays === undefined ? {} : { stays }),
})

/** What is kept of Ben, until it is erased. */
function setUp(admins: readonly string[] = ['ana']) {
  const erased: string[] = []
  const rows = [row('message'), row('message'), row('schedule', 'name'), row('task', 'work')]
  const privacy: Privacy = {
    people: async () => [
      { id: 'U1', name: 'Ben' },
      { id: 'U2', name: 'Li' },
      { id: 'U3', name: 'Li' },
    ],
    kept: async (_, person) => (['U1', 'U9'].includes(person) && erased.length === 0 ? rows : []),
    async erase(workspace, person) {
      erased.push(`${workspace} ${person}`)
      return rows
    },
    async handOver(_, from, to) {
      erased.push(`${from} to ${to.id}`)
      return { task: 2, schedule: 1, approval: 0, todo: 3, own: 1 }
    },
  }
  const held = new Map<string, string>()
  const notes = {
    get: async (_: string, key: string) => held.get(key) ?? null,
    put: async (_: string, key: string, value: string) => void held.set(key, value),
    drop: async (_: string, key: string) => void held.delete(key),
  }
  const told: string[] = []
  const audit: Pick<Audit, 'append'> = {
    async append(_, { what, scope, id, change }) {
      told.push(`${scope} ${change} ${what} ${id}, ${erased.length} erased`)
    },
  }
  const deps = { privacy, admins, notes, audit }
  return { erased, held, told, ...conversationWith(commandFrom(privacyTable, deps)) }
}

describe('/privacy', () => {
  it('hands an admin all that is kept of one person, told to them alone, as a file (C117)', async () => {
    const { run } = setUp()
    const result = await run('export @ben')
    expect(result).toMatchObject({ ok: true, private: true })
    expect(result.text).toMatch(
      /Ben \(`U1`\)[\s\S]*messages to Clew and in its threads: 2[\s\S]*api\/privacy\/U1\?workspace=web:local/,
    )
    const file = JSON.parse(Buffer.from(result.file?.base64 ?? '', 'base64').toString())
    expect(file).toMatchObject({ version: 1, workspace: 'web:local', person: 'U1', at: now })
    expect(file.kept).toHaveLength(4)
  })

  it.each(['', 'Ben', 'purge Ben'])(
    'says what it can do where nothing of it was said: “%s” (C701)',
    async (line) => {
      const { run } = setUp()
      const { text } = await run(line)
      expect(text).not.toContain('``')
      expect(text).not.toContain('/privacy add')
      for (const form of [
        'export <person>',
        'erase <person> [--yes]',
        'handover <person> <person>',
      ])
        expect(text).toContain(`- \`/privacy ${form}\`: `)
      expect((await run(line, { locale: 'zh-CN' })).text).toMatch(/`\/privacy export <人>`：导出/)
    },
  )

  it('erases only what was confirmed, and says what went, what lost its author and what waits for work (C118)', async () => {
    const { run, erased } = setUp()
    const first = await run('erase Ben')
    expect(first.text).toContain(
      'I haven’t erased anything yet. To erase it for good, type `/privacy erase U1 --yes`',
    )
    expect(erased).toEqual([])
    const { text, private: isPrivate } = await run('erase U1 --yes')
    expect(erased).toEqual(['web:local U1'])
    expect(isPrivate).toBe(true)
    expect(text).toBe(
      'I’ve erased this about Ben:\n- messages to Clew and in its threads: 2\nThis belongs to the team and stays, without the author’s name:\n- schedules: 1\nI couldn’t erase this yet, because a task is still using it. Erase again when that task has ended:\n- tasks: 1',
    )
    expect((await run('清除 <@U1> --yes', { locale: 'zh-CN' })).text).toContain(
      '已清除 Ben 的这些内容',
    )
  })

  it.each(['edited', 'pressed', 'form', 'handed_over', 'quoted', 'model'] as const)(
    'shows what would go and erases nothing where it was not typed: %s (S36)',
    async (way) => {
      const { run, erased } = setUp()
      const { text } = await run('erase Ben --yes', { whose: { way, by: 'member' } })
      expect(text).toContain('I haven’t erased anything yet')
      expect(erased).toEqual([])
    },
  )

  const pressed = { way: 'pressed', by: 'member' } as const

  it('erases by the button under what an admin was shown, once, and by nobody else’s press (C286)', async () => {
    const { run, erased, held } = setUp(['ana', 'wei'])
    const { offers = [] } = await run('erase Ben --yes', { whose: { ...pressed, way: 'edited' } })
    expect(offers).toEqual([{ label: 'Erase Ben’s data', command: '/privacy erase U1 --yes' }])
    for (const more of [
      { person: { id: 'wei', name: 'Wei' }, whose: pressed },
      { whose: { way: 'edited', by: 'member' } as const },
      { whose: { way: 'handed_over', by: 'member' } as const },
      { whose: { way: 'pressed', by: 'operator' } as const },
    ])
      expect((await run('erase U1 --yes', more)).text).toContain('I haven’t erased anything yet')
    expect((await run('erase U9 --yes', { whose: pressed })).text).toContain(
      'I haven’t erased anything',
    )
    expect(erased).toEqual([])
    expect((await run('erase U1 --yes', { whose: pressed })).text).toContain(
      'I’ve erased this about Ben',
    )
    expect(erased).toEqual(['web:local U1'])
    expect([...held.keys()].sort()).toEqual(['erase:ana:U9', 'erase:wei:U1'])
  })

  it('is refused to everybody who is no admin, and where it is not clear who is meant (C117, C118)', async () => {
    const { run, erased } = setUp()
    for (const line of ['export Ben', 'erase Ben --yes']) {
      const other = await run(line, { person: { id: 'ben', name: 'ana' } })
      expect(other).toMatchObject({
        ok: false,
        private: true,
        text: expect.stringContaining('Only an admin'),
      })
      expect(await run(line, { person: null })).toMatchObject({ ok: false })
      expect(await setUp([]).run(line)).toMatchObject({ ok: false })
    }
    expect((await run('erase Li --yes')).text).toContain('`U2`, `U3`')
    expect((await run('erase nobody --yes')).text).toContain(
      'I keep nothing here about anyone called',
    )
    expect(erased).toEqual([])
    // A person who has only given commands has no name here.
    expect((await run('erase U9 --yes')).text).toContain('I’ve erased this about U9')
    expect((await run('erase U2 --yes')).ok).toBe(true)
  })

  it('hands what a person owns to another, says how much of what, and how to hand it back (C379)', async () => {
    const { run, erased } = setUp()
    const { text, private: isPrivate } = await run('handover @Ben <@U2>')
    expect(isPrivate).toBe(true)
    expect(text).toBe(
      'Handed over from Ben to Li:\n- tasks that have not ended: 2\n- schedules: 1\n- to-dos: 3\nOne to-do or schedule in their private list stays with them.\nTo hand it back: `/privacy handover U2 U1`. That also hands over what Li had before.',
    )
    expect((await run('转交 U2 U1', { locale: 'zh-CN' })).text).toContain('从 Li 转交给 Ben')
    expect(erased).toEqual(['U1 to U2', 'U2 to U1'])
  })

  it('writes the row of what it hands out, erases or hands over before it does (C893)', async () => {
    const { run, told } = setUp()
    await run('export Ben')
    await run('erase Ben')
    await run('erase Ben --yes')
    await run('handover U1 U2')
    await run('export U2', { person: { id: 'ben', name: 'Ben' } })
    expect(told).toEqual([
      'user:ana export person U1, 0 erased',
      'user:ana erase person U1, 0 erased',
      'user:ana hand_over person U1 > U2, 1 erased',
    ])
  })

  it('hands nothing over for who is no admin, for words that were not typed, or to the same person (C379)', async () => {
    const { run, erased } = setUp()
    for (const way of ['edited', 'pressed', 'handed_over', 'quoted', 'model'] as const)
      expect(await run('handover U1 U2', { whose: { way, by: 'member' } })).toMatchObject({
        ok: false,
      })
    expect((await run('handover U1 U2', { person: { id: 'ben', name: 'Ben' } })).text).toContain(
      'Only an admin',
    )
    expect((await run('handover U1 U1')).text).toContain('Both of those are Ben')
    expect((await run('handover U1 somebody')).text).toContain('I keep nothing here')
    expect(erased).toEqual([])
  })
})
