import { expect, it } from 'vitest'
import { decides } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { violations } from './axe.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'a list beside the threads', (program) => {
  const { model, lab, open } = useLab(program)

  it('shows the view that was chosen last, whichever answer comes last, and groups it by its days (F8, C534)', async () => {
    const page = await open('#/todos')
    const add = (text: string) =>
      page.request.post(`${lab().clew().url}/api/todos`, { data: { text } })
    await add('Plant the trees')
    await add('Water the trees --due 2020-01-01')
    await page.locator('main h2', { hasText: 'Overdue' }).waitFor()
    expect(await page.locator('main section section h2').allTextContents(), 'C534').toEqual([
      'Overdue',
      'Without a date',
    ])
    const all = page.locator('[data-todo="1"]')
    const view = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await view('Overdue')
    await page.locator('[data-todo="2"]').waitFor()
    await view('All')
    await all.waitFor()

    const held = Promise.withResolvers<void>()
    await page.route('**/api/todos?view=overdue*', async (route) => {
      await held.promise
      await route.continue()
    })
    const asked = page.waitForRequest('**/api/todos?view=overdue*')
    await view('Overdue')
    await asked
    const fresh = page.waitForResponse('**/api/todos?view=all*')
    await view('All')
    await fresh
    const late = page.waitForResponse('**/api/todos?view=overdue*')
    held.resolve()
    await (await late).finished()
    // What is drawn after the late answer is drawn by now.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    )
    expect(await all.count(), 'of all, and not only what is overdue').toBe(1)
  })

  it('says why something cannot be shown, and not that it is still loading (C237, C246)', async () => {
    const page = await open('#/todos')
    const error = { code: 'too_many', message: 'That is more than can be looked through.' }
    const refused = {
      status: 400,
      contentType: 'application/json',
      body: JSON.stringify({ error }),
    }
    const loading = page.locator('main, .palette').getByText('Loading…')
    await page.route(/api\/(?:calendar|conversations)\?/, (route) => route.fulfill(refused))
    await page.getByRole('link', { name: 'Calendar' }).click()
    await page.locator('main').getByText(error.message).waitFor()
    expect(await loading.count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('xylophone')
    await page.locator('.palette').getByText(error.message).waitFor()
    expect(await loading.count()).toBe(0)
  })

  it('deletes what nobody takes back, by Undo or in time, also when the page is left (C533)', async () => {
    const page = await open('#/todos')
    const texts = async () =>
      ((await lab().get('/api/todos?view=all')) as { todos: { text: string }[] }).todos.map(
        ({ text }) => text,
      )
    for (const text of ['Feed the fish', 'Feed the cat'])
      await page.request.post(`${lab().clew().url}/api/todos`, { data: { text } })
    await page.reload()
    const remove = (text: string) => page.getByRole('button', { name: `Delete “${text}”` }).click()
    const row = (text: string) => page.locator('[data-todo]', { hasText: text })
    await remove('Feed the fish')
    await row('Feed the fish').waitFor({ state: 'detached' })
    await shot(page, 'undo')
    expect(await texts()).toContain('Feed the fish')
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('Feed the fish').waitFor()
    await remove('Feed the fish')
    await page.locator('.notes').getByRole('button', { name: 'Close' }).click()
    await expect.poll(texts).not.toContain('Feed the fish')
    await remove('Feed the cat')
    await page.goto('about:blank')
    await expect.poll(texts).not.toContain('Feed the cat')
  })

  it('edits a to-do in the list: Enter saves, Escape leaves, Undo takes it back (C565)', async () => {
    const page = await open('#/todos', { reducedMotion: 'reduce' })
    const data = { text: 'Paint the fence --due 2030-05-01 9:00' }
    const { todo } = await (
      await page.request.post(`${lab().clew().url}/api/todos`, { data })
    ).json()
    await page.reload()
    const row = page.locator(`[data-todo="${todo.id}"]`)
    const what = row.getByRole('button', { name: /^Change “/ })
    const stored = async () => {
      const { todos } = (await lab().get('/api/todos?view=all')) as { todos: (typeof todo)[] }
      return todos.find(({ id }) => id === todo.id)
    }
    await what.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('!')
    await page.keyboard.press('Escape')
    expect(await what.innerText()).toBe('Paint the fence')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Paint the fence')

    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.type(' green')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('2031-06-02 10:00')
    await shot(page, 'todos-edit')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await row.getByText('Paint the fence green').waitFor()
    await row.getByText('Jun 2').waitFor()
    await page.getByText('Changed: Paint the fence green').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.getByText('May 1').waitFor()
    expect(await stored()).toMatchObject({ text: todo.text, dueAt: todo.dueAt })
  })

  it('shows the to-dos of one owner (C565)', async () => {
    const page = await open('#/todos')
    const add = (text: string) =>
      page.request.post(`${lab().clew().url}/api/todos`, {
        data: { text, author: { id: 'bea', name: 'Bea' } },
      })
    await add('Book the room --owner me')
    await add('Nobody’s own')
    await page.reload()
    const whose = page.getByRole('group', { name: 'Whose to-dos' })
    await whose.getByRole('button', { name: 'Bea' }).click()
    await page.getByText('Nobody’s own').waitFor({ state: 'detached' })
    await page.locator('[data-todo]', { hasText: 'for Bea' }).waitFor()
    await whose.getByRole('button', { name: 'Everyone’s' }).click()
    await page.getByText('Nobody’s own').waitFor()
  })

  it('uses a wide window for lists and tables, and keeps lines of text short (C566)', async () => {
    const page = await open('#/todos', { viewport: { width: 1920, height: 1080 } })
    const boxOf = async (selector: string, at = 0) => {
      const one = page.locator(selector).nth(at)
      await one.waitFor()
      return (await one.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    }
    expect((await boxOf('[data-todo]')).width).toBeGreaterThan(1200)
    await shot(page, 'wide-todos')
    for (const [when, title] of [
      ['every day at 9', 'Stand up --note'],
      ['every Friday at 17', 'Say goodbye --note'],
    ])
      await lab().post('/api/schedules', { when, title, author: { id: 'a', name: 'Ana' } })
    await page.goto(`${lab().clew().url}/#/schedules`)
    const [first, second] = [await boxOf('[data-schedule]', 0), await boxOf('[data-schedule]', 1)]
    expect([first.y, second.x > first.x]).toEqual([second.y, true])
    await shot(page, 'wide-schedules')
    await page.goto(`${lab().clew().url}/#/calendar`)
    expect((await boxOf('.month')).width).toBeGreaterThan(1200)
    await shot(page, 'wide-calendar')

    const names = Array.from({ length: 12 }, (_, month) => `Month number ${month}`)
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    const table = [line(names), line(names.map(() => '---')), line(names)].join('\n')
    model.on('decision', decides.reply(`${'A long line of words. '.repeat(30)}\n\n${table}`))
    const id = await lab().say('Compare the months')
    await page.goto(`${lab().clew().url}/#/t/${id}`)
    expect((await boxOf('.text .table')).width).toBeGreaterThan(1100)
    expect((await boxOf('[data-role=assistant] .text p')).width).toBeLessThan(780)
    await shot(page, 'wide-thread')
  })
})
