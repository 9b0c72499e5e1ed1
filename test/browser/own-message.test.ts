import { expect, it } from 'vitest'
import { closes, decides, ends, held, plans } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot, write } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'one’s own newest message', (program) => {
  const { model, lab, open } = useLab(program)

  it('is changed by ↑ and withdrawn, on all open pages, also while a task works on it (C249)', async () => {
    const planning = held(plans('Book it'))
    model.on('decision', decides.reply('It is dry.'), decides.run('Book **Lisbon**'))
    model.on('plan', planning)
    model.on('replan', ends('Nothing to book.'))
    const page = await open('#/new')
    await write(page, 'How is the weather?')
    await page.locator('.said', { hasText: 'It is dry.' }).waitFor()
    await write(page, 'Book Lisbon')
    await page.locator('.dock').waitFor()
    const other = await open(new URL(page.url()).hash)
    await other.locator('.said', { hasText: 'Book Lisbon' }).waitFor()
    expect(
      await other.getByRole('button', { name: 'Change your message' }).count(),
      'it is not theirs',
    ).toBe(0)
    const mine = page.locator('.said[data-role=user]').last()
    const box = page.getByRole('textbox', { name: 'Your message' })
    await box.press('ArrowUp')
    const field = page.getByRole('textbox', { name: 'Change your message' })
    await field.press('Escape')
    await expect.poll(() => box.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.type('!')
    expect(await field.inputValue(), 'what is typed at once goes into it').toBe('Book Lisbon!')
    await field.fill('Book **Porto**\nfor two')
    await shot(page, 'own-1-edit')
    await field.press('Enter')
    for (const each of [page, other]) {
      await each.locator('.said strong', { hasText: 'Porto' }).waitFor()
      await each.getByText('edited').waitFor()
    }
    // The task is told, as on Slack.
    await page.locator('.said[data-role=assistant]').nth(1).waitFor()
    await mine.hover()
    await shot(page, 'own-2-edited')
    await page.setViewportSize({ width: 390, height: 844 })
    await shot(page, 'own-3-phone')
    const texts = async () =>
      (await lab().thread(new URL(page.url()).hash.slice(4))).messages.map(({ text }) => text)
    await page.getByRole('button', { name: 'Withdraw your message' }).click()
    const struck = page.locator('[data-withdrawn]', { hasText: 'withdrawn' })
    await struck.waitFor() // C832
    await page.getByRole('button', { name: 'Undo' }).click()
    await struck.waitFor({ state: 'detached' })
    expect(await texts()).toContain('Book **Porto**\nfor two')
    await page.getByRole('button', { name: 'Withdraw your message' }).click()
    await page.locator('.notes').getByRole('button', { name: 'Close' }).click()
    for (const each of [page, other])
      await each
        .locator('.said[data-role=user]', { hasText: 'Porto' })
        .waitFor({ state: 'detached' })
    expect(await texts()).not.toContain('Book **Porto**\nfor two')
    planning.release()
    await page.close()
    await other.close()
  })

  it('says that a change came too late for the task (C952)', async () => {
    model.on('decision', decides.run('Order lunch'))
    model.on('plan', plans('Order'))
    model.on('thought', closes())
    model.on('replan', ends('Ordered.'))
    const page = await open('#/new')
    await write(page, 'Order lunch')
    await page.locator('.said[data-role=assistant][data-message]').waitFor()
    await page.getByRole('textbox', { name: 'Your message' }).press('ArrowUp')
    const field = page.getByRole('textbox', { name: 'Change your message' })
    await field.fill('Order vegetarian lunch')
    await field.press('Enter')
    await page.getByText('edited after the task had ended').waitFor()
    await page.close()
  })

  it('is changed by its author alone, and only while it is their newest (C249)', async () => {
    model.on('decision', decides.reply('Yes.'), decides.reply('Yes.'))
    const ana = { id: 'ana', name: 'Ana' }
    const say = (path: string, text: string) =>
      lab().post(`/api/conversations${path}`, { text, clientMessageId: text, author: ana })
    const { body } = await say('', 'One')
    await say(`/${body.id}/messages`, 'Two')
    const change = async (name: string, author: object, method = 'PATCH') => {
      const path = `/api/conversations/${body.id}/messages/${name}`
      return (await lab().post(path, { text: 'Three', clientMessageId: 'change', author }, method))
        .status
    }
    expect(await change('Two', { id: 'ben', name: 'Ben' })).toBe(404)
    expect(await change('None', ana)).toBe(404)
    expect(await change('One', ana)).toBe(409)
    expect(await change('Two', ana)).toBe(202)
    expect(await change('Two', ana), 'once').toBe(202)
    await expect
      .poll(async () =>
        (await lab().thread(String(body.id))).messages.map(
          ({ text, editedAt }) => `${text} ${editedAt !== null}`,
        ),
      )
      .toContain('Three true')
  })
})
