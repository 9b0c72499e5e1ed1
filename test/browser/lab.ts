import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { createFakeModel } from '../fakes/model.ts'
import { type Lab, openLab } from '../schedules/support.ts'
import { launchBrowser } from './browser.ts'

const shared = new Map<string, Promise<Browser>>()

/**
 * One browser for all suites that a process of tests runs, one after the other: to start it costs more than most of them.
 * What they open in it are people of their own (a context each), gone after each test; it ends with the process.
 */
export function useBrowser(program: string): () => Browser {
  let opened: Browser | null = null
  beforeAll(async () => {
    if (!(await shared.get(program))?.isConnected()) shared.set(program, launchBrowser(program))
    opened = (await shared.get(program)) ?? null
  })
  afterEach(async () => {
    await Promise.all(opened?.contexts().map((context) => context.close()) ?? [])
  })
  return () => {
    if (opened === null) throw new Error('it is opened before the first test')
    return opened
  }
}

/** A browser, and the whole of Clew with a scripted model, for all tests of one suite. */
export function useLab(
  program: string,
  options: Omit<Parameters<typeof openLab>[0], 'model'> = {},
) {
  const model = createFakeModel()
  const browser = useBrowser(program)
  let opened: Lab | null = null
  beforeAll(async () => {
    opened = await openLab({ model, ...options })
  })
  afterAll(() => opened?.stop())
  // Such a call fails; after three of them nothing is sent to the model any more, for as long as the clock stands still.
  afterEach(() => expect(model.unexpected).toEqual([]))
  const lab = () => {
    if (opened === null) throw new Error('it is opened before the first test')
    return opened
  }
  /** A page of this Clew: wide and in English, unless `options` say otherwise. */
  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1280, height: 800 },
      ...options,
    })
    page.setDefaultTimeout(30_000)
    await page.goto(`${lab().clew().url}/${path}`)
    return page
  }
  return { model, browser, lab, open }
}
