import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { startSigned } from '../../fakes/mcp/signed.ts'
import { value } from '../../fakes/openai/replies.ts'
import { decision, type Shown, tell, useWholeClew, when } from '../../support/whole-clew.ts'
import { ask } from '../web/support.ts'
import { serversFile } from './support.ts'

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
  const link = /http\S+\/mcp\/sign-in\?state=[\w-]+/.exec((body as Shown).question?.text ?? '')?.[0]

  const gone = await fetch(link ?? '', { method: 'POST', redirect: 'manual' })
  const cookie = gone.headers.get('set-cookie')?.split(';')[0] ?? ''
  desk.visitor = 'ana-there'
  const agreed = await fetch(gone.headers.get('location') ?? '', { redirect: 'manual' })
  const back = await fetch(agreed.headers.get('location') ?? '', { headers: { cookie } })
  expect(await back.text()).toContain('Signed in at “desk”')

  const answer = { choice: 'Done there', author: ana }
  await ask(`${url}/api/questions/${question?.id}/answer`, 'POST', answer)
  await when(url, id, ({ run }) => run?.status === 'succeeded')
  expect(desk.journal).toEqual(['ana-there: hello'])
  const kept = JSON.stringify((await ask(`${url}/api/privacy/ana`)).body)
  expect(kept).toContain(`"kind":"sign_in"`)
  for (const token of desk.tokens.keys()) expect(kept).not.toContain(token)
})
