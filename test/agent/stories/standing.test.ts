import { expect, it } from 'vitest'
import { withApprovals } from '../../../src/agent/approvals.ts'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { decides } from '../../fakes/model.ts'
import {
  ana,
  ben,
  type TestClew,
  type TestOptions,
  useClew,
  workspace,
} from '../../support/agent.ts'

const start = useClew()

/** A Clew that mails whatever it is told, asking each time. */
async function mailing(options: TestOptions = {}) {
  const sent: string[] = []
  const mail: Tool = {
    ...{ name: 'mail', effect: 'unkeyed', approval: 'always', description: 'Sends mail.' },
    async run(input) {
      sent.push(input)
      return { ok: true, text: `sent ${input}` }
    },
  }
  const clew = await start({ strategy: 'free', tools: [mail], ...options })
  clew.model.answer(({ contract, input }) => {
    if (contract === 'decision' && 'message' in input) return decides.run(input.message)
    if (contract !== 'act' || !('observations' in input)) return null
    const isOver = input.observations.length > 0
    const calls = [{ tool: 'mail', input: input.goal }]
    return isOver ? { text: 'It is over.', calls: [] } : { text: null, calls }
  })
  return { clew, sent }
}
type Said = Parameters<TestClew['say']>[1]
const tell = async (clew: TestClew, words: string, said?: Said) => {
  await clew.say(words, said)
  await clew.idle()
}
const open = async (clew: TestClew, thread?: string) => (await clew.state(thread)).questions[0]
const isAsked = async (clew: TestClew, thread?: string) =>
  (await open(clew, thread).catch(() => undefined)) !== undefined
const press = async (clew: TestClew, choice: string, by = ana) => {
  await clew.choose((await open(clew))?.id ?? '', choice, by)
  await clew.idle()
}

it('an approval that stays says what it covers, and lets only that through (C770, C771, C772, S77)', async () => {
  const { clew, sent } = await mailing()
  await tell(clew, 'all')
  expect((await open(clew))?.choices).toEqual(['Approve', 'Refuse', 'Always here'])
  await press(clew, 'Always here')
  expect(sent).toEqual(['all'])
  const told = clew.texts().find((text) => text.startsWith('From now on'))
  expect(told).toContain('**mail** with exactly this, in this channel, when Ana asks for it')
  expect(told).toContain('```text\nall\n```')

  await clew.crash()
  await tell(clew, 'all')
  expect(sent).toEqual(['all', 'all'])
  const run = (await clew.runs()).at(-1)
  const step = expect.any(Number)
  expect(await clew.trace(run?.id ?? '')).toContainEqual({
    ...{ kind: 'approval', tool: 'mail', granted: true, by: ana, step, standing: 1 },
  })
  expect(await clew.store.approvals.uses(workspace)).toMatchObject([{ runId: run?.id }])

  await tell(clew, 'all of them')
  expect(await isAsked(clew)).toBe(true)
  await press(clew, 'Refuse')
  await tell(clew, 'all', { by: ben })
  expect(await isAsked(clew)).toBe(true)
  await press(clew, 'Refuse', ben)
  await tell(clew, 'all', { channel: 'elsewhere', thread: 'u' })
  expect(sent).toEqual(['all', 'all'])
})

it('it is listed and ended by /approvals, by who it is for or an admin (C773)', async () => {
  const { clew, sent } = await mailing({ admins: ['root'] })
  await tell(clew, 'all')
  await tell(clew, 'always here')
  expect(sent).toEqual(['all'])
  await tell(clew, '/approvals list', { by: ben })
  expect(clew.texts().at(-1)).toContain('Nothing is approved for good')
  await tell(clew, '/approvals revoke 1', { by: ben })
  expect(clew.texts().at(-1)).toContain('There is no approval #1 of yours')
  await tell(clew, '/approvals list')
  expect(clew.texts().at(-1)).toMatch(
    /#1\*\* \*\*mail\*\* with exactly this[\s\S]*all[\s\S]*Not used yet\./,
  )
  await tell(clew, '/approvals revoke 1', { by: { id: 'root', name: 'Root' } })
  expect(clew.texts().at(-1)).toContain('I’ll ask again')
  await tell(clew, 'all')
  expect([sent, await isAsked(clew)]).toEqual([['all'], true])
  await tell(clew, '/approvals list')
  expect(clew.texts().at(-1)).toMatch(/Ended[\s\S]*#1\*\* mail: ended by Root/)
})

it('it holds until a date, in words (C770)', async () => {
  const { clew, sent } = await mailing()
  await tell(clew, 'all')
  await tell(clew, 'yes, until tomorrow')
  expect(sent).toEqual(['all'])
  await clew.advance(20 * 3_600_000)
  await tell(clew, 'all')
  expect(sent).toEqual(['all', 'all'])
  await clew.advance(48 * 3_600_000)
  await tell(clew, 'all')
  expect([sent.length, await isAsked(clew)]).toEqual([2, true])
})

it('one that an admin gave for somebody ends with their being one (C771)', async () => {
  const root = { id: 'root', name: 'Root' }
  const { clew, sent } = await mailing({ admins: ['root'] })
  await tell(clew, 'all')
  await press(clew, 'Always here', root)
  await tell(clew, 'all')
  expect(sent).toEqual(['all', 'all'])
  const [row] = await clew.store.approvals.list(workspace)
  if (row === undefined) throw new Error('nothing was kept')
  expect(row).toMatchObject({ asker: ana, by: root })
  const fired = { ...row, id: 'other', by: { id: 'fired', name: 'Fired' } }
  await clew.store.approvals.drop(workspace, [row.id])
  await clew.store.approvals.end(workspace, fired, { by: root, at: 0 })
  await tell(clew, 'all')
  expect([sent.length, await isAsked(clew)]).toEqual([2, true])
})

it.each(['before', 'after'])(
  'a life that ends %s a commit makes no call twice (C771)',
  async (side) => {
    for (let n = 1; n <= 6; n++) {
      const { clew, sent } = await mailing()
      await tell(clew, 'all')
      await press(clew, 'Always here')
      clew.crashAt(`${side} commits.commit`, n)
      await clew.say('all')
      for (let tries = 0; tries < 10; tries++) {
        await clew.idle()
        await clew.advance(20_000)
      }
      const isUnknown = (await open(clew))?.text.includes('interrupted') === true
      expect(sent.length, `${n}`).toBe(isUnknown ? sent.length : 2)
      expect(sent.length, `${n}`).toBeLessThanOrEqual(2)
      await clew.stop()
    }
  },
)

it('it is kept of a person, and erased with them (C772)', async () => {
  const { clew } = await mailing()
  await tell(clew, 'all')
  await press(clew, 'Always here')
  const privacy = withApprovals(clew.store.privacy, clew.store.approvals)
  const kept = await privacy.kept(workspace, 'ana')
  expect(kept).toContainEqual(expect.objectContaining({ kind: 'approval', text: 'mail: all' }))
  await privacy.erase(workspace, 'ana')
  expect(await clew.store.approvals.list(workspace)).toEqual([])
})
