import { afterEach, beforeEach, expect, it } from 'vitest'
import { acts, closes, createFakeModel, ends, type FakeModel, plans } from '../fakes/model.ts'
import { type Lab, openLab } from './support.ts'

let lab: Lab
let model: FakeModel
beforeEach(async () => {
  model = createFakeModel()
  lab = await openLab({ start: Date.UTC(2026, 10, 20, 12), model })
  model.on('plan', plans('Tidy'))
  model.on('thought', acts('add Noted', 'todo'), closes('done'))
  model.on('replan', ends('One to-do was noted.'))
})
afterEach(() => lab.stop())

const ana = { id: 'ana', name: 'Ana' }
const ben = { id: 'ben', name: 'Ben' }
const todos = async () => ((await lab.get('/api/todos')) as { todos: { text: string }[] }).todos
const noted = () => lab.until(async () => (await todos()).some(({ text }) => text === 'Noted'))
const questions = async () => {
  const threads = await Promise.all((await lab.threads()).map(({ id }) => lab.thread(id)))
  return threads.flatMap(({ question }) => question ?? [])
}

/** A schedule that Ana let change things unasked, started now by somebody. */
async function startedBy(author: typeof ana, grant: string) {
  await lab.reply(await lab.say(`/schedule add every day at 9:00 Tidy up ${grant}`))
  await lab.post('/api/conversations', {
    ...{ text: '/schedule run 1', clientMessageId: 'run', timeZone: 'UTC', locale: 'en', author },
  })
}

it.each(['--mode auto', '--allow todo', '--mode ask --allow todo'])(
  'started now by who allowed it, a schedule changes things unasked: %s (S52)',
  async (grant) => {
    await startedBy(ana, grant)
    await noted()
    expect(await questions()).toEqual([])
  },
)

it.each(['--mode auto', '--allow todo', '--mode ask --allow todo'])(
  'started now by somebody else, it asks who allowed it before it changes anything: %s (S52)',
  async (grant) => {
    await startedBy(ben, grant)
    const question = await lab.until(async () => (await questions())[0])
    expect(question.text).toContain('add Noted')
    expect(question.text).toContain('Ana asked for this (schedule #1).')
    const approve = (author: typeof ana) =>
      lab.post(`/api/questions/${question.id}/answer`, { choice: 'Approve', author })
    await approve(ben)
    await lab.pass(5_000)
    expect(await todos()).toEqual([])
    expect(await questions()).toHaveLength(1)
    await approve(ana)
    await noted()
  },
)
