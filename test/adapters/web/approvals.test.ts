import { expect, it } from 'vitest'
import { createFakeModel, decides, failsAs } from '../../fakes/model.ts'
import { hang, value } from '../../fakes/openai/replies.ts'
import { decision, tell, useWholeClew, when } from '../../support/whole-clew.ts'
import { ask } from './support.ts'

const start = useWholeClew()
const ana = { id: 'ana', name: 'Ana' }

it('asks on the page before a tool is used that a setting protects, and uses it as it was edited after the yes (P13, C47, C146, C147)', async () => {
  const { server, url } = await start({
    AGENT_STRATEGY: 'batch',
    AGENT_TOOL_APPROVAL: 'todo=first',
  })
  const steps = [{ tool: 'todo', arguments: 'add Book the room', purpose: null }]
  server.on('decision', decision('Book the room'))
  server.on('plan_tool_call', value({ steps, reasoning: null }))
  const over = {
    internal_analysis: null,
    user_summary: 'It is noted.',
    task_completed: true,
    next_steps_preview: null,
  }
  server.on('think', value(over))

  const id = await tell(url, 'Book the room', ana)
  const { question } = await when(url, id, (shown) => shown.question !== null)
  expect(question).toMatchObject({
    approval: true,
    askedOf: 'Ana',
    choices: ['Approve', 'Refuse', 'Always here'],
  })
  expect(question?.text).toContain('add Book the room')
  expect(question?.input).toBe('add Book the room')
  const edited = 'add Book the small room'
  const answer = (author: object, choice: string) =>
    ask(`${url}/api/questions/${question?.id}/answer`, 'POST', { choice, edited, author })
  await answer({ id: 'ben', name: 'Ben' }, 'Approve')
  await answer(ana, 'Approve')
  const { messages, answered, run } = await when(
    url,
    id,
    (shown) => shown.run?.status === 'succeeded',
  )
  expect(messages.at(-1)?.text).toContain('It is noted.')
  expect((await ask(`${url}/api/todos`)).body).toMatchObject({
    todos: [{ text: 'Book the small room' }],
  })
  expect(answered).toMatchObject([{ answer: 'Approve', edited }])
  // C146: the plan above it has the title.
  expect(messages.at(-1)?.html).toBe('<p>It is noted.</p>\n')
  const rate = (opinion: object) =>
    ask(`${url}/api/runs/${run?.id}/feedback`, 'POST', { ...opinion, author: ana })
  await rate({ good: true })
  const feedback = async () => (await ask(`${url}/api/feedback`)).body
  await expect.poll(feedback).toMatchObject({ feedback: [{ runId: run?.id, good: true }] })
  // C731: with the reason.
  const why = { good: false, reason: 'unasked', words: 'I wanted a table.' }
  await rate(why)
  await expect.poll(feedback).toMatchObject({ feedback: [{ runId: run?.id, ...why }] })
  expect((await rate({ good: false, reason: 'bad mood' })).status).toBe(400)
})

it('shows a plan first on the page, and remembers an approval until it is ended (C764, C770, C773)', async () => {
  const { server, url } = await start({
    ...{ AGENT_STRATEGY: 'batch', AGENT_TOOL_APPROVAL: 'todo=always', PLAN_FIRST: '1' },
  })
  const steps = [{ tool: 'todo', arguments: 'add Book the room', purpose: 'Book it' }]
  server.on('decision', decision('Book the room'))
  server.on('plan_tool_call', value({ steps, reasoning: null }))
  const over = { user_summary: 'It is noted.', task_completed: true }
  server.on('think', value({ ...over, internal_analysis: null, next_steps_preview: null }))
  const id = await tell(url, 'Book the room', ana)
  const asked = async (words: string) => {
    const isShown = ({ question }: { question: { text: string } | null }) =>
      question?.text.includes(words) === true
    return (await when(url, id, isShown)).question
  }
  const answer = (questionId: string | undefined, choice: string) =>
    ask(`${url}/api/questions/${questionId}/answer`, 'POST', { choice, author: ana })
  const plan = await asked('Here’s my plan')
  expect(plan).toMatchObject({ approval: true, choices: ['Approve', 'Change'] })
  expect(plan?.text).toContain('1. Book it')
  expect((await ask(`${url}/api/todos`)).body).toMatchObject({ todos: [] })
  await answer(plan?.id, 'Approve')
  await answer((await asked('May I use the tool'))?.id, 'Always here')
  const { messages } = await when(url, id, (shown) => shown.run?.status === 'succeeded')
  expect(messages.map(({ text }) => text).join()).toContain('From now on I won’t ask again')
  const list = await tell(url, '/approvals list', ana)
  const { messages: listed } = await when(url, list, (shown) => shown.messages.length > 1)
  expect(listed.at(-1)?.text).toContain('add Book the room')
})

