import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { createRedisDrafts } from '../../../src/store/redis/drafts.ts'
import { listenTo } from '../../adapters/web/event-stream.ts'
import { launchBrowser } from '../../browser/browser.ts'
import { chromium } from '../../support/programs.ts'
import { silent } from '../../support/silent.ts'
import { apiOf, middle, startDay } from '../day.ts'
import { type Section, seconds, some } from '../section.ts'

const minutes = 4
const sampleMs = 4_000
/** Tasks begun in one second: 960 in all, as a busy team has them in an hour. */
const tasks = 4
/** What the last quarter may have more than the second: until then the lists fill. */
const growsMost = { mb: 0.4, elements: 40 }

interface Sample {
  mb: number
  elements: number
}

/**
 * What a busy team does in an hour, played faster, on one open page in Chromium (C267): new threads, plans that move on, questions asked
 * and answered, texts being written, messages in the thread that is open, threads opened one after the other and read. The
 * page's memory and its elements stay level.
 */
export const page: Section = async (soak) => {
  if (chromium === null) throw new Error('this part needs Chromium, which is not on this machine')
  const { server, clew, close } = await startDay(soak)
  const redis = server.connect(0)
  const drafts = createRedisDrafts({ redis, connect: () => redis, log: silent })
  const browser = await launchBrowser(chromium)
  const failures: string[] = []
  const samples: Sample[] = []
  const threads: string[] = []
  let begun = 0
  try {
    await clew.start()
    const api = apiOf(clew.url)
    const heard = await listenTo(clew.url)
    const one = async (number: number) => {
      const id = await api.say(`Task ${number}`)
      threads.push(id)
      const { question } = await api.until(id, (view) => view.question !== null)
      for (let written = 1; written <= 5; written++) {
        drafts.tell({ conversationId: id, text: 'It is being written. '.repeat(written * 5) })
        await wait(100)
      }
      await api.answer(question?.id ?? '', 'The first one')
      await api.until(id, (view) => view.run?.status === 'succeeded')
      await api.say('Good morning', id)
    }
    const tab = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
    tab.on('pageerror', (error) => failures.push(`on the page: ${error.message}`))
    await tab.goto(clew.url)
    const devtools = await tab.context().newCDPSession(tab)
    const until = performance.now() + some(soak, minutes * 60) * 1_000
    const going = new Set<Promise<void>>()
    const began = performance.now()
    const begin = () => {
      const due = Math.floor(((performance.now() - began) / 1_000) * tasks)
      for (; begun < due && going.size < 40; begun++) {
        const doing = one(begun).catch((error) => void failures.push(String(error)))
        going.add(doing)
        void doing.finally(() => going.delete(doing))
      }
    }
    const beginning = setInterval(begin, 50)
    while (performance.now() < until) {
      samples.push(await sampleOf(tab, devtools))
      for (const end = performance.now() + sampleMs; performance.now() < end; await wait(800))
        if (threads.length > 0) await show(tab, `#/t/${threads.at(-1)}`)
    }
    clearInterval(beginning)
    await Promise.all(going)
    const figures = judge(samples, failures)
    return {
      figures: `${begun} tasks, ${heard.heard.length} events in ${seconds(performance.now() - began)}; ${figures}`,
      failures: failures.slice(0, 20),
    }
  } finally {
    await browser.close()
    redis.disconnect()
    await close()
  }
}

/** Goes there as a link does. */
async function show(tab: Page, hash: string): Promise<void> {
  await tab.evaluate((to) => {
    location.hash = to
  }, hash)
}

/** Of the start page without what waits just now, so that like is compared with like. */
async function sampleOf(tab: Page, devtools: CDPSession): Promise<Sample> {
  await show(tab, '#/')
  await wait(500)
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  const elements = await tab.evaluate(() => document.querySelectorAll('*:not(.needs *)').length)
  return { mb: usedSize / 1_000_000, elements }
}

function judge(samples: readonly Sample[], failures: string[]): string {
  const quarter = Math.ceil(samples.length / 4)
  const kinds = { mb: 'MB of heap', elements: 'elements' }
  const said = (['mb', 'elements'] as const).map((kind) => {
    const of = (n: number) =>
      middle(samples.slice(n * quarter, (n + 1) * quarter).map((one) => one[kind]))
    const quarters = [of(0), of(1), of(2), of(3)] as const
    const [, early, , late] = quarters
    const shown = quarters.map((value) => value.toFixed(kind === 'mb' ? 2 : 0)).join(', ')
    if (late > early + growsMost[kind]) failures.push(`${kinds[kind]} have grown: ${shown}`)
    return `${kinds[kind]} ${shown}`
  })
  return `by quarters ${said.join('; ')} (${samples.length} samples)`
}
