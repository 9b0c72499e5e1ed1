import { expect, it, onTestFinished } from 'vitest'
import type { NeedView, RunView } from '../../../src/adapters/web/views.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import { createFakeChannel } from '../../fakes/channel.ts'
import {
  acts,
  asks,
  closes,
  createFakeModel,
  decides,
  ends,
  fails,
  held,
  plans,
} from '../../fakes/model.ts'
import { openLab } from '../../schedules/support.ts'
import { stopwatch } from '../../support/processor-time.ts'
import { useWholeClew } from '../../support/whole-clew.ts'
import { listenTo } from './event-stream.ts'
import { ask } from './support.ts'

const start = useWholeClew()
const ana = { id: 'U1', name: 'Ana', bot: false }
const ben = { id: 'ben', name: 'Ben' }

const saidIn = (workspace: string, n: number, text: string): InboundEvent => ({
  ...{
    workspace,
    channel: 'general',
    thread: `t${n}`,
    keys: [`m${n}`],
    author: ana,
    at: Date.now(),
  },
  whose: { way: 'typed' as const, by: 'member' as const },
  content: { kind: 'message', text, addressed: true, forSomeoneElse: false },
})

async function open() {
  const chat = Object.assign(createFakeChannel('chat'), { linkTo: () => 'https://chat.example/t1' })
  const model = createFakeModel()
  model.answer(({ contract }) =>
    contract === 'decision'
      ? decides.run('Book a room', 'Book a room')
      : contract === 'plan'
        ? plans('Choose')
        : contract === 'replan'
          ? ends('Booked.')
          : null,
  )
  const { url } = await start({}, { channels: [chat], model })
  const needs = async () =>
    (await ask(`${url}/api/needs-you`)).body as {
      needs: NeedView[]
      total: number
      next: string | null
    }
  const first = async () => {
    await expect.poll(needs).toMatchObject({ total: 1 })
    return (await needs()).needs[0]
  }
  return { chat, model, url, needs, first }
}

it('has what another platform asks; the answer from the page is the one there, by name, and it is gone at once (C190, S22)', async () => {
  const { chat, model, url, needs, first } = await open()
  model.on('thought', asks('Which room?', ['Blue', 'Red']), closes('Blue it is.'))
  await chat.intake(saidIn('chat:one', 1, 'Book a room'))
  const need = await first()
  expect(need).toMatchObject({
    ...{
      workspace: 'chat:one',
      kind: 'question',
      text: 'Which room?',
      late: false,
      link: 'https://chat.example/t1',
    },
    question: { choices: ['Blue', 'Red'] },
  })
  const tab = await listenTo(url)
  const path = `${url}/api/questions/${need?.question?.id}/answer`
  expect((await ask(path, 'POST', { choice: 'Blue', author: ben })).status, 'not on the page').toBe(
    404,
  )
  const passed = stopwatch()
  expect(
    (await ask(`${path}?workspace=chat:one`, 'POST', { choice: 'Blue', author: ben })).status,
  ).toBe(202)
  // C265: a page takes it off without asking for the queue.
  await tab.next(
    ({ event, data }) =>
      event === 'news' &&
      data.workspace === 'chat:one' &&
      (data.gone as string[]).includes(need?.name ?? ''),
  )
  await expect.poll(async () => (await needs()).total, { interval: 5 }).toBe(0)
  expect(passed()).toBeLessThan(1_000)
  tab.close()
  await expect
    .poll(() => chat.shown.map(({ delivery: { body } }) => body))
    .toContainEqual(
      expect.objectContaining({
        kind: 'answered',
        answered: expect.objectContaining({
          answer: 'Blue',
          author: { id: 'page:ben', name: 'Ben (on Clew’s page)' },
        }),
      }),
    )
  const late = await ask(`${path}?workspace=chat:one`, 'POST', {
    choice: 'Red',
    author: { id: 'eva', name: 'Eva' },
  })
  expect(late).toMatchObject({ status: 409, body: { error: { code: 'already_answered' } } })
  expect(
    (await ask(`${path}?workspace=chat:two`, 'POST', { choice: 'Red' })).status,
    'no such workspace',
  ).toBe(404)
})

