import { expect, it } from 'vitest'
import { acts, asks, closes, decides, ends, fails, plans, replans } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'what a run did, on the page', (program) => {
  const { model, browser, lab } = useLab(program, { env: { AGENT_REPLAN_SKIPS: '0' } })

  it('is opened step by step: input, result, cause, time, tokens and tries, and how the plan changed (C209, C698, R42)', async () => {
    model.on('decision', decides.run('Plan the party', 'Plan the party'))
    model.on('plan', plans('Look at the to-dos', 'Book a room'))
    model.on(
      'thought',
      acts('list'),
      fails('bad_reply'),
      asks('Which room?', ['Blue', 'Red']),
      closes('ok'),
      closes('ok'),
    )
    model.on('replan', replans('Book the blue room', 'Tell Ben'), ends('Booked.'))
    model.answer(() => ends('Booked.'))
    const id = await lab().say('Plan the party')
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1280, height: 900 },
    })
    page.setDefaultTimeout(20_000)
    await page.goto(`${lab().clew().url}#/t/${id}`)
    await page.getByRole('main').getByRole('button', { name: 'Blue' }).click()
    await page.locator('[data-run][data-status="succeeded"]').waitFor()
    await page.getByRole('button', { name: 'What happened' }).click()
    const history = page.getByRole('region', { name: 'What happened' })
    const step = history.locator('details', { hasText: 'Used todo' })
    await step.locator('summary').click()
    await step.getByText('Input', { exact: true }).waitFor()
    expect(await step.locator('pre').allTextContents()).toEqual([
      'list',
      expect.stringMatching(/to-do/),
    ])
    expect(await history.locator('summary').allInnerTexts()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/Made the plan\n?.*120 tokens/),
        expect.stringContaining('Asked a question'),
      ]),
    )
    await shot(page, 'watch-1-wide')
    const question = history.locator('details', { hasText: 'Asked a question' })
    await question.locator('summary').click()
    await question.getByText('The model failed once: what it wrote could not be used.').waitFor()
    await question.getByText(/^Waited .* for an answer$/).waitFor()
    expect(await history.locator('.problem').count(), 'it went well in the end (C698)').toBe(0)
    await history.getByText(/^Because .* said “Blue”$/).waitFor()
    expect(await history.locator('ins, del').allTextContents()).toContain('Book the blue room')
    await page.setViewportSize({ width: 390, height: 844 })
    await history.getByText('How the plan changed').scrollIntoViewIfNeeded()
    await shot(page, 'watch-2-phone')
  })
})
