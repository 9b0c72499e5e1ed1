import { expect, it, onTestFinished } from 'vitest'
import { createMcpServers } from '../../../src/adapters/mcp/servers.ts'
import { readServersFile } from '../../../src/adapters/mcp/servers-file.ts'
import type { ServiceAnswer, ServiceQuestion } from '../../../src/agent/domain/service-question.ts'
import type { Tool, ToolContext, ToolResult } from '../../../src/agent/ports/tool.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { startAsking } from '../../fakes/mcp/asking.ts'
import { silent } from '../../support/silent.ts'
import { context, until } from './support.ts'

const ana = { id: 'ana', name: 'Ana' }

/** A Clew's servers; another one after it has nothing of what the first one had in memory. */
async function servers(url: string) {
  const own = createMcpServers({ clock: createSystemClock(), log: silent })
  onTestFinished(() => own.stop())
  const file = JSON.stringify({ mcpServers: { desk: { url } } })
  await own.use(readServersFile(file, { file: 'mcp.json', env: {} }).servers)
  await own.tried()
  return (name: string): Tool => {
    const tool = own.tools().find((one) => one.name === `desk__${name}`)
    if (tool === undefined) throw new Error(`no tool ${name}`)
    return tool
  }
}

async function bench() {
  const desk = await startAsking()
  onTestFinished(() => desk.close())
  return { desk, tool: await servers(desk.url), again: () => servers(desk.url) }
}

/** One call of a task, made again with each answer, as the loop makes it. */
function callOf(effectId: string, who = 'Ana') {
  const answers: ServiceAnswer[] = []
  const make = (tool: Tool, more: Partial<ToolContext> = {}): Promise<ToolResult> =>
    tool.run(JSON.stringify({ who }), {
      ...context(),
      effectId,
      answers: [...answers],
      mayAsk: true,
      ...more,
    })
  const answer = ({ key, choices }: ServiceQuestion, text: string, kind?: ServiceAnswer['kind']) =>
    void answers.push({
      ...{ step: 1, key, text, author: ana, kind: kind ?? 'answered' },
      choice: choices.indexOf(text),
    })
  return { answers, make, answer }
}

const asked = ({ asks }: ToolResult): ServiceQuestion => {
  if (asks === undefined) throw new Error('nothing is asked')
  return asks
}

it('a form is asked field by field, and one call of the server gets the answers (C850, C921)', async () => {
  const { desk, tool } = await bench()
  const call = callOf('x_1')
  const room = asked(await call.make(tool('book')))
  expect(room).toMatchObject({ server: 'desk', choices: ['Red', 'Blue'], alone: false })
  expect(room.text).toContain('Which room?')
  call.answer(room, 'Blue')
  const seats = asked(await call.make(tool('book')))
  expect(seats.choices).toEqual([])
  call.answer(seats, 'twelve')
  const again = asked(await call.make(tool('book')))
  expect(again.text).toContain('That doesn’t fit')
  call.answer(again, '4')
  const note = asked(await call.make(tool('book')))
  expect(note.choices).toEqual(['Leave it blank'])
  call.answer(note, 'Leave it blank')
  expect(await call.make(tool('book'))).toMatchObject({ ok: true })
  expect(desk.journal).toEqual(['book begun for Ana', 'book Ana accept {"room":"blue","seats":4}'])
  const { capabilities } = desk.heard.find(({ method }) => method === 'initialize')?.params ?? {}
  expect(capabilities).toEqual({ elicitation: { form: {}, url: {} } })
})

it.each([
  ['declined', 'decline'],
  ['dismissed', 'cancel'],
] as const)('a form that the person %s is told so to the server (C850)', async (kind, action) => {
  const { desk, tool } = await bench()
  const call = callOf('x_1')
  call.answer(asked(await call.make(tool('ticket'))), '', kind)
  await call.make(tool('ticket'))
  expect(desk.journal.at(-1)).toBe(`ticket Ana ${action} null`)
})

