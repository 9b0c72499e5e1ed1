import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { startSigned } from '../../fakes/mcp/signed.ts'
import { value } from '../../fakes/openai/replies.ts'
import { decision, tell, useWholeClew, when } from '../../support/whole-clew.ts'
import { ask } from '../web/support.ts'
import { linkIn, serversFile, signInBy } from './support.ts'

const start = useWholeClew()
const ana = { id: 'ana', name: 'Ana' }

const call = (tool: string, input: object) =>
  value({
    text: '[Step] Do it',
    calls: [{ tool: `desk__${tool}`, input: JSON.stringify(input) }],
  })

it('a person signs in from the thread, and an export names it without the token (C860, C862)', async () => {
  const desk = await startSigned()
  onTestFinished(() => desk.close())
  const entry = { url: desk.url, auth: 'person', clew: { approval: 'never' } }
  const config = await serversFile({ desk: entry })
  const { server, url } = await start({
    AGENT_STRATEGY: 'free',
    MCP_CONFIG: config,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  })
  server.on('decision', decision('Note hello'))
  server.on('act', call('sign_in', {}))
  server.on('act', call('note', { line: 'hello' }))
  server.on('act', value({ text: 'It is over.', calls: [] }))
  const id = await tell(url, 'Note hello', ana)
  const { question } = await when(url, id, (shown) => shown.question !== null)
  expect(question?.text).not.toContain('/mcp/sign-in')
  const { body } = await ask(`${url}/api/conversations/${id}?author=ana`)
  const said = await signInBy(linkIn(body), { desk, as: 'ana-there' })
  expect(said).toContain('Signed in at “desk”')

  const answer = { choice: 'Done there', author: ana }
  await ask(`${url}/api/questions/${question?.id}/answer`, 'POST', answer)
  await when(url, id, ({ run }) => run?.status === 'succeeded')
  expect(desk.journal).toEqual(['ana-there: hello'])
  const kept = JSON.stringify((await ask(`${url}/api/privacy/ana`)).body)
  expect(kept).toContain(`"kind":"sign_in"`)
  for (const token of desk.tokens.keys()) expect(kept).not.toContain(token)
})

it('on Set up Clew is signed in and out once for everybody, by who may write settings (C925)', async () => {
  const desk = await startSigned()
  onTestFinished(() => desk.close())
  const [own, shared] = ['person', 'installation'].map((auth) => ({ url: desk.url, auth }))
  const config = await serversFile({ own: own ?? {}, desk: shared ?? {} })
  const { url } = await start({
    MCP_CONFIG: config,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  })
  const path = `${url}/api/setup/sign-ins`
  const isIn = async () => (await ask(path)).body
  expect(await isIn()).toEqual({ servers: [{ server: 'desk', isSignedIn: false }] })
  const far = { 'x-forwarded-for': '10.0.0.1' }
  for (const [method, at] of [
    ['GET', path],
    ['POST', `${path}/desk`],
    ['DELETE', `${path}/desk`],
  ] as const) {
    const body = method === 'POST' ? {} : undefined
    expect((await ask(at, method, body, far)).body).toMatchObject({
      error: { code: 'setup_elsewhere' },
    })
  }
  const { body } = await ask(`${path}/desk`, 'POST', {})
  expect(await (await fetch(linkIn(body))).text()).toContain('for everybody here')
  expect(await signInBy(linkIn(body), { desk, as: 'robot' })).toContain('“desk” for everybody')
  expect(await isIn()).toEqual({ servers: [{ server: 'desk', isSignedIn: true }] })
  expect((await ask(`${path}/desk`, 'DELETE')).body).toEqual({ wasSignedIn: true })
  expect(desk.journal).toEqual(['revoked'])
  expect(await isIn()).toEqual({ servers: [{ server: 'desk', isSignedIn: false }] })
  for (const server of ['own', 'nothing'])
    expect((await ask(`${path}/${server}`, 'POST', {})).body).toMatchObject({
      error: { code: 'unreadable', message: expect.stringContaining('WEB_URL') },
    })
})