it('takes a typed choice, consent and an order to stop in the words that people use (C330, C331, C332)', async () => {
  const { server, url } = await start({
    AGENT_STRATEGY: 'batch',
    AGENT_TOOL_APPROVAL: 'todo=first',
  })
  const round = (tool: string, input: string) =>
    value({ steps: [{ tool, arguments: input, purpose: null }], reasoning: null })
  const thought = (user_summary: string, task_completed: boolean) =>
    value({ internal_analysis: null, user_summary, task_completed, next_steps_preview: null })
  server.on('decision', decision('Book the room'), decision('Book a table'))
  server.on(
    'plan_tool_call',
    round('ask_user', 'Which city?\n- Lisbon\n- Porto'),
    round('todo', 'add Book the room'),
    hang(),
  )
  server.on('think', thought('Porto.', false), thought('It is noted.', true))
  const id = await tell(url, 'Book the room', ana)
  const say = async (text: string, to = id) =>
    await ask(`${url}/api/conversations/${to}/messages`, 'POST', {
      text,
      clientMessageId: text,
      author: ana,
    })
  await when(url, id, ({ question }) => question?.text.includes('city') === true)
  await say('Porto, please')
  await when(url, id, ({ question }) => question?.approval === true)
  await say('Yes, go ahead')
  const { answered } = await when(url, id, ({ run }) => run?.status === 'succeeded')
  expect(answered.map(({ answer }) => answer)).toEqual(['Porto', 'Approve'])

  const other = await tell(url, 'Book a table', ana)
  await when(url, other, ({ run }) => run?.status === 'running')
  await say('please stop now, wrong city', other)
  const { messages } = await when(url, other, ({ run }) => run?.status === 'canceled')
  expect(messages.at(-1)?.text).toMatch(/^Stopped by Ana/)
})

it('asks the person who made a schedule before its run changes anything, and looks without asking (F24, P13, S4)', async () => {
  const { server, url } = await start({ AGENT_STRATEGY: 'batch' })
  const round = (input: string) =>
    value({ steps: [{ tool: 'todo', arguments: input, purpose: null }], reasoning: null })
  const thought = (user_summary: string, task_completed: boolean) =>
    value({ internal_analysis: null, user_summary, task_completed, next_steps_preview: null })
  server.on('plan_tool_call', round('list'), round('add Book the room'))
  server.on('think', thought('Nothing is noted yet.', false), thought('It is noted.', true))
  const made = { when: 'every day at 9', title: 'Note what is due --mode ask', author: ana }
  expect((await ask(`${url}/api/schedules`, 'POST', made)).status).toBe(201)
  await ask(`${url}/api/schedules/1/run`, 'POST', {})
  const conversations = async () =>
    ((await ask(`${url}/api/conversations`)).body as { conversations: { id: string }[] })
      .conversations
  await expect.poll(conversations, { timeout: 40_000 }).toHaveLength(1)
  const id = (await conversations())[0]?.id ?? ''
  const { question } = await when(url, id, (shown) => shown.question !== null)
  expect(question).toMatchObject({
    approval: true,
    askedOf: 'Ana',
    choices: ['Approve', 'Refuse', 'Always here'],
  })
  expect(question?.text).toContain('add Book the room')
  expect((await ask(`${url}/api/todos`)).body).toMatchObject({ todos: [] })
  await ask(`${url}/api/questions/${question?.id}/answer`, 'POST', {
    choice: 'Approve',
    author: ana,
  })
  await when(url, id, (shown) => shown.run?.status === 'succeeded')
  expect((await ask(`${url}/api/todos`)).body).toMatchObject({ todos: [{ text: 'Book the room' }] })
  server.assertDone()
})

it('says on the page why nothing could be decided, with one button that tries it again (C198)', async () => {
  const model = createFakeModel()
  const { url } = await start({}, { model })
  model.on('decision', failsAs('unknown_model'), decides.reply('Lisbon is best.'))
  const id = await tell(url, 'Which city is best?', ana)
  const failed = await when(url, id, ({ messages }) => messages.length === 2)
  expect(failed.messages[1]?.text).toMatch(/doesn’t exist\. An admin can choose another one/)
  const [{ label = '', command = '' } = {}, ...others] = failed.messages[1]?.offers ?? []
  expect([label, others]).toEqual(['Retry', []])
  await ask(`${url}/api/conversations/${id}/messages`, 'POST', {
    text: command,
    clientMessageId: 'again',
    author: ana,
  })
  const { messages } = await when(
    url,
    id,
    (shown) => shown.messages.at(-1)?.text === 'Lisbon is best.',
  )
  expect(messages.flatMap(({ offers }) => offers)).toEqual([])
})