it('tells the second one, on the page alone, and nobody on the platform (C190, S22)', async () => {
  const { chat, model, url, needs, first } = await open()
  model.on('thought', asks('Which room?', ['Blue', 'Red']), closes('Done.'))
  await chat.intake(saidIn('chat:one', 1, 'Book a room'))
  const { question } = (await first()) ?? {}
  const tab = await listenTo(url, '?author=eva')
  const path = `${url}/api/questions/${question?.id}/answer?workspace=chat:one`
  expect((await ask(path, 'POST', { choice: 'Blue', author: ben })).status).toBe(202)
  await expect.poll(needs).toMatchObject({ total: 0 })
  // As if it had been stored before the first one was taken.
  const content = { kind: 'answer' as const, questionId: question?.id ?? '', text: 'Red' }
  const author = { id: 'page:eva', name: 'Eva', bot: false, operator: true }
  await chat.intake({ ...saidIn('chat:one', 1, ''), keys: ['late'], author, content })
  const { data } = await tab.next(({ event, data }) => event === 'delivery' && data.to === 'eva')
  expect(JSON.stringify(data)).toContain('Ben (on Clew’s page)')
  tab.close()
  expect(chat.shown.filter(({ delivery: { body } }) => body.kind === 'private')).toEqual([])
})

it('has a proposal until it is decided, which the thread where it was made then says (C190)', async () => {
  const { chat, model, url, needs, first } = await open()
  model.on(
    'thought',
    acts('propose We meet in Lisbon --key city --scope team', 'memory'),
    closes('ok'),
  )
  await chat.intake(saidIn('chat:one', 1, 'Book a room'))
  const proposal = await first()
  expect(proposal).toMatchObject({ kind: 'proposal', memory: 'team-1', text: 'We meet in Lisbon' })
  const { conversationId } = proposal ?? {}
  const accepted = `${url}/api/memory/team-1/accept?workspace=chat:one`
  const unread = await ask(`${url}/api/memory/team-1%20now/accept?workspace=chat:one`, 'POST', {
    conversationId,
  })
  expect(unread, 'a name is read, not said').toMatchObject({
    status: 400,
    body: { error: { code: 'unreadable' } },
  })
  expect((await ask(accepted, 'POST', { conversationId, author: ben })).status).toBe(200)
  await expect.poll(needs).toMatchObject({ total: 0 })
  await expect.poll(() => JSON.stringify(chat.shown)).toContain('Ben (on Clew’s page) agreed')
})

it('says of what failed and of a proposal that it waits for long, and reminds nobody of them (C266)', async () => {
  const chat = createFakeChannel('chat')
  const model = createFakeModel()
  model.answer(({ contract, input }) => {
    if (contract === 'decision') return decides.run(input.message, input.message)
    if (contract === 'plan')
      return input.goal === 'Count the chairs' ? fails('not_configured') : plans('Choose')
    if (contract === 'replan') return ends('Booked.')
    if (contract !== 'thought') return null
    return input.observations.length === 0
      ? acts('propose We meet in Lisbon --key city --scope team', 'memory')
      : closes('ok')
  })
  const lab = await openLab({ model, channels: [chat] })
  onTestFinished(() => lab.stop())
  for (const [n, text] of ['Book a room', 'Count the chairs'].entries()) {
    const event = { ...saidIn('chat:one', n, text), at: lab.clock.now() }
    await chat.intake(event)
  }
  const late = async () =>
    ((await lab.get('/api/needs-you')) as { needs: NeedView[] }).needs
      .map((need) => [need.kind, need.late])
      .sort()
  const finals = () => chat.shown.filter(({ delivery: { body } }) => body.kind === 'final').length
  await lab.until(async () => (await late()).length === 2 && finals() === 2)
  await lab.pass(60_000)
  const said = chat.shown.length
  await lab.pass(30 * 3_600_000, 1_800_000)
  expect(await late()).toEqual([
    ['failed', true],
    ['proposal', true],
  ])
  expect(chat.shown.slice(said).map(({ delivery: { body } }) => body)).toEqual([])
})

it('shows a thread as worked on from what is said there until it is answered (C192)', async () => {
  const { chat, model, url } = await open()
  const answer = held(decides.reply('Noon.'))
  model.on('decision', answer)
  const groups = async () => {
    const { body } = await ask(`${url}/api/conversations`)
    return (body as { conversations: { group: string }[] }).conversations.map(({ group }) => group)
  }
  await chat.intake(saidIn('chat:one', 1, 'When?'))
  expect(await groups()).toEqual(['working'])
  answer.release()
  await expect.poll(groups).toEqual(['done'])
})

it('hands out what a task made in a thread of another platform (C192, R90)', async () => {
  const { chat, model, url } = await open()
  model.on('thought', acts('save a.md\n<b>Hi</b>', 'files'), closes('ok'))
  await chat.intake(saidIn('chat:one', 1, 'Book a room'))
  await expect.poll(() => JSON.stringify(chat.shown)).toContain('Booked.')
  const { body } = await ask(`${url}/api/conversations`)
  const [{ id }] = (body as { conversations: [{ id: string }] }).conversations
  const path = `${url}/api/conversations/${id}/files/a.md`
  expect((await ask(`${path}?workspace=chat:one`)).body).toBe('<b>Hi</b>')
  expect((await ask(path)).status, 'not on the page').toBe(404)
})

