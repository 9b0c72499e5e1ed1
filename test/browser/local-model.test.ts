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
import { describeWith } from '../support/programs.ts'
import { silent } from '../support/silent.ts'
import { shot } from './browser.ts'
import { useBrowser } from './lab.ts'

describeWith('chromium', 'a model server on this machine, in a browser', (program) => {
  const browser = useBrowser(program)

  it.each([
    ['en-US', 'Ollama runs on this machine.'],
    ['zh-CN', 'Ollama'],
  ])(
    'is offered on the first page with the two lines to set, and asked for its list alone: %s (C95)',
    async (locale, words) => {
      const asked: string[] = []
      const ollama = createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`)
        response.end(JSON.stringify({ object: 'list', data: [{ id: 'llama3.2' }] }))
      }).listen(0, '127.0.0.1')
      await once(ollama, 'listening')
      const { port } = ollama.address() as AddressInfo
      const folder = await mkdtemp(join(tmpdir(), 'clew-offer-'))
      const clew = await startClew(readConfig({ DATA_DIR: folder, PORT: '0' }), {
        ...{ clock: createSystemClock(), log: silent, localServers: [{ name: 'Ollama', port }] },
      })
      onTestFinished(async () => {
        await clew.stop()
        ollama.closeAllConnections()
        ollama.close()
        await rm(folder, { recursive: true, force: true })
      })
      const page = await browser().newPage({ locale, viewport: { width: 1280, height: 900 } })
      page.setDefaultTimeout(60_000)
      await page.goto(clew.url ?? '')
      const notice = page.locator('.notice', { hasText: words })
      await notice.waitFor()
      const lines = (await notice.locator('pre').innerText()).split('\n')
      expect(lines).toEqual([
        `OPENAI_BASE_URL=http://127.0.0.1:${port}/v1`,
        'OPENAI_MODEL=llama3.2',
      ])
      await shot(page, `local-model-${locale}`)
      // What the page says is what the settings take.
      const env = Object.fromEntries(lines.map((line) => line.split('=')))
      expect(readConfig(env)).toMatchObject({ OPENAI_MODEL: 'llama3.2' })
      expect(asked).toEqual(['GET /v1/models'])
    },
  )
})
