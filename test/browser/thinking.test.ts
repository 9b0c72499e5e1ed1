import { expect, it } from 'vitest'
import { decides, hangs, held } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot, write } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'that something is worked on, on the page', (program) => {
  const { model, browser, lab } = useLab(program)

  it('is shown with its seconds and a way to stop it, before there is a task and before it has a plan (C210)', async () => {
    const decision = held(decides.run('Plan the party', 'Plan the party'))
    model.on('decision', decision, hangs())
    model.on('plan', hangs())
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1280, height: 800 },
    })
    page.setDefaultTimeout(20_000)
    await page.clock.setFixedTime(lab().clock.now())
    await page.goto(lab().clew().url ?? '')
    await write(page, 'Plan the party')
    const dock = page.locator('.dock')
    await dock.waitFor()
    await page.clock.setFixedTime(lab().clock.now() + 4_000)
    await expect.poll(() => dock.innerText()).toMatch(/Thinking · 4 s/)
    await shot(page, 'thinking-1-wide')
    decision.release()
    await page.locator('[data-run][data-status="running"]').waitFor()
    await expect.poll(() => dock.innerText()).toMatch(/Thinking · \d+ s/)
    await page.setViewportSize({ width: 390, height: 844 })
    await shot(page, 'thinking-2-phone')
    await dock.getByRole('button', { name: 'Stop' }).click()
    await dock.waitFor({ state: 'detached' })

    await write(page, 'Plan another party')
    await dock.getByRole('button', { name: 'Stop' }).click()
    await dock.waitFor({ state: 'detached' })
  })
})
