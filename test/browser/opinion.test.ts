import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { closes, decides, ends, plans } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'what people think of a report, on the page', (program) => {
  const folder = mkdtempSync(join(tmpdir(), 'clew-tests-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const { model, lab, open } = useLab(program, { env: { TESTS: folder } })

  it('asks why not, lists the votes, and keeps the run as a test (C730, C731, C732)', async () => {
    model.on('decision', decides.run('Find the city'))
    model.on('plan', plans('Look'))
    model.on('thought', closes())
    model.on('replan', ends('It is Porto.'))
    const id = await lab().say('Find the city')
    const page = await open(`#/t/${id}`)
    await page.getByRole('button', { name: 'Not helpful' }).click()
    await page.getByRole('button', { name: 'It is wrong' }).click()
    await page.getByRole('textbox', { name: 'In your own words' }).fill('I meant Lisbon.')
    await page.getByRole('button', { name: 'Send', exact: true }).first().click()
    await page.getByText('Keep as a test', { exact: true }).click()
    const right = page.getByRole('textbox', { name: 'What would have been right?' })
    await right.fill('says: Lisbon')
    await page.locator('form', { has: right }).getByRole('button').click()
    const written = () =>
      readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
    await expect.poll(() => written().join(''), { timeout: 20_000 }).toMatch(/\}\s*$/)
    const kept = JSON.parse(readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8'))
    expect(kept).toMatchObject({ right: 'says: Lisbon', report: expect.stringContaining('Porto') })
    await page.goto(page.url().replace(/#.*/, '#/costs'))
    const votes = page.getByRole('region', { name: 'What people think of reports' })
    await votes.getByText('It is wrong').waitFor()
    await votes.getByText('I meant Lisbon.').waitFor()
    await page.getByText('No task had a forecast yet.').waitFor()
  })
})
