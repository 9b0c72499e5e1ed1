import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { decides } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot, write } from './browser.ts'
import { useLab } from './lab.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const lines = (name: string) =>
  Array.from({ length: 60 }, (_, at) => `${name}, line ${at + 1}\n\n`).join('')
const table = [months, months.map(() => '---'), months.map((_, at) => `${at}00`)]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n')

describeWith('chromium', 'reading what is long or wide', (program) => {
  const { model, lab, open } = useLab(program)

  async function say(answer: string): Promise<string> {
    model.on('decision', decides.reply(answer))
    const id = await lab().say(answer.slice(0, 20))
    await lab().reply(id)
    return id
  }
  const messages = async (id: string) =>
    ((await lab().get(`/api/conversations/${id}`)) as { messages: unknown[] }).messages.length
  /** Distance of a message's beginning from the upper edge of what is in sight. */
  const beginning = (page: Page, text: string) =>
    page.evaluate((text) => {
      const line = [...document.querySelectorAll('.timeline > .said[data-role=assistant]')].find(
        (one) => one.textContent?.includes(text),
      )
      const box = document.querySelector('.scroll')
      return Math.round(
        (line?.getBoundingClientRect().top ?? 9_999) - (box?.getBoundingClientRect().top ?? 0),
      )
    }, text)

  it('leads on from a thread that is not there (C704)', async () => {
    const page = await open('#/t/gone', { viewport: { width: 390, height: 800 } })
    await page.getByRole('heading', { name: 'This thread isn’t here' }).waitFor()
    await shot(page, 'reading-gone')
    await page.locator('main').getByRole('link', { name: 'New thread' }).click()
    await page.waitForURL(/#\/new$/)
  })

  it.each([1440, 390])(
    'opens a long report at its beginning, read or not, at %i px (C519)',
    async (width) => {
      const id = await say(lines('A report'))
      for (const name of ['unread', 'read']) {
        const page = await open(`#/t/${id}`, { viewport: { width, height: 800 } })
        await page.getByText('A report, line 60').waitFor()
        await expect.poll(() => beginning(page, 'A report, line 1')).toBe(0)
        await shot(page, `reading-${name}-${width}`)
        await page.getByRole('button', { name: 'Messages' }).click()
        await expect.poll(() => beginning(page, 'A report, line 1')).toBeLessThan(-1_000)
        // What changes the page afterwards does not lead back to the beginning.
        await page.setViewportSize({ width, height: 760 })
        await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 200)))
        expect(await beginning(page, 'A report, line 1')).toBeLessThan(-1_000)
      }
    },
  )

  it('opens a thread at the first message that is not read (C519)', async () => {
    const id = await say(lines('Known'))
    const readAt = lab().clock.now()
    for (const name of ['First news', 'Second news']) {
      await lab().pass(60_000)
      model.on('decision', decides.reply(lines(name)))
      const before = await messages(id)
      const body = { text: name, clientMessageId: `${id} ${name}` }
      await lab().post(`/api/conversations/${id}/messages`, body)
      await expect.poll(() => messages(id)).toBe(before + 2)
    }
    // Writing in a thread reads it; this person did not write there.
    const page = await open('#/')
    await page.route(`**/api/conversations/${id}?**`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), readAt, unread: true } })
    })
    await page.goto(`${lab().clew().url}/#/t/${id}`)
    await page.getByText('Second news, line 60').waitFor()
    await expect.poll(() => beginning(page, 'First news, line 1')).toBe(0)
  })

  it.each([
    ['en-GB', /^\d{1,2}:\d\d$/],
    ['en-US', /^\d{1,2}:\d\d\s[AP]M$/],
  ])('writes hours as the country of the browser does, %s (C577)', async (locale, hour) => {
    const id = await say('Hello')
    const page = await open(`#/t/${id}`, { locale })
    expect(await page.locator('.timeline time').first().textContent()).toMatch(hour)
  })

  it('follows a short answer to its end (C519)', async () => {
    const id = await say(lines('Long'))
    const page = await open(`#/t/${id}`)
    await page.getByText('Long, line 60').waitFor()
    model.on('decision', decides.reply('In short: yes.'))
    await write(page, 'In short?')
    const answer = page.locator('.timeline').getByText('In short: yes.')
    await answer.waitFor()
    await expect.poll(() => beginning(page, 'In short: yes.')).toBeGreaterThan(300)
    await expect.poll(() => answer.isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Messages' }).count()).toBe(0)
  })

  it.each(['light', 'dark'] as const)(
    'shows at which edge a wide table goes on, and keeps its first column, %s (C520, C696)',
    async (colorScheme) => {
      const id = await say(`The year\n\n${table}`)
      const viewport = { width: 390, height: 844 }
      const page = await open(`#/t/${id}`, { viewport, colorScheme })
      const wide = page.locator('.table')
      await wide.waitFor()
      await shot(page, `reading-table-${colorScheme}`)
      // Without its words the table is the same everywhere, but for the shadows.
      await wide.evaluate((one) => {
        for (const part of one.querySelectorAll<HTMLElement>('*'))
          Object.assign(part.style, { color: 'transparent', border: '0' })
      })
      const edges = async () => {
        const box = await wide.boundingBox()
        if (box === null) throw new Error('no table')
        const strip = (x: number) =>
          page.screenshot({ clip: { x, y: box.y + 4, width: 8, height: box.height - 20 } })
        const first = await wide.locator('th').first().boundingBox()
        const kept = (first?.x ?? 0) + (first?.width ?? 0)
        return {
          first: first?.x,
          left: (await strip(kept + 1)).toString('base64'),
          middle: (await strip(box.x + box.width / 2)).toString('base64'),
          right: (await strip(box.x + box.width - 8)).toString('base64'),
        }
      }
      const atStart = await edges()
      expect(atStart.left).toBe(atStart.middle)
      expect(atStart.right).not.toBe(atStart.middle)
      await wide.evaluate((one) => one.scrollTo({ left: 9_999 }))
      await expect.poll(async () => (await edges()).right).toBe(atStart.middle)
      const atEnd = await edges()
      expect(atEnd.left).not.toBe(atStart.middle)
      expect(atEnd.first, 'the first column stays (C696)').toBe(atStart.first)
    },
  )
})
