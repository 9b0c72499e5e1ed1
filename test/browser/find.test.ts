import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { InboundEvent } from '../../src/agent/domain/event.ts'
import { createFakeChannel } from '../fakes/channel.ts'
import { createFakeModel, decides } from '../fakes/model.ts'
import { type Lab, openLab } from '../schedules/support.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useBrowser } from './lab.ts'

const chat = Object.assign(createFakeChannel('chat'), { linkTo: () => 'https://chat.example/t1' })

const said = (n: number, text: string): InboundEvent => ({
  ...{
    workspace: 'chat:one',
    channel: 'general',
    thread: 't1',
    keys: [`m${n}`],
    at: Date.UTC(2026, 2, 3) + n,
  },
  author: { id: 'U1', name: 'Ana', bot: false },
  whose: { way: 'typed' as const, by: 'member' as const },
  content: { kind: 'message', text, addressed: true, forSomeoneElse: false },
})

describeWith('chromium', 'finding threads, in a browser', (program) => {
  const browser = useBrowser(program)
  let lab: Lab
  beforeAll(async () => {
    const model = createFakeModel()
    model.answer(({ contract }) =>
      contract === 'decision' ? decides.reply('The **budget** of Lisbon is enough.') : null,
    )
    lab = await openLab({ model, channels: [chat] })
    await chat.intake(said(1, 'How much is the offsite?'))
    for (let n = 2; n < 30; n++) await chat.intake(said(n, `Note ${n} about venues`))
    await lab.say('Plan the party with balloons')
    // Each of the 29 is answered, so that nothing changes any more.
    await vi.waitFor(async () => {
      const { conversations } = (await lab.get('/api/conversations?q=enough')) as {
        conversations: { id: string; workspace: string }[]
      }
      expect(conversations).toHaveLength(2)
      const id = conversations.find(({ workspace }) => workspace === 'chat:one')?.id
      expect(await lab.get(`/api/conversations/${id}/contents?workspace=chat:one`)).toMatchObject({
        messages: 58,
      })
    }, 20_000)
  })
  afterAll(() => lab.stop())
  const openPage = async (width: number) => {
    const page = await browser().newPage({ locale: 'en-US', viewport: { width, height: 800 } })
    page.setDefaultTimeout(20_000)
    await page.goto(lab.clew().url ?? '')
    await page.locator('.line').nth(1).waitFor()
    return page
  }

  it('leads to the box by /, marks what was found and opens it at its message, on a phone too (C202, C206)', async () => {
    for (const width of [1280, 390]) {
      const page = await openPage(width)
      await page.getByRole('link', { name: 'New thread' }).first().focus()
      await page.keyboard.press('/')
      const box = page.getByRole('searchbox')
      await expect.poll(() => box.evaluate((one) => one === document.activeElement)).toBe(true)
      await shot(page, `find-1-focus-${width}`)
      await page.keyboard.type('venues note 3 /')
      await expect
        .poll(() => page.locator('.found mark').allTextContents())
        .toEqual(expect.arrayContaining(['Note', 'venues']))
      await shot(page, `find-2-found-${width}`)
      await box.fill('offsites')
      await page.getByText('Nothing for “offsites”. For “offsite”: ').first().waitFor()
      await box.fill('offsite')
      await page.locator('.found mark', { hasText: 'offsite' }).first().waitFor()
      await box.press('ArrowDown')
      await page.keyboard.press('Enter')
      const linked = page.locator('.linked')
      await linked.waitFor()
      await expect.poll(() => linked.textContent()).toContain('How much is the offsite?')
      await expect.poll(() => linked.evaluate(isInSight)).toBe(true)
      await expect
        .poll(() => page.evaluate(foundFirst))
        .toEqual({ text: 'offsite', isInSight: true })
      await shot(page, `find-3-message-${width}`)
      const reopened = await browser().newPage({ viewport: { width, height: 800 } })
      await reopened.goto(page.url())
      await reopened.locator('.linked').waitFor()
      await expect.poll(() => reopened.locator('.linked').evaluate(isInSight)).toBe(true)
      // Its tint goes by itself.
      const left = await reopened.locator('.linked').evaluate((one) => {
        for (const animation of one.getAnimations()) animation.finish()
        return getComputedStyle(one).backgroundColor
      })
      expect(left).toBe('rgba(0, 0, 0, 0)')
      await reopened.close()
      await page.goto(`${lab.clew().url}/#/`)
      await box.fill('is:lost')
      await page.getByText('There is no “is:lost”').waitFor()
      await box.fill('xylophone')
      await page.getByText('Nothing was found for “xylophone”.').waitFor()
      await shot(page, `find-4-none-${width}`)
      await box.press('Escape')
      await page.locator('[data-group]').first().waitFor()
      await page.close()
    }
  })

  it('opens the first result by Enter, also before it is there (C695)', async () => {
    const page = await openPage(1280)
    await page.getByRole('searchbox').pressSequentially('balloons')
    await page.keyboard.press('Enter')
    await page.locator('.linked', { hasText: 'balloons' }).waitFor()
  })

  it('keeps the place and the filter of the list on a phone, by the arrow and by the system (C694)', async () => {
    const page = await openPage(390)
    for (let n = 0; n < 16; n++) await lab.say(`Balloon number ${n}`)
    const nav = page.locator('.sidebar nav')
    await page.locator('.line', { hasText: 'Balloon number 15' }).waitFor()
    const top = await nav.evaluate((box) => box.getBoundingClientRect().top)
    expect(top, 'what is fixed above the list').toBeLessThanOrEqual(200)
    await shot(page, 'find-9-home-phone')
    const box = page.getByRole('searchbox')
    await box.fill('balloon')
    await page.locator('.found .line').nth(10).waitFor()
    await shot(page, 'find-9-found-phone')
    const place = () => nav.evaluate((one) => one.scrollTop)
    await nav.evaluate((one) => one.scrollTo(0, 300))
    for (const back of [
      () => page.goBack(),
      () => page.getByRole('link', { name: 'Back to the threads' }).click(),
    ]) {
      await page.locator('.found .line').nth(8).click()
      await page.locator('.composer').waitFor()
      await back()
      await expect.poll(place).toBe(300)
      expect(await box.inputValue()).toBe('balloon')
    }
  })

  it('says in the list and in the palette that older threads are not searched yet (C555)', async () => {
    const page = await openPage(1280)
    const answer = { conversations: [], next: '1:', words: 'venue', looked: 2_000 }
    const body = JSON.stringify(answer)
    await page.route('**/api/conversations?q=*', (route) =>
      route.fulfill({ contentType: 'application/json', body }),
    )
    const said = 'Found 0 in the newest 2,000 threads; older ones haven’t been searched.'
    await page.getByRole('searchbox').fill('venue')
    await page.locator('.found').getByText(said).waitFor()
    await page.locator('.found').getByRole('button', { name: 'Show more' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('venuexyz')
    await page.locator('.palette').getByText(said).waitFor()
    await page.close()
  })

  it('renames, pins, puts away and deletes a thread, and says first what goes (C203, C204, C205, C906)', async () => {
    const page = await openPage(1280)
    const choose = async (name: string) => {
      await page.locator('.menu summary').click()
      await shot(page, `find-5-menu-${name}`)
      await page.locator('.menu').getByRole('button', { name }).click()
    }
    await page.locator('.line', { hasText: 'offsite' }).click()
    await choose('Rename')
    await page.getByRole('textbox', { name: 'Name of this thread' }).fill('Retreat')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.line', { hasText: 'Retreat' }).waitFor()
    await choose('Pin')
    await page.locator('li:first-child > .line .pin').waitFor()
    expect(await page.locator('[data-group="done"] .line').first().textContent()).toContain(
      'Retreat',
    )
    await shot(page, 'find-6-pinned')
    await choose('Archive')
    await page.locator('.line', { hasText: 'Retreat' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Archived threads' }).click()
    await page.locator('.found .line', { hasText: 'Retreat' }).waitFor()
    await choose('Delete')
    await page.getByText('58 messages').waitFor()
    const forGood = page.getByRole('button', { name: 'Delete for good' })
    expect(await forGood.isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'I know that it cannot be brought back' }).check()
    await shot(page, 'find-7-delete')
    await page.setViewportSize({ width: 390, height: 844 })
    await shot(page, 'find-8-delete-phone')
    await forGood.click()
    await page.getByText('No archived threads.').waitFor()
    expect(page.url()).toMatch(/#\/$/)
    await page.goto(page.url().replace(/#.*/, '#/audit'))
    await page.getByText('Thread: removed by you').waitFor() // C718
  })
})

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

/** First word that is marked in the open message, and whether one sees it. */
function foundFirst() {
  const [range] = (CSS.highlights.get('found') ?? []) as unknown as Iterable<Range>
  const { top = -1, bottom = 0 } = range?.getBoundingClientRect() ?? {}
  return { text: range?.toString(), isInSight: top >= 0 && bottom <= innerHeight }
}
