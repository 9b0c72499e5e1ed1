import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { chromium as driver } from 'playwright-core'
import { chromium } from '../support/programs.ts'

const docs = join(import.meta.dirname, '../../docs')

/** Draws pages with a real browser and leaves their pictures in `docs/`, under their names. */
export async function draw(pages: Readonly<Record<string, string>>): Promise<void> {
  const browser = await driver.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] })
  for (const [name, html] of Object.entries(pages)) {
    const page = await browser.newPage({ viewport: { width: 1400, height: 200 }, deviceScaleFactor: 1.25 })
    await page.setContent(html)
    await page.locator('main').screenshot({ path: join(docs, `${name}.png`) })
  }
  await browser.close()
}

/** A search engine that knows three venues. */
export async function startSearch() {
  const results = ['Casa do Rio', 'Hotel Atlântico', 'The Old Factory'].map((title, index) => ({
    title,
    url: `https://venues.example/${index + 1}`,
    content: `Seats ${20 + index * 15}, free in the first week of December.`,
  }))
  const search = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }))
  })
  await new Promise<void>((resolve) => search.listen(0, '127.0.0.1', resolve))
  const { port } = search.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => search.close() }
}
