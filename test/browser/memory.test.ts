import { expect, it } from 'vitest'
import { acts, closes, decides, ends, plans } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot, write } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'memory in a browser', (program) => {
  const { model, browser, lab } = useLab(program)

  it('is proposed with buttons, agreed to by a press, seen on its page, edited, forgotten and undone (F30, R90, C255, C706)', async () => {
    model.on('decision', decides.run('Book the offsite'), decides.reply('Lisbon, as ever.'))
    model.on('plan', plans('Note it'))
    const propose = 'propose We meet in Lisbon --key city --scope team'
    model.on(
      'thought',
      acts(propose, 'memory'),
      acts('save notes.md\nLisbon', 'files'),
      closes('ok'),
    )
    model.on('replan', ends('Booked.'))
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1440, height: 900 },
    })
    page.setDefaultTimeout(60_000)
    await page.goto(lab().clew().url ?? '')
    const said = (text: string) => page.locator('main .text').getByText(text).first()
    await write(page, 'We always meet in Lisbon. Book the offsite.')
    await said('Shall I remember this').waitFor()
    await page.getByRole('link', { name: 'notes.md', exact: true }).waitFor()
    await shot(page, 'memory-1-proposal')
    await page.getByRole('button', { name: 'Remember it' }).click()
    await said('agreed, so I remember').waitFor()
    await page.getByRole('button', { name: 'Don’t remember' }).waitFor({ state: 'detached' })

    await write(page, 'Where do we meet?')
    await said('Lisbon, as ever.').waitFor()
    const asked = model.calls.at(-1)?.input
    expect(asked !== undefined && 'facts' in asked && asked.facts).toEqual([
      { name: 'team-1', key: 'city', text: 'We meet in Lisbon', by: expect.any(String) },
    ])

    await page.getByRole('link', { name: 'Memory', exact: true }).click()
    const fact = page.locator('[data-part="active"] [data-memory="team-1"]')
    await fact.getByText('where it was said').waitFor()
    await shot(page, 'memory-2-page')
    await fact.getByRole('button', { name: 'Change “We meet in Lisbon”' }).click()
    await fact.getByRole('textbox').fill('We meet in Porto')
    await shot(page, 'memory-3-edit')
    await fact.getByRole('button', { name: 'Save' }).click()
    await fact.getByText('We meet in Porto').waitFor()
    await shot(page, 'memory-4-edited')
    await fact.getByRole('button', { name: 'Remember “We meet in Lisbon” again' }).click()
    await fact.getByText('We meet in Lisbon').waitFor()
    expect(await fact.getByRole('button', { name: 'again' }).count()).toBe(0)
    await fact.getByRole('button', { name: 'Forget' }).click()
    const gone = page.locator('[data-part="gone"] [data-memory="team-1"]')
    await gone.getByRole('button', { name: 'again' }).click()
    await fact.waitFor()
    const box = page.getByRole('textbox', { name: 'What Clew should remember' })
    const refused = page.locator('form.add .problem')
    await box.fill('x'.repeat(501))
    await page.getByRole('button', { name: 'Remember', exact: true }).click()
    expect(await refused.innerText()).toBe('That’s too long; the limit is 500 characters.')
    await box.fill('We eat fish')
    await refused.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remember', exact: true }).click()
    await page.locator('[data-part="active"] [data-memory="team-2"]').waitFor()
  })

  it('takes back what was declined, as long as nothing was sent (C625)', async () => {
    const page = await browser().newPage({ locale: 'en-US' })
    const one = { name: 'team-9', key: null, text: 'We eat fish', status: 'pending', scope: 'team' }
    const more = { thread: null, conversationId: null, at: 0, by: null, sourceId: null }
    await page.route(/api\/memory\?/, (route) =>
      route.fulfill({ json: { memory: [{ ...one, ...more }] } }),
    )
    const sent: string[] = []
    await page.route(/api\/memory\/team-9\/reject/, async (route) => {
      sent.push(route.request().method())
      await route.fulfill({ json: {} })
    })
    await page.goto(`${lab().clew().url}/#/memory`)
    const decline = page.getByRole('button', { name: 'Do not remember “We eat fish”' })
    await decline.click()
    await page.locator('.leaving').waitFor()
    await page.locator('.notes').getByRole('button', { name: 'Undo' }).click()
    await page.locator('.leaving').waitFor({ state: 'detached' })
    expect(sent).toEqual([])
    await decline.click()
    await page.locator('.notes').getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => sent).toEqual(['POST'])
    await page.close()
  })
})
