import { expect, it } from 'vitest'
import { describeWith } from '../support/programs.ts'
import { shot, write } from './browser.ts'
import { remark, request, useStory, viewsOf } from './whole-story.ts'

describeWith('chromium', 'the whole story in a browser', (program) => {
  const open = useStory(program)

  it('plans, asks, goes on from the answer, takes a remark in, and reports (R91, R101, R114, R143, R145)', async () => {
    // Slow enough that what is written while it works comes before its report, on a busy machine too.
    const { clew, page } = await open(1_000)
    await write(page, request)
    await page.getByText('See which to-dos there are').first().waitFor()
    await shot(page, '1-plan')
    await page.getByRole('button', { name: 'Lisbon' }).waitFor()
    await shot(page, '2-question')
    await page.getByRole('button', { name: 'Lisbon' }).click()
    await page.getByText('The plan changed').first().waitFor()
    await shot(page, '3-changed')
    await write(page, remark)
    await page.getByText('Added to the running task').waitFor()
    await page.locator('[data-status="succeeded"]').first().waitFor()
    await shot(page, '4-report')
    // C81: “done” says it.
    expect(await page.locator('[data-status="succeeded"] .count').count()).toBe(0)
    const [view] = await viewsOf(clew)
    expect(view?.run?.status).toBe('succeeded')
    expect(view?.messages.at(-1)?.text).toContain('Lisbon')
    expect(view?.messages.at(-1)?.text).toContain('2000 euros')
    await page.close()
    await clew.stop()
  })
})