it('after a restart a keyed call is sent again with its answers, an unkeyed one is not (C852)', async () => {
  const { desk, tool, again } = await bench()
  const [keyed, unkeyed] = [callOf('x_1'), callOf('x_2')]
  keyed.answer(asked(await keyed.make(tool('again_ticket'))), 'ana@example.org')
  unkeyed.answer(asked(await unkeyed.make(tool('ticket'))), 'ana@example.org')
  const fresh = await again()
  expect(await keyed.make(fresh('again_ticket'))).toMatchObject({ ok: true })
  const result = await unkeyed.make(fresh('ticket'))
  expect(result).toMatchObject({ ok: false, unknown: true })
  expect(result.text).toContain('Its question is lost')
  expect(result.note?.text).toContain('I was restarted while **desk** waited')
  const begun = desk.journal.filter((line) => line === 'ticket begun for Ana')
  expect(begun).toHaveLength(3)
})

it('an answer that comes after the server gave up is kept for the same call (C852)', async () => {
  const { desk, tool } = await bench()
  const call = callOf('x_1')
  const question = asked(await call.make(tool('hasty')))
  await until(() => desk.answering() === 0)
  // Another answer of the same server, behind the one that ended the call.
  await callOf('x_2').make(tool('page_first'))
  call.answer(question, 'Red')
  const result = await call.make(tool('hasty'))
  expect(result).toMatchObject({ ok: false, unused: true })
  expect(result.text).toContain('make the same call again')
  expect(desk.journal).toEqual([])
})

it('what a server asks beside a call’s own stream is asked of nobody while two are open (S88)', async () => {
  const { desk, tool } = await bench()
  const [one, other] = [callOf('x_1', 'Ana'), callOf('x_2', 'Ben')]
  expect(asked(await one.make(tool('ticket'))).alone).toBe(true)
  const result = await other.make(tool('aside'))
  expect(result.text).toContain('nobody was asked')
  expect(desk.journal.at(-1)).toBe('aside Ben cancel')
  const alone = callOf('x_3', 'Cat')
  one.answer(asked(await one.make(tool('ticket'))), 'ana@example.org')
  await one.make(tool('ticket'))
  expect(asked(await alone.make(tool('aside'))).text).toContain('Where do we send the ticket?')
})

it('a hundred calls of two people at one server each get their own answer (S88)', async () => {
  const { desk, tool } = await bench()
  const calls = Array.from({ length: 100 }, (_, n) => {
    const who = `${n % 2 === 0 ? 'ana' : 'ben'}${n}`
    return { who, call: callOf(`x_${n}`, who) }
  })
  await Promise.all(
    calls.map(async ({ who, call }) => {
      call.answer(asked(await call.make(tool('ticket'))), `${who}@example.org`)
    }),
  )
  await Promise.all(calls.toReversed().map(({ call }) => call.make(tool('ticket'))))
  const sent = desk.journal.filter((line) => line.includes('accept'))
  expect(sent).toHaveLength(100)
  for (const line of sent) {
    const [, who, mail] = /^ticket (\w+) accept \{"email":"(\w+)@/.exec(line) ?? []
    expect(mail).toBe(who)
  }
})

it('the link to a page is for the person alone, before or in a call (C854)', async () => {
  const { desk, tool } = await bench()
  const inside = callOf('x_1')
  const page = asked(await inside.make(tool('page')))
  expect(page).toMatchObject({ alone: true, choices: ['Done there'] })
  expect(page.link).toContain('/form?for=Ana')
  inside.answer(page, 'Done there')
  expect(await inside.make(tool('page'))).toMatchObject({ text: 'page: Ana accept' })

  const first = callOf('x_2')
  const wanted = asked(await first.make(tool('page_first')))
  first.answer(wanted, 'Done there')
  expect((await first.make(tool('page_first'))).text).toContain('is not finished there')
  desk.opened.add(wanted.link ?? '')
  const second = callOf('x_3')
  expect(await second.make(tool('page_first'))).toMatchObject({ text: 'page_first: Ana' })
  expect(desk.journal).toEqual(['page Ana accept', 'page_first Ana'])
})

it('work that nobody asked for is asked nothing (C851)', async () => {
  const { desk, tool } = await bench()
  const result = await callOf('x_1').make(tool('ticket'), { mayAsk: false })
  expect(result.text).toContain('ticket: Ana cancel')
  expect(desk.journal.at(-1)).toBe('ticket Ana cancel null')
})
