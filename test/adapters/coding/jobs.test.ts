import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readCommand } from '../../../src/adapters/coding/command-line.ts'
import { value } from '../../fakes/openai/replies.ts'
import { tell, useWholeClew, when } from '../../support/whole-clew.ts'
import { ask } from '../web/support.ts'
import { startRunner, temporary } from './support.ts'

/*
 * The jobs that `test/adapters/web/strategies.test.ts` gives the other strategies, handed to an agent on the other side of a
 * folder.
 */
const start = useWholeClew()
const ana = { id: 'ana', name: 'Ana' }
const office = join(import.meta.dirname, '../../fixtures/coding/office.mjs')

/** Clew beside a runner whose agent does paperwork in a folder with venues and to-dos. */
async function open(mission: string, evidence: string, report: string) {
  const [folder, cwd] = await Promise.all([temporary(), temporary()])
  writeFileSync(
    join(cwd, 'venues.csv'),
    'city,name,price\nLisbon,Casa Azul,1900\nLisbon,Torre,2400\nPorto,Douro,1500\nBerlin,Spree,2100\n',
  )
  writeFileSync(join(cwd, 'TODO.md'), '- [x] Ask Ben\n- [ ] Book the room\n- [x] Pick a day\n')
  const whole = await start({ CODING_FOLDER: folder, CODING_POLL_MS: '40' })
  const command = readCommand(`'${process.execPath}' '${office}' {session_id}`)
  startRunner({ folder, cwd, command, continueCommand: command })
  const step = {
    title: mission,
    description: `${mission}.`,
    constraints: 'Only this.',
    expected: 'It is done.',
  }
  whole.server.on(
    'decision',
    value({
      ...{ decision: 'run', reply: null, runs: null, confidence: 0.9, reason: 'files' },
      run: {
        type: 'coding',
        title: mission,
        conversation_id: null,
        input: JSON.stringify({ goal: mission }),
      },
    }),
  )
  whole.server.on('mission', value({ steps: [step] }))
  whole.server.on(
    'evaluate',
    value({ decision: 'next', evidence, instruction: null, project_context: null }),
  )
  whole.server.on('mission_report', value({ report }))
  const file = (name: string) => readFileSync(join(cwd, name), 'utf8')
  return { ...whole, file }
}

it('compares, asks what is open, and goes on from the answer (C28, C41, R138)', async () => {
  const { url, server, file } = await open(
    'Compare the venues',
    'One is chosen.',
    'Casa Azul is best.',
  )
  const id = await tell(url, 'Compare the venues', ana)
  const { question } = await when(url, id, (shown) => shown.question !== null)
  expect(question?.text).toContain('Which city?')
  await ask(`${url}/api/questions/${question?.id}/answer`, 'POST', { text: 'Lisbon', author: ana })
  const { messages } = await when(url, id, (shown) => shown.run?.status === 'succeeded')
  expect(file('comparison.md')).toBe('Casa Azul is the cheapest in Lisbon: 1900 euros.\n')
  expect(messages.filter(({ text }) => text.includes('Casa Azul is best.'))).toHaveLength(1)
  server.assertDone()
})

it('cleans up the to-dos of a folder (R125, R130)', async () => {
  const { url, server, file } = await open(
    'Clean up the list',
    'Two lines are gone.',
    'The list is clean.',
  )
  const id = await tell(url, 'Clean up the list', ana)
  const { messages } = await when(url, id, (shown) => shown.run?.status === 'succeeded')
  expect(file('TODO.md')).toBe('- [ ] Book the room\n')
  expect(messages.filter(({ text }) => text.includes('The list is clean.'))).toHaveLength(1)
  server.assertDone()
})

it('posts a scheduled digest in a thread of its own, when its schedule says how to work (R122, F24)', async () => {
  const { url, server } = await open(
    'Collect what is due',
    'The open line is there.',
    'Due: book the room.',
  )
  const made = { when: 'every day at 9', title: 'Collect what is due --strategy coding' }
  expect((await ask(`${url}/api/schedules`, 'POST', made)).body).toMatchObject({
    schedule: { strategy: 'coding' },
  })
  await ask(`${url}/api/schedules/1/run`, 'POST', {})
  const conversations = async () =>
    (
      (await ask(`${url}/api/conversations`)).body as {
        conversations: { id: string; unread: boolean }[]
      }
    ).conversations
  await expect.poll(conversations, { timeout: 40_000 }).toHaveLength(1)
  const [opened] = await conversations()
  expect(opened?.unread).toBe(true)
  const { run, messages } = await when(
    url,
    opened?.id ?? '',
    (shown) => shown.run?.status === 'succeeded',
  )
  expect(messages.filter(({ text }) => text.includes('Due: book the room.'))).toHaveLength(1)
  expect((await ask(`${url}/api/runs/${run?.id}`)).body).toMatchObject({
    type: 'coding',
    work: { strategy: 'coding' },
  })
  expect(server.requests.filter(({ contract }) => contract === 'evaluate')[0]?.prompt).toContain(
    '- [ ] Book the room',
  )
})
