import { expect, it } from 'vitest'
import { decides } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { violations } from './axe.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'a list beside the threads', (program) => {
  const { model, lab, open } = useLab(program)

  it('groups to-dos by this device’s days, the sooner due first, and filters them (F8, C534, C616)', async () => {
    const page = await open('#/todos', { timezoneId: 'Asia/Shanghai', locale: 'en-US' })
    await page.clock.setFixedTime(new Date('2031-03-05T12:00:00+08:00'))
    const add = (text: string, timeZone = 'UTC') =>
      page.request.post(`${lab().clew().url}/api/todos`, { data: { text, timeZone } })
    for (const due of ['2031-03-20', '2031-03-06', '2031-03-05', '2031-03-10', '2031-03-04'])
      await add(`Plant ${due} --due ${due}`)
    await add('Water the trees')
    await add('Later, at an hour --due 2032-01-02 09:00', 'Asia/Shanghai')
    await page.reload()
    const groups = page.locator('main section section')
    await groups.first().waitFor()
    expect(await groups.locator('h2').allTextContents(), 'C534').toEqual([
      'Overdue',
      'Today',
      'Tomorrow',
      'Next 7 days',
      'Later',
      'Without a date',
    ])
    const texts = () => page.locator('[data-todo] .what').allTextContents()
    expect(await texts()).toEqual([
      'Plant 2031-03-04',
      'Plant 2031-03-05',
      'Plant 2031-03-06',
      'Plant 2031-03-10',
      'Plant 2031-03-20',
      'Later, at an hour',
      'Water the trees',
    ])
    const row = (text: string) => page.locator('[data-todo]', { hasText: text })
    await row('Plant 2031-03-06').getByText('due Thu, Mar 6', { exact: true }).waitFor()
    await row('Later').getByText('due Fri, Jan 2, 2032, 9:00').waitFor()
    await page.getByRole('button', { name: 'Next 7 days', exact: true }).click()
    expect(await texts()).toEqual(['Plant 2031-03-05', 'Plant 2031-03-06', 'Plant 2031-03-10'])
    await page.getByRole('button', { name: 'Due by today' }).click()
    expect(await texts()).toEqual(['Plant 2031-03-04', 'Plant 2031-03-05'])
  })

  it('gives a new to-do to the person who adds it, says so, and refuses in words of its fields (C619, C620)', async () => {
    const page = await open('#/todos')
    const form = page.locator('form.add')
    await form.getByLabel('To-do').fill('Oil the gate')
    await form.getByLabel('Due').fill('end of the month')
    await page.keyboard.press('Enter')
    await page
      .getByRole('status')
      .getByText(/^Added for you: Oil the gate, due /)
      .waitFor()
    expect(await form.getByLabel('To-do').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Mine', exact: true }).click()
    await page.locator('[data-todo].new', { hasText: 'yours' }).waitFor()
    await form.getByLabel('To-do').fill('Oil the door')
    await form.getByLabel('Due').fill('some time')
    await page.keyboard.press('Enter')
    const problem = page.locator('main form .problem')
    await problem.waitFor()
    expect(await problem.innerText(), 'C619').toBe(
      'I can’t read some time as a time. Write it like “tomorrow 3 pm”.',
    )
  })

  it('shows a time that leaves open the half of the day before it saves it (C901)', async () => {
    const page = await open('#/todos')
    const form = page.locator('form.add')
    await form.getByLabel('To-do').fill('Ring the plumber')
    const due = form.getByLabel('Due')
    // Enter comes before anybody can have looked, however slow the machine is.
    const entered = Promise.withResolvers<void>()
    await page.route('**/api/times?*', async (route) => {
      await entered.promise
      await route.continue()
    })
    await due.fill('tomorrow at half past four')
    await due.press('Enter')
    entered.resolve()
    await form.getByText(/4:30\sPM\. For 4:30\sAM, add “am”\./).waitFor()
    expect(await page.locator('[data-todo]', { hasText: 'Ring the plumber' }).count()).toBe(0)
    await shot(page, 'lists-half')
    await due.fill('tomorrow at half past four pm')
    await due.press('Enter')
    await page
      .locator('[data-todo]', { hasText: 'Ring the plumber' })
      .getByText(/4:30\sPM/)
      .waitFor()
  })

  it('leaves what is ticked in its place, and goes on to the next row with the keyboard (C617)', async () => {
    const page = await open('#/todos')
    for (const text of ['First of three', 'Second of three', 'Third of three'])
      await page.request.post(`${lab().clew().url}/api/todos`, { data: { text } })
    await page.reload()
    const order = () => page.locator('[data-todo] .what').allTextContents()
    const tick = page.getByRole('button', { name: 'Mark “First of three” as done' })
    await tick.waitFor()
    const before = await order()
    await tick.dblclick()
    const row = page.locator('[data-todo]', { hasText: 'First of three' })
    await row.getByRole('button', { name: 'Undo' }).waitFor()
    expect(await order()).toEqual(before)
    expect(await page.locator('[aria-pressed="true"].check').count()).toBe(1)
    await row.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => tick.getAttribute('aria-pressed')).toBe('false')
    await page.getByRole('button', { name: 'Delete “Second of three”' }).focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Delete “Third of three”',
    )
    expect(await order(), 'its place stays for a while').toEqual(before)
    await page.locator('.notes').getByRole('button', { name: 'Undo' }).click()
  })

  it('keeps what is half typed through other filters and views (C617)', async () => {
    const page = await open('#/todos')
    await page.request.post(`${lab().clew().url}/api/todos`, { data: { text: 'Sand the floor' } })
    await page.getByRole('button', { name: 'Change “Sand the floor”' }).click()
    await page.locator('[data-todo] form').getByLabel('To-do').fill('Sand the stairs')
    await page.locator('form.add').getByLabel('To-do').fill('Half a')
    await page.getByRole('button', { name: 'Due by today' }).click()
    await page.getByRole('link', { name: 'Memory' }).click()
    await page.getByRole('link', { name: 'To-dos' }).click()
    const box = page.locator('[data-todo] form').getByLabel('To-do')
    expect(await box.inputValue()).toBe('Sand the stairs')
    expect(await page.locator('form.add').getByLabel('To-do').inputValue()).toBe('Half a')
  })

  it('has its form behind one button on a phone (C618)', async () => {
    const page = await open('#/todos', { viewport: { width: 390, height: 844 } })
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.keyboard.type('Wash the car')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Added for you: Wash the car').waitFor()
    expect(await page.locator('main form input').count()).toBe(0)
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
    await page.locator('[data-todo].leaving', { hasText: 'Feed the fish' }).waitFor()
    await shot(page, 'undo')
    expect(await texts()).toContain('Feed the fish')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.leaving').waitFor({ state: 'detached' })
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
    await page.locator('.notes').getByText('Changed: Paint the fence green').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.getByText('May 1').waitFor()
    expect(await stored()).toMatchObject({ text: todo.text, dueAt: todo.dueAt })

    await what.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('next weekish')
    await page.keyboard.press('Enter')
    await row.locator('.problem').getByText('next weekish').waitFor()
    await row.getByRole('button', { name: 'Cancel' }).click()
    await row.locator('.problem').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('none')
    await page.keyboard.press('Enter')
    await page.locator('form.edit').waitFor({ state: 'detached' })
    expect((await stored())?.dueAt, 'it moved to another group').toBeNull()
  })

  it('shows the to-dos of one owner (C565)', async () => {
    const page = await open('#/todos')
    const add = (text: string, name = 'Bea') =>
      page.request.post(`${lab().clew().url}/api/todos`, {
        data: { text, author: { id: name.toLowerCase(), name } },
      })
    await add('Book the room --owner me')
    await add('Paint the room --owner me', 'Cem')
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
    expect([first.x, second.y > first.y]).toEqual([second.x, true])
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
