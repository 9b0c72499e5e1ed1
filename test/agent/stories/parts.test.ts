import { expect, it } from 'vitest'
import { acts, closes, createFakeModel, decides, ends, hangs, plans } from '../../fakes/model.ts'
import { openLab } from '../../schedules/support.ts'

it('an item that was opened is stored with its parts, goes on after a restart, and is shown with them (C127, R144)', async () => {
  const model = createFakeModel()
  const lab = await openLab({ model })
  try {
    const parts = ['Ask the Alfama', 'Ask the Baixa']
    model.on('decision', decides.run('Find venues'))
    model.on('plan', plans('Find venues', 'Book'))
    model.on(
      'thought',
      { ...acts('list', 'todo', 'Ask the Alfama'), parts },
      acts('list', 'todo', 'Ask the Baixa'),
      hangs(),
    )
    const thread = await lab.say('Find venues')
    const itemsOf = async () => (await lab.thread(thread)).run?.progress?.items
    const first = (...done: boolean[]) => ({
      text: 'Find venues',
      done: done.every(Boolean),
      parts: parts.map((text, at) => ({ text, done: done[at] ?? false })),
    })
    const known = await lab.until(async () => {
      const items = await itemsOf()
      return items?.[0]?.parts?.[0]?.done === true && items
    })
    expect(known).toEqual([first(true, false), { text: 'Book', done: false }])
    // The process that goes on has only what is stored.
    model.on('thought', { ...closes('Both are free'), leads_to: 'replan' })
    model.on('replan', ends('Both are free.'))
    await lab.restart()
    await lab.until(async () => (await lab.thread(thread)).run?.status === 'succeeded')
    expect((await itemsOf())?.[0]).toEqual(first(true, true))
    expect(await lab.ask('/task show', thread)).toContain(
      '- ☑ Find venues\n  - ☑ Ask the Alfama\n  - ☑ Ask the Baixa\n- ☐ Book',
    )
  } finally {
    await lab.stop()
  }
})
