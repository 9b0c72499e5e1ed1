import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { operator, slackSettings } from '../adapters/web/members-support.ts'
import { ask } from '../adapters/web/support.ts'
import { createFakeModel, decides } from '../fakes/model.ts'
import { type FakeSlack, startFakeSlack } from '../fakes/slack/server.ts'
import { freePort } from '../support/free-port.ts'
import { describeWith } from '../support/programs.ts'
import { useWholeClew } from '../support/whole-clew.ts'
import { launchBrowser, shot, write } from './browser.ts'

describeWith('chromium', 'a member’s page, in a browser', (program) => {
  const start = useWholeClew()
  let browser: Browser
  let slack: FakeSlack
  beforeAll(async () => {
    browser = await launchBrowser(program)
  })
  afterEach(() => slack.stop())
  afterAll(() => browser.close())

  async function signIn(
    url: string,
    user: string,
  ): Promise<{ page: Page; context: BrowserContext }> {
    slack.state.authorizations.visitor.id = user
    const context = await browser.newContext({
      locale: 'en-US',
      viewport: { width: 1280, height: 900 },
    })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(url)
    await page.getByRole('link', { name: 'Sign in with Slack' }).click()
    return { page, context }
  }

  it('begins with Slack, shows their channels under their name, and ends on the server, too (S25, S26, S27, C241, C262)', async () => {
    slack = await startFakeSlack({ minuteMs: null })
    for (const [channel, user] of [
      ['C1', 'UBEN'],
      ['C2', 'UANA'],
    ] as const)
      slack.state.channels.get(channel)?.members.delete(user)
    const port = await freePort()
    const home = `http://127.0.0.1:${port}`
    slack.state.authorizations.redirects.add(`${home}/sign-in/slack/back`)
    const model = createFakeModel()
    model.answer(({ contract }) => (contract === 'decision' ? decides.reply('At noon.') : null))
    const settings = { ...slackSettings(slack), PORT: String(port), WEB_URL: home }
    await start(settings, { model })
    slack.people.mention('C1', 'UANA', 'When is lunch in the orchard?')
    slack.people.mention('C2', 'UBEN', 'When is supper in the cellar?')
    const count = async () =>
      (
        (await ask(`${home}/api/conversations`, 'GET', undefined, operator)).body as {
          conversations: unknown[]
        }
      ).conversations.length
    await expect.poll(count, { timeout: 20_000 }).toBe(2)

    const { page, context } = await signIn(home, 'UANA')
    await page.getByRole('link', { name: /lunch in the orchard/ }).waitFor()
    expect(await page.getByText('supper in the cellar').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Costs and health' }).count()).toBe(0)
    await shot(page, 'members-1-list')
    await page.getByRole('link', { name: /lunch in the orchard/ }).click()
    await page.getByText('At noon.').first().waitFor()
    await page.goto(`${home}/#/`)
    await write(page, 'And tomorrow?')
    await page.getByText('At noon.').first().waitFor()
    await page
      .getByRole('article')
      .filter({ hasText: 'And tomorrow?' })
      .getByText('Ana')
      .first()
      .waitFor()

    // What another sees is none of it.
    const ben = await signIn(home, 'UBEN')
    await ben.page.getByRole('link', { name: /supper in the cellar/ }).waitFor()
    for (const hidden of ['lunch in the orchard', 'And tomorrow?'])
      expect(await ben.page.getByText(hidden).count()).toBe(0)

    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    const status = async () =>
      (await ask(`${home}/api/conversations`, 'GET', undefined, { cookie })).status
    expect(await status()).toBe(200)
    const other = await context.newPage()
    await other.goto(home)
    await other.getByRole('link', { name: /lunch in the orchard/ }).waitFor()
    await page.getByTitle('Settings').click()
    const name = page.getByLabel('Your name')
    expect([await name.inputValue(), await name.getAttribute('readonly')]).toEqual(['Ana', ''])
    await shot(page, 'members-2-settings')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('link', { name: 'Sign in with Slack' }).waitFor()
    await shot(page, 'members-3-out')
    expect(await status(), 'the cookie alone opens nothing').toBe(401)
    expect(await context.cookies()).toEqual([])
    // The other tab of this browser is out as well, and the way back leads to no page that was kept.
    await other.getByRole('link', { name: 'Sign in with Slack' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Sign in with Slack' }).waitFor()
    expect(await page.getByText('orchard').count()).toBe(0)
    await ben.page.reload()
    await ben.page.getByRole('link', { name: /supper in the cellar/ }).waitFor()
  })
})
