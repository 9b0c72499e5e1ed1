import { expect, it } from 'vitest'
import { decides } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

const answer = 'Run **this**:\n\n```sh\nls -l | wc\n```'

describeWith('chromium', 'taking along what is on the page', (program) => {
  const { model, browser, lab } = useLab(program)

  it('copies a block of code, and a message as it was written (C243)', async () => {
    model.on('decision', decides.reply(answer))
    const id = await lab().say('How many files are there?')
    await lab().reply(id)
    const context = await browser().newContext({
      ...{ locale: 'en-US', viewport: { width: 1280, height: 800 } },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(`${lab().clew().url}#/t/${id}`)
    const said = page.locator('.said[data-role=assistant]')
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await said.getByRole('button', { name: 'Copy', exact: true }).click()
    await said.getByRole('button', { name: 'Copied' }).waitFor()
    expect((await copied()).trim()).toBe('ls -l | wc')
    await said.getByRole('button', { name: 'Copy the message' }).click()
    await said.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
    expect(await copied()).toBe(answer)
    await shot(page, 'copy-wide')
  })

  it('is printed whole, light, without what can only be pressed (C280)', async () => {
    model.on(
      'decision',
      decides.reply(Array.from({ length: 120 }, (_, at) => `${at + 1}. line`).join('\n')),
    )
    const id = await lab().say('Count')
    await lab().reply(id)
    const page = await browser().newPage({
      viewport: { width: 1280, height: 800 },
      colorScheme: 'dark',
    })
    await page.goto(`${lab().clew().url}#/t/${id}`)
    await page.getByRole('main').getByRole('listitem').nth(119).waitFor()
    await page.emulateMedia({ media: 'print' })
    const { height, ink, pressed } = await page.evaluate(() => ({
      height: document.documentElement.scrollHeight,
      ink: getComputedStyle(document.body).color,
      pressed: [...document.querySelectorAll('button, textarea, .sidebar')].filter((one) =>
        one.checkVisibility(),
      ).length,
    }))
    expect(height).toBeGreaterThan(2_000)
    expect({ ink, pressed }).toEqual({ ink: 'rgb(36, 33, 30)', pressed: 0 })
    await shot(page, 'printed')
    await page.close()
  })

  it('colours code of a language that it knows, by a script that comes only then, and nothing else (C250)', async () => {
    const long = `const a = ${JSON.stringify('x'.repeat(100_000))}`
    const slow = 'x_'.repeat(9_000)
    const blocks = [
      `java\n${slow}`,
      'js\nconst city = "Lisbon" // here',
      'klingon\nconst no = 1',
      `ts\n${long}`,
      '\nconst plain = 1',
    ]
    model.on(
      'decision',
      decides.reply('Hello.'),
      decides.reply(blocks.map((block) => `\`\`\`${block}\n\`\`\``).join('\n\n')),
    )
    const id = await lab().say('Say hello')
    await lab().reply(id)
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1280, height: 1400 },
    })
    page.setDefaultTimeout(30_000)
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    const refused: string[] = []
    page.on('console', (line) => line.type() === 'error' && refused.push(line.text()))
    await page.clock.install()
    await page.goto(`${lab().clew().url}#/t/${id}`)
    await page.locator('.said', { hasText: 'Hello.' }).waitFor()
    const scripts = () => loaded.filter((url) => url.endsWith('code.js')).length
    expect(scripts()).toBe(0)
    const asked = page.waitForRequest((request) => request.url().endsWith('code.js'))
    await lab().say('Show me', { thread: id })
    await asked
    // The first block takes any machine longer than the page waits.
    await page.clock.fastForward(5_000)
    const code = page.locator('.said pre')
    await code.nth(1).locator('.hljs-keyword', { hasText: 'const' }).waitFor()
    expect(await code.nth(1).textContent(), 'no letter is lost').toBe(
      'const city = "Lisbon" // here',
    )
    const spoken = await page.locator('p[aria-live]').textContent()
    expect(spoken, 'words, not Markdown (C193)').toMatch(
      /^Clew: (?!`)[^`]*const city = "Lisbon"[^`]*$/,
    )
    for (const at of [0, 2, 3, 4]) {
      await code.nth(at).scrollIntoViewIfNeeded()
      expect(await code.nth(at).locator('span').count()).toBe(0)
    }
    expect(scripts(), 'the first block’s was ended').toBe(2)
    expect(refused).toEqual([])
    await shot(page, 'code-light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await shot(page, 'code-dark')
    await page.close()
  })
})
