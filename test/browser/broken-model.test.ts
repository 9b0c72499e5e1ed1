import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSystemClock } from '../../src/clock.ts'
import { startClew } from '../../src/compose/clew.ts'
import { readConfig } from '../../src/config.ts'
import { ownStore } from '../support/own-database.ts'
import { describeWith } from '../support/programs.ts'
import { silent } from '../support/silent.ts'
import { shot, write } from './browser.ts'
import { useBrowser } from './lab.ts'

describeWith('chromium', 'a model that does not answer, on the page', (program) => {
  const browser = useBrowser(program)

  it.each([
    ['refuses', 'The model does not accept Clew’s key.'],
    ['hangs', 'Clew cannot reach its model right now.'],
  ] as const)(
    'is said within 5 s, before anybody writes and while somebody waits, until it answers: %s (C521)',
    async (mode, sentence) => {
      const endpoint = await startEndpoint(mode)
      const folder = await mkdtemp(join(tmpdir(), 'clew-broken-'))
      const settings = {
        OPENAI_BASE_URL: endpoint.url,
        OPENAI_MODEL: 'm',
        OPENAI_API_KEY: 'k',
        DATA_DIR: folder,
        PORT: '0',
        ...(await ownStore()),
      }
      const clew = await startClew(readConfig(settings), {
        ...{ clock: createSystemClock(), log: silent },
      })
      onTestFinished(async () => {
        await clew.stop()
        endpoint.stop()
        await rm(folder, { recursive: true, force: true })
      })
      const page = await browser().newPage({ locale: 'en-US', colorScheme: 'dark' })
      await page.goto(clew.url ?? '')
      const notice = page.locator('.composer .notice', { hasText: sentence })
      await notice.waitFor({ timeout: 5_000 })
      await notice.getByRole('link', { name: 'Set up' }).waitFor()
      await shot(page, `broken-model-${mode}`)
      await write(page, 'Is anybody there?')
      await page.locator('main').getByText('Is anybody there?').first().waitFor()
      await notice.waitFor()
      expect(await page.getByText('Thinking').count()).toBe(0)
      await page.setViewportSize({ width: 390, height: 844 })
      await shot(page, `broken-model-${mode}-390`)
      endpoint.mend()
      await notice.waitFor({ state: 'detached', timeout: 10_000 })
    },
  )
})

/** An endpoint that refuses the key, or takes requests and never answers, until it is mended. */
async function startEndpoint(mode: 'refuses' | 'hangs') {
  let isMended = false
  const server = createServer((request, response) => {
    request.resume()
    if (isMended) response.end(JSON.stringify({ object: 'list', data: [{ id: 'm' }] }))
    else if (mode === 'refuses')
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { code: 'invalid_api_key', message: 'Incorrect API key' } }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    mend: () => {
      isMended = true
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
