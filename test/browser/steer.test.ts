import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { ask } from '../adapters/web/support.ts'
import { asks, decides, held, plans } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'a plan that is changed on the page', (program) => {
  const { model, browser, lab } = useLab(program)

  async function open(id: string): Promise<Page> {
    const page = await browser().newPage({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
    page.setDefaultTimeout(30_000)
    await page.goto(`${lab().clew().url}#/t/${id}`)
    return page
  }
  const inputs = (page: Page) =>
    page.locator('.plan-editor input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))

  it('shows the steps to come, takes another order, words, an addition and a gap, and says who it was (C208)', {
    timeout: 60_000,
  }, async () => {
    model.on('decision', decides.run('Book the offsite', 'Book the offsite'))
    model.on('plan', plans('Find venues', 'Compare prices', 'Book the venue', 'Tell everybody'))
    model.on('thought', asks('Which city?'))
    const page = await open(await lab().say('Book the offsite'))
    await page.getByRole('button', { name: 'Change the steps' }).click()
    expect(await inputs(page)).toEqual(['Compare prices', 'Book the venue', 'Tell everybody'])
    await page.getByRole('button', { name: 'Move step 3 up' }).click()
    await page.getByRole('button', { name: 'Leave out step 1' }).click()
    await page.getByLabel('Step to come, number 1').fill('Tell Ben')
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.keyboard.type('Pay the deposit')
    await shot(page, 'steer-1-wide')
    await page.setViewportSize({ width: 390, height: 844 })
    await shot(page, 'steer-2-phone')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.plan-editor').waitFor({ state: 'detached' })
    await page.getByText('The plan changed by you').waitFor()
    const items = await page.locator('.items .what').allInnerTexts()
    expect(items.map((text) => text.split(/[(\n]|new/)[0]?.trim())).toEqual([
      'Find venues',
      'Tell Ben',
      'Book the venue',
      'Pay the deposit',
    ])
    await shot(page, 'steer-3-changed')
    await page.close()
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
    const answer = await ask(`${url}/api/runs/${run.id}/plan`, 'POST', { seen: [], steps: ['Dance'] })
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: 'no_plan', message: 'This task has no plan for that.' } },
    })
  })
})
