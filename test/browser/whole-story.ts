import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type ClewProcess, createClewProcess } from '../support/clew-process.ts'
import { useBrowser } from './lab.ts'

/*
 * The whole story, as a person lives it: the real program in a process of its own, the embedded store, a real browser.
 */
export const request = 'Compare the three venues and book a date for the offsite'
export const remark = 'also keep it under 2000 euros'

export interface View {
  id: string
  messages: { id: string; role: string; text: string; outcome: { kind: string } | null }[]
  question: { id: string; text: string; choices: string[] } | null
  run: { id: string; status: string } | null
  answered: { answer: string }[]
}

/** Declares a folder and a browser for all tests of a suite; starts Clew, and opens its page. */
export function useStory(program: string) {
  const browser = useBrowser(program)
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-story-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
  })
  return async (paceMs: number): Promise<{ clew: ClewProcess; page: Page }> => {
    const clew = await createClewProcess(join(folder, String(paceMs)), {
      REHEARSAL_PACE_MS: String(paceMs),
      LOG_LEVEL: 'error',
      AGENT_MAX_STEPS: '60',
    })
    onTestFinished(clew.kill)
    await clew.start()
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1440, height: 900 },
    })
    page.setDefaultTimeout(120_000)
    await page.goto(clew.url)
    return { clew, page }
  }
}

/** Every thread as the page would show it. */
export async function viewsOf(clew: ClewProcess): Promise<View[]> {
  const list = (await (await fetch(`${clew.url}/api/conversations?limit=200`)).json()) as {
    conversations: { id: string }[]
  }
  return await Promise.all(
    list.conversations.map(
      async ({ id }) => (await (await fetch(`${clew.url}/api/conversations/${id}`)).json()) as View,
    ),
  )
}
