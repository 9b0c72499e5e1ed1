import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { ask } from '../adapters/web/support.ts'
import { acts, asks, closes, decides, ends, held, plans, replans } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'a plan that is changed on the page', (program) => {
  const { model, lab, open } = useLab(program)
  const inputs = (page: Page) =>
    page
      .locator('.plan-editor input')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))

  it('shows the steps to come, takes another order, words, an addition and a gap, and says who it was (C208)', async () => {
    model.on('decision', decides.run('Book the offsite', 'Book the offsite'))
    model.on('plan', plans('Find venues', 'Compare prices', 'Book the venue', 'Tell everybody'))
    model.on('thought', asks('Which city?'))
    const page = await open(`#/t/${await lab().say('Book the offsite')}`)
    await page.getByRole('button', { name: 'Change the steps' }).click()
    expect(await inputs(page)).toEqual(['Compare prices', 'Book the venue', 'Tell everybody'])
    await page.getByRole('button', { name: 'Move step 3 up' }).click()
    await page.getByRole('button', { name: 'Leave out step 1' }).click()
    await page.getByLabel('Step 1, not started').fill('Tell Ben')
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.keyboard.type('Pay the deposit')
    await shot(page, 'steer-1-wide')
    await page.setViewportSize({ width: 390, height: 844 })
    await shot(page, 'steer-2-phone')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.plan-editor').waitFor({ state: 'detached' })
    // A plan is shown at most every 50 ms, for which the time has to pass.
    await lab().until(
      async () => (await page.getByText('The plan changed by you').count()) > 0,
      3_000,
    )
    const items = await page.locator('.items .what').allInnerTexts()
    expect(items.map((text) => text.split(/[(\n]|new/)[0]?.trim())).toEqual([
      'Find venues',
      'Tell Ben',
      'Book the venue',
      'Pay the deposit',
    ])
    await shot(page, 'steer-3-changed')
  })

  it('keeps what is half typed when an answer from elsewhere ends the task (C954)', async () => {
    model.on('decision', decides.run('Book the room', 'Book the room'))
    model.on('plan', plans('Choose', 'Book'))
    model.on('thought', asks('Which room?'))
    const id = await lab().say('Book the room')
    const page = await open(`#/t/${id}`)
    await page.getByRole('button', { name: 'Change the steps' }).click()
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.keyboard.type('Pay the deposit')
    await page.locator('.question textarea').fill('The blue o')
    const { question } = await lab().thread(id)
    model.on('thought', closes(), closes())
    model.on('replan', ends('Booked.'))
    const said = { text: 'The red one', clientMessageId: 'elsewhere' }
    await lab().post(`/api/questions/${question?.id}/answer`, said)
    await page.getByText('The task has ended meanwhile').waitFor()
    expect(await inputs(page)).toContain('Pay the deposit')
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.getByText('You had typed, and not sent: The blue o').waitFor()
    await page.close()
  })

  it('begins again at a step, after it said what would be done a second time (C251)', async () => {
    model.on('decision', decides.run('Invite the team', 'Invite the team'))
    model.on('plan', plans('Find the date', 'Note it', 'Tell everybody'))
    model.answer(({ contract, input }) => {
      if (contract === 'replan')
        return input.remainingPlan.length === 0
          ? ends('All know it.')
          : replans(...input.remainingPlan)
      if (contract !== 'thought') return null
      const isNoted = input.currentItem !== 'Note it' || input.observations.length > 0
      return isNoted ? closes('ok') : acts('add Invite everybody')
    })
    const page = await open(`#/t/${await lab().say('Invite the team')}`)
    const again = (step: number) =>
      page.getByRole('button', { name: `Restart at step ${step}` }).last()
    // The list of threads and the live region say it, too.
    const thread = page.getByRole('list', { name: 'Messages' })
    const reports = thread.getByText('All know it.')
    await again(3).waitFor()
    await shot(page, 'again-1-steps')
    await again(3).click()
    // C833: nothing happens before “Yes”.
    await page.getByRole('group', { name: 'Start again from step 3?' }).waitFor()
    await page.getByRole('button', { name: 'No', exact: true }).click()
    await again(3).click()
    await page.getByRole('button', { name: 'Yes', exact: true }).click()
    await thread.getByText('restarted at step 3 by you').waitFor()
    await reports.nth(1).waitFor()
    await shot(page, 'again-2-begun')
    await again(2).click()
    await page.getByRole('button', { name: 'Yes', exact: true }).click()
    await thread.getByText('may repeat these').waitFor()
    await shot(page, 'again-3-sure')
    await page.getByRole('button', { name: 'Restart anyway' }).click()
    await reports.nth(2).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await shot(page, 'again-4-phone')
    const { todos } = (await lab().get('/api/todos')) as { todos: { text: string }[] }
    expect(todos.map(({ text }) => text)).toEqual(['Invite everybody', 'Invite everybody'])
  })

  it('a to-do is changed in place, done, and open again (C253)', async () => {
    await lab().post('/api/todos', { text: 'Call Ana --due "2031-03-08 18:00"' })
    const page = await open('#/todos', { timezoneId: 'UTC' })
    const row = page.locator('[data-todo]', { hasText: 'Call' })
    await page.getByRole('button', { name: 'Change “Call Ana”' }).click()
    const form = page.locator('[data-todo] form')
    expect(await form.getByLabel('Due').inputValue()).toMatch(/^Mar 8, 2031, 6:00\sPM$/)
    await form.getByLabel('To-do').fill('Call Ben')
    await form.getByLabel('Due').fill('2031-03-09 09:30')
    await shot(page, 'todos-1-edit')
    await form.getByRole('button', { name: 'Save' }).click()
    await row.getByText('Call Ben').waitFor()
    await row.getByText('due Sun, Mar 9, 2031, 9:30').waitFor()
    const done = row.getByRole('button', { name: 'Mark “Call Ben” as done' })
    for (const pressed of ['true', 'false']) {
      await done.click()
      await expect.poll(() => done.getAttribute('aria-pressed')).toBe(pressed)
    }
    await shot(page, 'todos-2-open-again')
  })

  it('is there only where a plan is, which a sentence says (C208)', async () => {
    const plan = held(plans('Find'))
    const asked = model.calls.length
    model.on('decision', decides.run('Plan the party', 'Plan the party'))
    model.on('plan', plan)
    const id = await lab().say('Plan the party')
    await model.received(asked + 2)
    const { url } = lab().clew()
    const { body } = await ask(`${url}/api/conversations/${id}`)
    const { run } = body as { run: { id: string } }
    const answer = await ask(`${url}/api/runs/${run.id}/plan`, 'POST', {
      seen: [],
      steps: ['Dance'],
    })
    expect(answer).toMatchObject({
      status: 409,
      body: {
        error: { code: 'no_plan', message: 'This task has no plan, so that isn’t possible.' },
      },
    })
  })
})
