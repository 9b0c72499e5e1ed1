import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The system's own Chromium, without what it does beside showing pages, and without motion, which is a fifth of its processor time. */
export async function launchBrowser(program: string): Promise<Browser> {
  const quiet = ['background-networking', 'component-update', 'sync', 'gpu', 'quic'].map(
    (name) => `--disable-${name}`,
  )
  return await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--no-first-run', '--force-prefers-reduced-motion', ...quiet],
  })
}

/** With CLEW_SHOTS=<folder> the tests leave pictures of what they saw. */
export async function shot(page: Page, name: string): Promise<void> {
  if (process.env.CLEW_SHOTS)
    await page.screenshot({ path: join(process.env.CLEW_SHOTS, `${name}.png`) })
}

export async function write(page: Page, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Your message' })
  await box.fill(text)
  await box.press('Enter')
}
