import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { closes, decides, ends, plans } from '../fakes/model.ts'
import { inPieces, value } from '../fakes/openai/replies.ts'
import { startOpenAi } from '../fakes/openai/server.ts'
import { createClewProcess } from '../support/clew-process.ts'
import { describeWith } from '../support/programs.ts'
import { shot, write } from './browser.ts'
import { useBrowser } from './lab.ts'

const report = `## The venue

The **Alfama** in Lisbon is free on 3 May, for 24 people, lunch included.

| venue | people | price |
|---|---|---|
| Alfama | 24 | 1,900 € |
| Casa Azul | 18 | 1,400 € |

It costs 1,900 €. Look at https://evil.example/?q=secret for more. Nothing is booked yet: <script>alert(1)</script> say so.`

/** In the order of the schema, which models keep to: the outcome comes first. */
const inOrder = (reply: object) => ({ decision: '', ...reply })

/*
 * A model that is slow at writing, and a page that shows how far it is.
 */
describeWith('chromium', 'what is being written', (program) => {
  const browser = useBrowser(program)

  async function start() {
    const folder = await mkdtemp(join(tmpdir(), 'clew-drafts-'))
    const model = await startOpenAi()
    const clew = await createClewProcess(folder, {
      ...{
        OPENAI_BASE_URL: model.url,
        OPENAI_MODEL: 'fake',
        AGENT_STRATEGY: 'step',
        LOG_LEVEL: 'error',
      },
    })
    onTestFinished(async () => {
      await clew.kill()
      await model.close()
      await rm(folder, { recursive: true, force: true })
    })
    await clew.start()
    return { clew, model }
  }
  async function open(url: string, width: number): Promise<Page> {
    const page = await browser().newPage({ locale: 'en-US', viewport: { width, height: 844 } })
    page.setDefaultTimeout(60_000)
    // What is written before a page listens is not told to it.
    await Promise.all([page.waitForResponse(/\/api\/events/), page.goto(url)])
    return page
  }
  /** A reply whose pieces come a moment apart, `from` then on, and that waits in its middle until it is let go. */
  function slowly(
    content: unknown,
    { from, breaksAt }: { from?: Promise<void>; breaksAt?: number } = {},
  ) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = async (piece: number) => {
      await from
      await new Promise((later) => setTimeout(later, 30))
      if (piece === 22) await promise
    }
    return { reply: inPieces(value(content), before, breaksAt), goOn: resolve }
  }
  const draft = (page: Page) => page.locator('[data-draft]')
  const said = (page: Page) => page.locator('.said[data-role=assistant][data-message]')

  it.each([1280, 390])(
    'is seen as it grows, as safe as what it becomes, and its message takes its place (C150, S1, S2; %i px)',
    async (width) => {
      const { clew, model } = await start()
      const page = await open(clew.url, width)
      const answer = slowly(inOrder(decides.both(report, 'Book the Alfama')))
      // A message that comes ends what was being written before it, so that the report is begun when the reply is there.
      const replied = Promise.withResolvers<void>()
      const end = slowly(ends(report), { from: replied.promise })
      model.on('decision', answer.reply)
      model.on('plan', value(plans('Ask the Alfama')))
      model.on('thought', value(closes('free')))
      model.on('replan', end.reply)
      await write(page, 'Which venue?')
      await draft(page).getByText('The Alfama in Lisbon').waitFor()
      await draft(page).getByRole('heading', { name: 'The venue' }).waitFor()
      expect(await said(page).count()).toBe(0)
      await shot(page, `draft-reply-${width}`)
      answer.goOn()
      await said(page).getByText('Nothing is booked yet').first().waitFor()
      replied.resolve()
      await draft(page).getByText('The Alfama in Lisbon').waitFor()
      expect(await said(page).count()).toBe(1)
      await shot(page, `draft-report-${width}`)
      end.goOn()
      await said(page).nth(1).waitFor()
      await expect.poll(() => draft(page).count()).toBe(0)
      await shot(page, `draft-done-${width}`)
      for (const html of await said(page).evaluateAll((all) => all.map((one) => one.innerHTML)))
        expect(html).not.toMatch(/<script|href="https:\/\/evil/)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
        true,
      )
      model.assertDone()
    },
  )

  it('vanishes when its request fails, and comes again with the next one; after a crash one whole message is there (C151, P1)', async () => {
    const { clew, model } = await start()
    const page = await open(clew.url, 1280)
    const broken = slowly(inOrder(decides.reply(report)), { breaksAt: 23 })
    const again = slowly(inOrder(decides.reply(report)))
    model.on('decision', broken.reply, again.reply)
    await write(page, 'Which venue?')
    await draft(page).getByText('The Alfama in Lisbon').waitFor()
    broken.goOn()
    await expect.poll(() => draft(page).count()).toBe(0)
    expect(await said(page).count()).toBe(0)
    await draft(page).getByText('The Alfama in Lisbon').waitFor()
    await clew.kill()
    model.on('decision', value(decides.reply(report)))
    await clew.start()
    await said(page).getByText('Nothing is booked yet').waitFor()
    await expect.poll(() => draft(page).count()).toBe(0)
    expect(await said(page).count()).toBe(1)
    again.goOn()
  })
})
