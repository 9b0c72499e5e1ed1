import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { serversFile } from '../adapters/mcp/support.ts'
import { startSigned } from '../fakes/mcp/signed.ts'
import { createFakeModel } from '../fakes/model.ts'
import { openLab } from '../schedules/support.ts'
import { describeWith } from '../support/programs.ts'
import { violations } from './axe.ts'
import { useBrowser } from './lab.ts'

describeWith('chromium', 'sign-ins under Set up', (program) => {
  const browser = useBrowser(program)

  it('are made once for everybody, and ended (C925)', async () => {
    const desk = await startSigned()
    desk.visitor = 'robot'
    const lab = await openLab({
      model: createFakeModel(),
      env: {
        MCP_CONFIG: await serversFile({ desk: { url: desk.url, auth: 'installation' } }),
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      },
    })
    onTestFinished(async () => {
      await lab.stop()
      await desk.close()
    })
    const page = await browser().newPage({ locale: 'en-US' })
    page.setDefaultTimeout(30_000)
    await page.goto(`${lab.clew().url}/#/setup`)
    const part = page.locator('[data-part="sign-ins"]')
    await part.getByText('desk: nobody has signed in yet').waitFor()
    await part.getByRole('button', { name: 'Sign in' }).click()
    const link = part.getByRole('link', { name: 'Open the sign-in page' })
    await link.waitFor()
    expect(await violations(page)).toEqual([])
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await tab.getByText('for everybody here').waitFor()
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByText('Signed in at “desk” for everybody').waitFor()
    await part.getByText('desk: signed in.').waitFor()
    await part.getByRole('button', { name: 'Sign out' }).click()
    await part.getByText('desk: nobody has signed in yet').waitFor()
    expect(desk.journal).toEqual(['revoked'])
  })
})
