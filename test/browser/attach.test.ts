import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { ConversationView } from '../../src/adapters/web/views.ts'
import { ask } from '../adapters/web/support.ts'
import { decides } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC'

describeWith('chromium', 'files in the composer', (program) => {
  const { model, browser, lab } = useLab(program)

  /** As the browser tells of files that are dropped, or pasted without words. */
  const give = (page: Page, kind: 'paste' | 'drop', name: string, type: string, base64: string) =>
    page.getByRole('textbox', { name: 'Your message' }).evaluate(
      (box, [kind = '', name = '', type = '', base64 = '']) => {
        const data = new DataTransfer()
        data.items.add(
          new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], name, { type }),
        )
        const options = { bubbles: true, cancelable: true }
        box.dispatchEvent(
          kind === 'paste'
            ? new ClipboardEvent('paste', { ...options, clipboardData: data })
            : new DragEvent('drop', { ...options, dataTransfer: data }),
        )
      },
      [kind, name, type, base64],
    )

  it('are attached, pasted and dropped, outlive a server that is away and a reload, and reach Clew with the words (C242)', async () => {
    model.on('decision', decides.reply('Seen.'))
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1280, height: 800 },
    })
    page.setDefaultTimeout(30_000)
    await page.goto(lab().clew().url ?? '')
    const box = page.getByRole('textbox', { name: 'Your message' })
    const rar = Buffer.from([0x52, 0x61, 0x72, 0x21, 0x1a, 0x07, 0x01, 0x00])
    const chosen = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    await (await chosen).setFiles([
      { name: 'menu.txt', mimeType: 'text/plain', buffer: Buffer.from('Soup, 4 €') },
      { name: 'photos.rar', mimeType: 'application/vnd.rar', buffer: rar },
    ])
    await page.getByRole('alert').getByText('Clew cannot read “photos.rar”').waitFor()
    await give(page, 'paste', 'screen.png', 'image/png', png)
    await give(page, 'drop', 'list.csv', 'text/csv', btoa('a,b'))
    await page.getByRole('button', { name: 'Remove list.csv' }).click()
    const attached = page.getByRole('list', { name: 'Attached files' })
    expect(await attached.getByRole('listitem').allInnerTexts()).toEqual(['menu.txt', 'screen.png'])
    await shot(page, 'attach-1-wide')
    await page.setViewportSize({ width: 390, height: 844 })
    await shot(page, 'attach-2-phone')

    const away = '**/api/uploads/**'
    await page.route(away, (route) => route.abort())
    await box.fill('What is for lunch?')
    await box.press('Enter')
    await page.locator('[data-state=retrying]').getByText('screen.png').waitFor()
    await page.reload()
    await page.locator('[data-state=retrying]').getByText('menu.txt').waitFor()
    await page.unroute(away)
    await page.locator('.said[data-role=assistant]').getByText('Seen.').waitFor({ timeout: 45_000 })
    const picture = page.getByRole('img', { name: 'screen.png' })
    await expect
      .poll(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth))
      .toBe(10)
    await shot(page, 'attach-3-sent')
    const [{ id = '' } = {}] = await lab().threads()
    const { body } = await ask(`${lab().clew().url}/api/conversations/${id}`)
    const [message] = (body as ConversationView).messages
    expect(message).toMatchObject({
      text: 'What is for lunch?',
      files: [{ name: 'menu.txt' }, { name: 'screen.png' }],
    })
    expect(JSON.stringify(model.calls)).toContain('Soup, 4 €')
  })
})