it('a task of another platform begins again at a step from the page, once however often it is pressed (C251, S22)', async () => {
  const { chat, model, url } = await open()
  model.on('thought', closes('ok'), closes('ok'))
  await chat.intake(saidIn('chat:one', 1, 'Book a room'))
  const runs = async () => {
    const { body } = await ask(`${url}/api/conversations?q=book`)
    const [line] = (body as { conversations: { id: string }[] }).conversations
    const thread = await ask(`${url}/api/conversations/${line?.id}?workspace=chat:one`)
    return (thread.body as { runs?: RunView[] }).runs ?? []
  }
  await expect.poll(async () => (await runs())[0]?.status).toBe('succeeded')
  const [first] = await runs()
  const path = `${url}/api/runs/${first?.id}/again?workspace=chat:one`
  const press = { step: 1, clientMessageId: 'press', author: ben }
  expect((await ask(path, 'POST', press)).body).toMatchObject({ duplicate: false })
  expect((await ask(path, 'POST', press)).body).toMatchObject({ duplicate: true })
  await expect.poll(async () => (await runs())[1]?.status).toBe('succeeded')
  const from = { step: 1, by: { id: 'page:ben', name: 'Ben (on Clew’s page)' } }
  expect(await runs()).toMatchObject([{ id: first?.id }, { parentRunId: first?.id, from }])
  const history = await ask(`${url}/api/runs/${first?.id}/history?workspace=chat:one`)
  expect(history.body).toMatchObject({ again: [{ runId: (await runs())[1]?.id, ...from }] })
  // Without a name of its own each try is another one (C277).
  for (const at of [2, 3]) {
    model.on('thought', closes('ok'))
    expect((await ask(path, 'POST', { step: 1, author: ben })).body).toMatchObject({
      duplicate: false,
    })
    await expect.poll(async () => (await runs())[at]?.status).toBe('succeeded')
  }
  const refused = await ask(path, 'POST', { step: 7 })
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'not_begun' } } })
  expect((await ask(path, 'POST', { step: 0 })).status).toBe(400)
})

it('says whether it is a quiet hour of the person who asks (C490)', async () => {
  const { url } = await start({}, { model: createFakeModel() })
  const quietFor = async (author: string) => {
    const { body } = await ask(`${url}/api/needs-you?author=${author}`)
    return (body as { quiet: boolean }).quiet
  }
  const message = { text: '/quiet every day', author: ben, clientMessageId: 'quiet-1' }
  expect((await ask(`${url}/api/conversations`, 'POST', message)).status).toBe(202)
  await expect.poll(() => quietFor('ben')).toBe(true)
  expect(await quietFor('ana')).toBe(false)
})

it('shows an approval to those who may give it, and who that is to others (C600)', async () => {
  const chat = createFakeChannel('chat')
  const model = createFakeModel()
  model.answer(({ contract, input }) => {
    if (contract === 'decision')
      return input.message.includes('Count')
        ? decides.run('Count', 'Count')
        : decides.run('Note', 'Note')
    if (contract === 'plan') return input.goal === 'Count' ? fails('not_configured') : plans('Note')
    return contract === 'thought' ? acts('add Call Ana', 'todo') : null
  })
  const settings = { AGENT_TOOL_APPROVAL: 'todo=always', ADMIN_USERS: 'root' }
  const { url } = await start(settings, { channels: [chat], model })
  const kinds = async (author: string) => {
    const { body } = await ask(`${url}/api/needs-you?author=${author}`)
    const { needs, total } = body as { needs: NeedView[]; total: number }
    expect(total, author).toBe(needs.length)
    return needs.map(({ kind, workspace, again }) => [kind, workspace.split(':')[0], again])
  }
  const path = `${url}/api/conversations`
  const opened = await ask(path, 'POST', { text: 'Note it', clientMessageId: 'n1', author: ben })
  await expect.poll(() => kinds('ben')).toEqual([['approval', 'web', false]])
  expect([await kinds('eva'), await kinds('root')]).toEqual([[], await kinds('ben')])
  const { id } = opened.body as { id: string }
  const isMine = async (author: string) => {
    const { body } = await ask(`${path}/${id}?author=${author}`)
    const { question } = body as { question: NeedView['question'] }
    return [question?.mine, question?.askedOf]
  }
  expect([await isMine('ben'), await isMine('eva'), await isMine('root')]).toEqual([
    [true, 'Ben'],
    [false, 'Ben'],
    [true, 'Ben'],
  ])
  await chat.intake(saidIn('chat:one', 1, 'Note it'))
  await expect.poll(() => kinds('eva')).toEqual([['approval', 'chat', false]])
  await chat.intake(saidIn('chat:one', 2, 'Count'))
  await expect.poll(() => kinds('eva')).toContainEqual([...['failed', 'chat', false]])
})
