import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { InboundEvent } from '../../src/agent/domain/event.ts'
import { createFakeChannel } from '../fakes/channel.ts'
import { closes, decides, ends, fails, plans } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

const chat = Object.assign(createFakeChannel('chat'), {
  linkTo: () => 'https://chat.example/t1',
  nameOf: async () => '#general',
})
const said = (n: number, text: string): InboundEvent => ({
  ...{ workspace: 'chat:one', channel: 'C1', thread: `t${n}`, keys: [`m${n}`], at: Date.now() },
  author: { id: 'U1', name: 'Ana', bot: false },
  whose: { way: 'typed' as const, by: 'member' as const },
  content: { kind: 'message', text, addressed: true, forSomeoneElse: false },
})

describeWith('chromium', 'costs and health, in a browser', (program) => {
  const { model, open } = useLab(program, {
    channels: [chat],
    env: { AGENT_TOKENS_PER_DAY: '700' },
  })
  const sideways = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

  it('says that nothing was counted yet, and how each part is all the same (C228, C229)', async () => {
    const page = await open('#/costs')
    await page.getByText('Nothing has been counted in this period yet').waitFor()
    await page.getByText('Everything has been delivered.').waitFor()
    await page.getByText('The team has used 0% of today’s limit').waitFor()
    await shot(page, 'upkeep-1-empty')
  })

  it('shows what it took as a picture, as tables and as CSV, by the names that people know (C228, C626, C705)', async () => {
    model.on('decision', decides.run('Tidy up'), decides.run('Count the chairs'))
    model.on('plan', plans('Look'))
    model.on('thought', closes('ok'))
    model.on('replan', ends('Tidied.'))
    await chat.intake(said(1, 'Tidy up'))
    await expect.poll(() => JSON.stringify(chat.shown)).toContain('Tidied.')
    model.on('plan', fails('not_configured'), fails('not_configured'))
    await chat.intake(said(2, 'Count the chairs'))
    await expect.poll(() => JSON.stringify(chat.shown)).toContain('failed')
    const page = await open('#/costs')
    const people = page.getByRole('region', { name: 'People' }).getByRole('row', { name: /Ana/ })
    await people.waitFor()
    expect((await people.innerText()).split(/\s+/).slice(0, 3)).toEqual(['Ana', '2', '1'])
    await page.getByRole('row', { name: /#general/ }).waitFor()
    await page.getByText('Costs are not known, because no prices are set.').waitFor()
    await page.route(/api\/figures\?/, async (route) => {
      const figures = await (await route.fetch()).json()
      const [first] = figures.person
      await route.fulfill({
        json: { ...figures, person: [first, { ...first, id: 'chat:two U7' }] },
      })
    })
    await page.reload()
    await page.getByRole('row', { name: /^Ana \(U7\)/ }).waitFor()
    await page.unrouteAll()
    await page.reload()
    const chart = page.getByRole('img', { name: /Tokens by day/ })
    await expect.poll(() => chart.locator('rect').count()).toBe(30)
    // Everything by the keyboard.
    await page.getByRole('button', { name: 'Tasks' }).press('Enter')
    await page.getByRole('img', { name: 'Tasks by day; the highest is 2.' }).waitFor()
    await page.getByRole('button', { name: '7 days' }).press('Enter')
    await expect.poll(() => page.locator('.chart rect').count()).toBe(7)
    await page.getByText('The days as a table').press('Enter')
    const days = page.getByRole('region', { name: 'By day' }).getByRole('table')
    expect(await days.getByRole('row').count()).toBe(2)
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ])
    expect(csv.suggestedFilename()).toMatch(/^clew-[\d-]+\.csv$/)
    await page.getByText('The team has used 85% of today’s limit').waitFor()
    await shot(page, 'upkeep-2-wide')
  })

  it('sends what could not be delivered again, once, and shows what came of it (C230)', async () => {
    chat.fail({ kind: 'refused', reason: 'is_archived' })
    await chat.intake(said(3, '/todo list'))
    const page = await open('#/costs')
    const failed = page.locator('[data-delivery]')
    await failed.getByText('gone or archived').waitFor()
    await page.getByText('1 could not be delivered.').waitFor()
    await page.getByRole('region', { name: 'Health', exact: true }).scrollIntoViewIfNeeded()
    await shot(page, 'upkeep-3-failed')
    const again = failed.getByRole('button', { name: /^Send again/ })
    await again.dblclick()
    await again.waitFor({ state: 'detached' })
    await expect.poll(() => failed.getByRole('status').innerText()).toBe('sent')
  })

  it('fits a phone, in the dark and in Chinese (C228)', async () => {
    const page = await open('#/costs', {
      locale: 'zh-CN',
      colorScheme: 'dark',
      viewport: { width: 390, height: 844 },
    })
    await page.getByRole('heading', { name: '花费与状态' }).waitFor()
    await page.getByText('都已送达。').waitFor()
    expect(await sideways(page)).toBe(0)
    const levels = await page
      .locator('main :is(h1, h2, h3)')
      .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])))
    expect(
      levels.every((level, at) => level <= (levels[at - 1] ?? 0) + 1),
      'headings in order',
    ).toBe(true)
    await shot(page, 'upkeep-4-phone')
    await page.locator('.health').scrollIntoViewIfNeeded()
    await shot(page, 'upkeep-5-phone-health')
  })
})
