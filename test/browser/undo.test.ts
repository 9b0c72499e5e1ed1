import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { asks, decides, ends, plans } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'what was just done on the page', (program) => {
  const { model, lab, open } = useLab(program, { env: { AGENT_REPLAN_SKIPS: '0' } })

  async function ask(question: string): Promise<string> {
    model.on('decision', decides.run(question, question))
    model.on('plan', plans('Choose', 'Pay'))
    model.on('thought', asks(question, ['Tuesday', 'Thursday']))
    model.on('replan', ends('Chosen.'))
    return lab().say(question)
  }
  const answered = async (id: string) =>
    ((await lab().get(`/api/conversations/${id}`)) as { answered: { answer: string }[] }).answered
  const notice = (page: Page, text: string) => page.locator('.notes .card', { hasText: text })
  /** True if nothing of what one can press or read is below a notice. */
  const coversNothing = (page: Page) =>
    page.locator('.notes').evaluate((notes) => {
      const { left, top, right, bottom } = notes.getBoundingClientRect()
      const places = [0.1, 0.5, 0.9].map((part) => left + part * (right - left))
      const isOnTop = places.every((x) =>
        [top + 4, bottom - 4].every((y) => notes.contains(document.elementFromPoint(x, y))),
      )
      const others = document.querySelectorAll('.scroll, .composer > .card, .bar, .dock')
      return (
        isOnTop &&
        [...others].every((other) => {
          const box = other.getBoundingClientRect()
          return box.bottom <= top + 1 || box.top >= bottom - 1 || box.right <= left
        })
      )
    })

  it.each([1440, 390])(
    'is said in a place of its own; an answer is taken back by Ctrl+Z or Undo, and sent in time, %i px (C690, C691, C692, C699)',
    async (width) => {
      const question = `Which day, at ${width}?`
      const id = await ask(question)
      const page = await open('#/needs', { viewport: { width, height: 844 } })
      const need = page.locator('main .need', { hasText: question })
      await need.locator('[aria-expanded]').click()
      await need.getByRole('button', { name: 'Tuesday' }).click()
      await need.waitFor({ state: 'detached' })
      const said = notice(page, `Answered: Tuesday · ${question}`)
      await said.waitFor()
      await page.getByRole('status').getByText('Answered: Tuesday').waitFor({ state: 'attached' })
      expect(await coversNothing(page)).toBe(true)
      await shot(page, `undo-queue-${width}`)
      await page.keyboard.press('Control+z')
      await need.waitFor()
      await said.waitFor({ state: 'detached' })

      await page.goto(`${lab().clew().url}/#/t/${id}`)
      const card = page.locator('main .question')
      const day = card.getByRole('button', { name: 'Thursday' })
      await day.click()
      const told = notice(page, 'Answered: Thursday')
      await told.waitFor()
      expect(await coversNothing(page)).toBe(true)
      await shot(page, `undo-thread-${width}`)
      // In a text field the key is the field's.
      // What stands in the box is taken back first.
      await page.getByRole('textbox', { name: 'Your message' }).fill('a')
      await page.keyboard.press('Control+z')
      await told.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(() => day.isEnabled()).toBe(true)
      expect(await answered(id)).toEqual([])

      await day.click()
      await told.waitFor()
      await told.waitFor({ state: 'detached' })
      await expect.poll(() => answered(id)).toMatchObject([{ answer: 'Thursday' }])
      const task = page.locator('[data-run]')
      await task.getByText('ended, 0 of 2 done').first().waitFor()
      expect(await task.locator('.head .dot').getAttribute('data-status'), 'C699').toBe('partly')
      await task.getByRole('button', { name: 'What happened' }).click()
      await task.getByText('Ended it, with steps left').waitFor()
      await page.goto(`${lab().clew().url}/#/`)
      const line = page.locator('.line', { hasText: question })
      await line.getByText('ended, 0 of 2 done').first().waitFor()
      await shot(page, `undo-ended-${width}`)
    },
  )

  it('sends an answer as the page is left (C692)', async () => {
    const id = await ask('Which day, if I leave?')
    const page = await open(`#/t/${id}`)
    await page.locator('main .question').getByRole('button', { name: 'Tuesday' }).click()
    await notice(page, 'Answered: Tuesday').waitFor()
    await page.goto('about:blank')
    await expect.poll(() => answered(id)).toMatchObject([{ answer: 'Tuesday' }])
  })

  it('hides an entry and puts a thread away with Undo, and says what the open thread is (C692, C693)', async () => {
    const id = await ask('Which day is put away?')
    const page = await open('#/needs')
    const need = page.locator('main .need', { hasText: 'Which day is put away?' })
    await need.locator('[aria-expanded]').click()
    await need.getByRole('button', { name: 'Hide for a day' }).click()
    await need.waitFor({ state: 'detached' })
    await notice(page, 'Hidden for a day').getByRole('button', { name: 'Undo' }).click()
    await need.waitFor()
    await page.goto(`${lab().clew().url}/#/t/${id}`)
    const state = page.locator('.archived')
    for (const back of ['Undo', 'Unarchive']) {
      await page.locator('.menu summary').click()
      await page.locator('.menu').getByRole('button', { name: 'Archive' }).click()
      await state.waitFor()
      await notice(page, 'Archived: Which day is put away?').waitFor()
      await shot(page, `undo-archived-${back}`)
      await page.locator('.archived, .notes').getByRole('button', { name: back }).click()
      await state.waitFor({ state: 'detached' })
    }
  })

  it('opens and focuses the row that comes back, with what was selected (C912)', async () => {
    const questions = ['Which day first?', 'Which day second?', 'Which day third?']
    for (const question of questions) await ask(question)
    const page = await open('#/needs')
    const row = (text: string | undefined) => page.locator('main .need', { hasText: text ?? '' })
    const [first, second] = questions.map(row)
    await first?.locator('[aria-expanded]').click()
    await page.keyboard.press('1')
    await first?.waitFor({ state: 'detached' })
    await page.locator('main [aria-expanded=true]:focus').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Control+z')
    await first?.locator('[aria-expanded=true]:focus').waitFor()
    expect(await page.locator('main .need[data-open=true]').count()).toBe(1)
    // A row that is closed is opened by a key, and nothing is answered.
    await second?.locator('[aria-expanded]').focus()
    await page.keyboard.press('1')
    await second?.locator('[aria-expanded=true]:focus').waitFor()
    expect(await first?.count()).toBe(1)
    for (const one of [first, second]) await one?.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Go on without an answer (2)' }).click()
    await second?.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await page.locator('.together').getByText('2 selected').waitFor()
    await page.locator('main .need:has(:checked) [aria-expanded=true]:focus').waitFor()
  })

  it('takes no sentence for keys of the queue (C913)', async () => {
    const question = 'Which day is kept?'
    await ask(question)
    const page = await open('#/todos')
    await page.locator('.needs .need-line').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('needs')
    await page.keyboard.press('Enter')
    await page.locator('main h1:focus', { hasText: 'Needs you' }).waitFor()
    const need = page.locator('main .need', { hasText: question })
    await need.waitFor()
    const before = await page.locator('main .need').count()
    await page.keyboard.type('do read 1 job and k')
    await page.keyboard.press('Enter')
    expect(page.url()).toContain('#/needs')
    expect(await page.locator('main .need').count()).toBe(before)
    expect(await page.locator('main textarea:focus, main .queue :focus').count()).toBe(0)
    // On a row, the first letter of a sentence that is no key ends the keys, too.
    await need.locator('[aria-expanded]').click()
    await page.keyboard.type('the day 1 rose s')
    expect(await page.locator('main .need').count()).toBe(before)
    await need.locator('[aria-expanded=true]:focus').waitFor()
    // After a pause they work.
    await expect
      .poll(
        async () => {
          await page.keyboard.press('r', { delay: 0 })
          return page.locator('main textarea:focus').count()
        },
        { interval: 1_200, timeout: 10_000 },
      )
      .toBe(1)
  })

  it('grows the field of an answer, and begins a line by Enter on a touch screen (C697)', async () => {
    const id = await ask('Which day, in your words?')
    const device = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const page = await open(`#/t/${id}`, device)
    for (const box of [
      page.getByPlaceholder('Or in your own words…'),
      page.getByRole('textbox', { name: 'Your message' }),
    ]) {
      const height = () => box.evaluate((one) => one.getBoundingClientRect().height)
      await box.fill('One')
      const before = await height()
      await box.press('Enter')
      await box.pressSequentially('Two')
      expect(await box.inputValue()).toBe('One\nTwo')
      await expect.poll(height).toBeGreaterThan(before + 10)
      await box.fill('line\n'.repeat(30))
      expect(await height()).toBeLessThan(340)
    }
    await shot(page, 'undo-field')
  })
})
