import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startAsking } from '../../fakes/mcp/asking.ts'
import { startSigned } from '../../fakes/mcp/signed.ts'
import { value } from '../../fakes/openai/replies.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { createClewProcess } from '../../support/clew-process.ts'
import { decision, tell, when } from '../../support/whole-clew.ts'
import { ask } from '../web/support.ts'
import { linkIn, serversFile, signInBy } from './support.ts'

const ana = { id: 'ana', name: 'Ana' }

/** A Clew in a process of its own that works with one server, with the calls that its model makes. */
async function working(entry: object, calls: readonly (readonly [string, object])[]) {
  const model = await startOpenAi()
  const folder = await mkdtemp(join(tmpdir(), 'clew-killed-'))
  const clew = await createClewProcess(join(folder, 'data'), {
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'fake',
    AGENT_STRATEGY: 'free',
    LOG_LEVEL: 'error',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    MCP_CONFIG: await serversFile({ desk: { clew: { approval: 'never' }, ...entry } }),
  })
  onTestFinished(async () => {
    await clew.stop()
    await model.close()
    await rm(folder, { recursive: true, force: true })
  })
  await clew.start()
  model.on('decision', decision('Do it'))
  for (const [tool, input] of calls) {
    const call = { tool: `desk__${tool}`, input: JSON.stringify(input) }
    model.on('act', value({ text: '[Step] Do it', calls: [call] }))
  }
  model.on('act', value({ text: 'It is over.', calls: [] }))
  const again = async () => {
    await clew.kill()
    await clew.start()
  }
  const asked = async (id: string) =>
    (await when(clew.url, id, ({ question }) => question !== null)).question?.id ?? ''
  const answer = (question: string, given: object) =>
    ask(`${clew.url}/api/questions/${question}/answer`, 'POST', { ...given, author: ana })
  return { clew, again, asked, answer }
}

it.each([
  ['again_ticket', ['ticket Ana accept {"email":"ana@example.org"}'], 'It is over.'],
  ['ticket', [], 'I was restarted while **desk**'],
] as const)(
  'a question of a server outlives kill -9, and %s takes effect once or is lost aloud (C926)',
  async (tool, effects, said) => {
    const desk = await startAsking()
    onTestFinished(() => desk.close())
    const { clew, again, asked, answer } = await working({ url: desk.url }, [
      [tool, { who: 'Ana' }],
    ])
    const id = await tell(clew.url, 'Send Ana the ticket', ana)
    const question = await asked(id)
    await again()
    expect(await asked(id)).toBe(question)
    expect((await answer(question, { text: 'ana@example.org' })).status).toBeLessThan(300)
    await again()
    const { messages } = await when(clew.url, id, ({ run }) => run?.status === 'succeeded')
    expect(messages.map(({ text }) => text).join('\n')).toContain(said)
    const accepted = desk.journal.filter((line) => line.includes('accept'))
    expect([...new Set(accepted)]).toEqual(effects)
  },
)

it('a sign-in outlives kill -9 while its person is away signing in, and the call is made once (C926)', async () => {
  const desk = await startSigned()
  onTestFinished(() => desk.close())
  const { clew, again, asked, answer } = await working({ url: desk.url, auth: 'person' }, [
    ['sign_in', {}],
    ['note', { line: 'hello' }],
  ])
  const id = await tell(clew.url, 'Note hello', ana)
  const question = await asked(id)
  const { body } = await ask(`${clew.url}/api/conversations/${id}?author=ana`)
  const said = await signInBy(linkIn(body), { desk, as: 'ana-there', between: again })
  expect(said).toContain('Signed in at “desk”')
  await again()
  await answer(question, { choice: 'Done there' })
  await when(clew.url, id, ({ run }) => run?.status === 'succeeded')
  expect(desk.journal).toEqual(['ana-there: hello'])
})
