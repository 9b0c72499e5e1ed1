import { describe, expect, it } from 'vitest'
import { artifactLimits } from '../../../src/agent/domain/artifact.ts'
import { createFilesTool } from '../../../src/agent/tools/files.ts'
import { type TestClew, useClew, workspace } from '../../support/agent.ts'
import { toolContext } from './context.ts'

const start = useClew()
const asking = (clew: TestClew, conversationId: string, home = workspace) => {
  const tool = createFilesTool(clew.store.artifacts)
  const where = toolContext({ workspace: home, conversationId })
  return {
    run: (input: string) => tool.run(input, where),
    look: (input: string) => tool.readOnly?.run(input, where),
  }
}

describe('the files of a task (R90)', () => {
  it('are saved, handed to the thread, listed and read', async () => {
    const { run } = asking(await start(), 'c_1')
    expect(await run('save venues.csv\nname,seats\nAlfama,40\n')).toMatchObject({
      ok: true,
      files: [{ name: 'venues.csv', type: 'text/csv' }],
    })
    await run('save venues.csv\nname,seats\nAlfama,42\n')
    expect((await run('list')).text).toBe('venues.csv (21 characters)')
    expect((await run('read venues.csv')).text).toBe('name,seats\nAlfama,42\n')
    expect((await run('read venues.csv from 11')).text).toBe('Alfama,42\n')
    expect(await run('read venues.csv from 21')).toEqual({
      ok: false,
      text: 'the file has 21 characters',
    })
  })

  it('are shown beside whole files that people handed in, in their thread alone (C790, S81)', async () => {
    const clew = await start()
    const document = {
      ...{ version: 1 as const, name: 'Q3 plan.pdf', text: 'Costs rise.\nSales fall.' },
      sections: [
        { name: 'page 1', at: 0 },
        { name: 'page 2', at: 12 },
      ],
      ...{ by: 'u1', at: 1 },
    }
    expect(await clew.store.artifacts.keep(workspace, 'c_1', document)).toBe(true)
    const { run, look } = asking(clew, 'c_1')
    expect((await run('list')).text).toBe('Q3 plan.pdf (handed in)')
    expect((await run('read Q3 plan.pdf page 2')).text).toContain('Sales fall.')
    expect((await look('search Q3 plan.pdf sales'))?.text).toBe('[page 2]\nSales fall.')
    for (const other of [asking(clew, 'c_2'), asking(clew, 'c_1', 'test:other')])
      expect((await other.run('search Q3 plan.pdf sales')).ok).toBe(false)
    for (let n = 0; n < 25; n += 1)
      await clew.store.artifacts.keep(workspace, 'c_1', { ...document, name: `${n}.pdf` })
    expect(await clew.store.artifacts.keptNames(workspace, 'c_1')).toHaveLength(20)
  })

  it('that one person’s sign-in read are shown to that person’s tasks alone (S95)', async () => {
    const { store } = await start()
    const inbox = (by: string) => ({
      ...{ version: 1 as const, name: 'mcp://mail/inbox', text: `Mail of ${by}.` },
      ...{ sections: [], by, only: by, at: 1 },
    })
    for (const by of ['u1', 'u2'])
      expect(await store.artifacts.keep(workspace, 'c_1', inbox(by))).toBe(true)
    const run = (id: string, input: string) =>
      createFilesTool(store.artifacts).run(
        input,
        toolContext({ workspace, conversationId: 'c_1', person: { id, name: id } }),
      )
    for (const by of ['u1', 'u2'])
      expect((await run(by, 'search mcp://mail/inbox mail')).text).toContain(`Mail of ${by}.`)
    expect((await run('u3', 'search mcp://mail/inbox mail')).ok).toBe(false)
    expect((await run('u3', 'list')).text).toBe('there are no files yet')
  })

  it('live in their own conversation and workspace, whatever a name says (S5)', async () => {
    const clew = await start()
    await asking(clew, 'c_1').run('save report.md\nOurs')
    for (const other of [asking(clew, 'c_2'), asking(clew, 'c_1', 'test:other')]) {
      expect((await other.run('list')).text).toBe('there are no files yet')
      expect((await other.run('read report.md')).ok).toBe(false)
    }
    for (const name of ['../c_1/report.md', '/etc/passwd', 'a\\b', '.hidden', '', 'x'.repeat(81)])
      expect((await asking(clew, 'c_2').run(`save ${name}\ntext`)).ok, name).toBe(false)
  })

  it('are bounded, need a thread, and are only looked at by work that nobody watches (S4)', async () => {
    const clew = await start()
    const { run, look } = asking(clew, 'c_1')
    expect((await run(`save big.txt\n${'x'.repeat(artifactLimits.text + 1)}`)).ok).toBe(false)
    for (let n = 0; n < artifactLimits.files; n++)
      expect((await run(`save ${n}.txt\n${n}`)).ok).toBe(true)
    expect((await run('save more.txt\nx')).ok).toBe(false)
    expect((await run('save 0.txt\nagain')).ok).toBe(true)
    expect(await look('save 0.txt\nchanged')).toMatchObject({ ok: false })
    expect(await look('read 0.txt')).toMatchObject({ ok: true, text: 'again' })
    expect((await asking(clew, '').run('list')).ok).toBe(false)
  })
})
