import { expect, it } from 'vitest'
import { describeWith } from '../support/programs.ts'
import { useLab } from './lab.ts'

describeWith('the whole of chromium', 'installing the page', (program) => {
  const { browser, lab } = useLab(program)

  it('is offered by the browser, under its own name and icon (C248)', async () => {
    const context = await browser().newContext()
    const page = await context.newPage()
    await page.goto(`${lab().clew().url}/#/todos`)
    const session = await context.newCDPSession(page)
    const { errors, data = '' } = await session.send('Page.getAppManifest')
    expect(errors).toEqual([])
    expect(JSON.parse(data)).toMatchObject({ name: 'Clew', start_url: '/', theme_color: '#f7f5f1' })
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
    // All that is wrong is the context, which a test throws away.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito'])
  })
})
