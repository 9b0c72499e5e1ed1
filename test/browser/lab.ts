import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { createFakeModel } from '../fakes/model.ts'
import { type Lab, openLab } from '../schedules/support.ts'
import { launchBrowser } from './browser.ts'

/** A browser, and the whole of Clew with a scripted model, for all tests of one suite. */
export function useLab(program: string, options: Omit<Parameters<typeof openLab>[0], 'model'> = {}) {
  const model = createFakeModel()
  let opened: { browser: Browser; lab: Lab } | null = null
  const both = () => {
    if (opened === null) throw new Error('it is opened before the first test')
    return opened
  }
  beforeAll(async () => {
    opened = { browser: await launchBrowser(program), lab: await openLab({ model, ...options }) }
  })
  afterAll(async () => {
    await opened?.browser.close()
    await opened?.lab.stop()
  })
  return { model, browser: () => both().browser, lab: () => both().lab }
}
