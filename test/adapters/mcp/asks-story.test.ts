import { expect, it, onTestFinished } from 'vitest'
import { createSystemClock } from '../../../src/clock.ts'
import { startClew } from '../../../src/compose/clew.ts'
import { readConfig } from '../../../src/config.ts'
import { startAsking } from '../../fakes/mcp/asking.ts'
import { value } from '../../fakes/openai/replies.ts'
import { silent } from '../../support/silent.ts'
import { decision, tell, useWholeClew, when } from '../../support/whole-clew.ts'
import { ask } from '../web/support.ts'
import { serversFile, until } from './support.ts'

const start = useWholeClew()
const [ana, ben] = [
  { id: 'ana', name: 'Ana' },
  { id: 'ben', name: 'Ben' },
]

async function desk() {
  const server = await startAsking()
  onTestFinished(() => server.close())
  const config = await serversFile({ desk: { url: server.url, clew: { approval: 'never' } } })
  return { server, env: { AGENT_STRATEGY: 'free', MCP_CONFIG: config, ADMIN_USERS: 'ben' } }
}

const call = (tool: string, who: string) =>
  value({
    text: '[Step] Do it',
    calls: [{ tool: `desk__${tool}`, input: JSON.stringify({ who }) }],
  })
const report = value({ text: 'It is over.', calls: [] })

const questionOf = async (url: string, id: string) =>
  (await when(url, id, ({ question }) => question !== null)).question

const answer = (url: string, id: string | undefined, given: object, author = ana) =>
  ask(`${url}/api/questions/${id}/answer`, 'POST', { ...given, author })

it('only the person who asked answers what a service asks; an admin may not (C850, C851)', async () => {
  const { server: service, env } = await desk()
  const { server, url } = await start(env)
  server.on('decision', decision('Book it'))
  server.on('act', call('book', 'Ana'))
  server.on('act', report)
  const id = await tell(url, 'Book it', ana)
  const room = await questionOf(url, id)
  expect(room).toMatchObject({ choices: ['Red', 'Blue', 'Don’t answer', 'Not now'] })
  expect(room?.text).toContain('**desk** asks you:')
  await answer(url, room?.id, { choice: 'Red' }, ben)
  await answer(url, room?.id, { choice: 'Blue' })
  const seats = (await when(url, id, ({ question }) => question?.text.includes('Seats') === true))
    .question
  await answer(url, seats?.id, { text: '2' })
  const note = (await when(url, id, ({ question }) => question?.text.includes('note') === true))
    .question
  await answer(url, note?.id, { choice: 'Leave it blank' })
  await when(url, id, ({ run }) => run?.status === 'succeeded')
  expect(service.journal.at(-1)).toBe('book Ana accept {"room":"blue","seats":2}')
})

it('what it asks of one person alone stands in no thread and no prompt (C853)', async () => {
  const { server: service, env } = await desk()
  const { server, url } = await start(env)
  server.on('decision', decision('Send it'))
  server.on('act', call('ticket', 'Ana'))
  server.on('act', report)
  const id = await tell(url, 'Send it', ana)
  const question = await questionOf(url, id)
  expect(question?.text).toContain('asks you for something of your own')
  expect(question?.text).not.toContain('ticket?')
  const { body } = await ask(`${url}/api/conversations/${id}?author=ana`)
  expect(JSON.stringify(body)).toContain('Where do we send the ticket?')
  await answer(url, question?.id, { text: 'ana@example.org' })
  const after = await when(url, id, ({ run }) => run?.status === 'succeeded')
  expect(service.journal.at(-1)).toContain('{"email":"ana@example.org"}')
  expect(JSON.stringify(after)).not.toContain('ana@example.org"')
})

it('a question outlives Clew; what is lost of an unkeyed call is said (C852)', async () => {
  const { server: service, env } = await desk()
  const { clew, server, url, kept } = await start(env)
  server.on('decision', decision('Send it'))
  server.on('act', call('ticket', 'Ana'))
  const id = await tell(url, 'Send it', ana)
  const question = await questionOf(url, id)
  await clew.stop()
  const second = await startClew(readConfig({ ...kept, ...env }, []), {
    clock: createSystemClock(),
    log: silent,
  })
  onTestFinished(() => second.stop())
  server.on('act', report)
  const there = second.url ?? ''
  expect((await questionOf(there, id))?.id).toBe(question?.id)
  await answer(there, question?.id, { text: 'ana@example.org' })
  const { messages } = await when(there, id, ({ run }) => run?.status === 'succeeded')
  expect(messages.map(({ text }) => text).join('\n')).toContain('I was restarted while **desk**')
  expect(service.journal.filter((line) => line.includes('accept'))).toEqual([])
})

it('“stop” while its question is open cancels the call at the service (C923)', async () => {
  const { server: service, env } = await desk()
  const { server, url } = await start(env)
  server.on('decision', decision('Book it'))
  server.on('act', call('book', 'Ana'))
  const id = await tell(url, 'Book it', ana)
  await questionOf(url, id)
  const stop = { text: 'stop', clientMessageId: 'stop', author: ana }
  await ask(`${url}/api/conversations/${id}/messages`, 'POST', stop)
  await until(() => service.heard.some(({ method }) => method === 'notifications/cancelled'))
  expect(service.journal.filter((line) => line.includes('accept'))).toEqual([])
})
