import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { progressOf } from '../../../src/agent/domain/progress.ts'
import type { Intake } from '../../../src/agent/ports/channel.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { useBrowser } from '../../browser/lab.ts'
import { playDemo } from '../../fakes/demo.ts'
import { createStage } from '../../fakes/stage.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { startWeb } from './support.ts'

const ana = { id: 'ana', name: 'Ana' }

/*
 * The page in a real browser, over a real store. What the core would do is played by the stage, so every state of a thread
 * can be had at once; the whole story with the core behind it has its own test.
 */
describeWith('chromium', 'the page in a browser', (program) =>
  describeWith('redis-server', 'over a real store', (redisProgram) => {
    let server: Awaited<ReturnType<typeof startRedis>>
    let web: Awaited<ReturnType<typeof startWeb>>
    let away = false
    const complaints: string[] = []
    beforeAll(async () => {
      server = await startRedis(redisProgram)
    })
    beforeEach(async () => {
      away = false
      complaints.length = 0
      const redis = server.connect()
      await redis.flushall()
      const clock = createSystemClock()
      const stored = createRedisStore({ redis, clock, worker: 'intake' })
      const intake: Intake = async (event) => {
        if (away) throw new Error('connection lost')
        const { kind, entry, conversationId } = await stored.inbox.accept(event, {
          locale: 'en',
          timeZone: 'UTC',
        })
        return { kind, conversationId, messageId: entry.messageId, entryId: entry.id }
      }
      web = await startWeb(redis, { clock, intake })
    })
    afterEach(() => web.stop())
    afterAll(() => server.stop())
    // Declared last, so that the pages are gone before their server.
    const browser = useBrowser(program)

    /** A tab that notes what a browser complains about, and every address beyond our own. */
    async function open(path = '/', options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser().newContext({
        locale: 'en-US',
        viewport: { width: 1440, height: 900 },
        ...options,
      })
      const page = await context.newPage()
      page.setDefaultTimeout(40_000)
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on(
        'request',
        (request) => request.url().startsWith(web.url) || complaints.push(request.url()),
      )
      page.on('console', (line) => {
        if (['error', 'warning'].includes(line.type()) && !line.text().includes('503'))
          complaints.push(line.text())
      })
      await page.goto(web.url + path)
      return page
    }
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const box = (page: Page) => page.getByRole('textbox', { name: 'Your message' })
    const stage = () =>
      createStage(web.store, { workspace: 'web:local', channel: 'web', thread: 't' })

    it('begins a thread from one of three things to try', async () => {
      const page = await open()
      await page.getByRole('heading', { name: 'Three things to try' }).waitFor()
      expect(await page.locator('.examples button').count()).toBe(3)
      await page
        .getByRole('button', { name: 'Plan a one-week onboarding for our new designer' })
        .click()
      await box(page).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Plan a one-week onboarding' }).waitFor()
      await page.getByText('Waiting for its turn').waitFor()
      await page.getByRole('navigation').getByRole('link').waitFor()
      expect(complaints).toEqual([])
    })

    it('keeps what was not sent, says so, and sends it once when the store is back (R116)', async () => {
      const page = await open()
      away = true
      await box(page).fill('Book a venue')
      await box(page).press('Enter')
      await page.getByText('Not sent yet; trying again').waitFor()
      await page.reload()
      await page.getByText('Book a venue').waitFor()
      away = false
      await page.getByRole('heading', { level: 1, name: 'Book a venue' }).waitFor()
      await page.getByText('Waiting for its turn').waitFor()
      const listed = await web.store.conversations.list('web:local', 10)
      expect(listed.map(({ conversation }) => conversation.title)).toEqual(['Book a venue'])
      expect(complaints).toEqual([])
    })

    it('asks again for what was not answered, though nothing changes and the stream stays (C282)', async () => {
      const { hear, conversationId } = stage()
      await hear('Hello', ana, Date.now())
      const page = await open()
      await page.getByRole('navigation').getByRole('link', { name: 'Hello' }).waitFor()
      let unanswered = 0
      await page.route(`**/api/conversations/${conversationId}?*`, (route) => {
        unanswered += 1
        return route.fulfill({ status: 503, json: { error: { code: 'away', message: 'away' } } })
      })
      await page.evaluate(`location.hash = '#/t/${conversationId}'`)
      await expect.poll(() => unanswered, { timeout: 20_000 }).toBeGreaterThan(2)
      await page.unroute(`**/api/conversations/${conversationId}?*`)
      await page.locator('.timeline').getByText('Hello').waitFor()
      expect(complaints).toEqual([])
    })

    it('keeps a draft for each thread', async () => {
      const { hear, conversationId } = stage()
      await hear('Hello', ana, Date.now())
      const page = await open(`/#/t/${conversationId}`)
      await box(page).fill('half a thought')
      await page.getByRole('link', { name: 'New thread' }).click()
      await page.getByRole('heading', { name: 'Three things to try' }).waitFor()
      expect(await box(page).inputValue()).toBe('')
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Hello' }).waitFor()
      expect(await box(page).inputValue()).toBe('half a thought')
    })

    it('shows the plan as it moves on, without a reload', async () => {
      const { hear, begin, move, conversationId, runId } = stage()
      const items = ['Collect', 'Compare', 'Book'].map((text) => ({ text, done: false }))
      await hear('Book a venue', ana, Date.now(), { kind: 'started', runId })
      await begin('Book a venue', ana, Date.now())
      await move(Date.now(), { planInitialized: true, planItems: items }, 'running')
      const page = await open(`/#/t/${conversationId}`)
      await page.getByText('Step 1 of 3').waitFor()
      await move(
        Date.now(),
        {
          planItems: items.map((item, place) => ({ ...item, done: place < 1 })),
          currentPlanIndex: 1,
          intent: { step: 2, tool: 'internet_search', input: 'venues in Lisbon' },
          lastChange: {
            added: ['Book'],
            dropped: ['Ask Porto'],
            because: { step: 1, question: 'Which city?', text: 'Lisbon', author: ana },
          },
        },
        'running',
      )
      const found = await web.store.conversations.state('web:local', conversationId, 1)
      const moved = await web.store.runs.state('web:local', runId)
      if (found === null || moved === null) throw new Error('the story is gone')
      await web.channel.show(progressOf(moved.run, moved.task), found.conversation)
      await page.getByText('Step 2 of 3').waitFor()
      await page.getByText('Searching the web: venues in Lisbon').waitFor()
      await page
        .getByText('The plan changed because Ana said “Lisbon”: one new step, one dropped')
        .waitFor()
      expect(await page.locator('.items [aria-current=step]').innerText()).toContain('Compare')
      expect(complaints).toEqual([])
    })

    it('takes an answer by keyboard alone and shows who chose what (C47)', async () => {
      const { hear, begin, ask, answer, conversationId, runId } = stage()
      await hear('Book a venue', ana, Date.now(), { kind: 'started', runId })
      await begin('Book a venue', ana, Date.now())
      const question = await ask('Which city?', ['Lisbon', 'Porto'], ana, Date.now())
      const page = await open(`/#/t/${conversationId}`)
      const choice = page
        .locator('main')
        .getByRole('group', { name: 'Choices' })
        .getByRole('button', { name: 'Porto' })
      await choice.focus()
      await page.keyboard.press('Enter')
      await page.getByText('Sending your answer… Porto').waitFor()
      // The page says so before the server has it.
      await expect
        .poll(async () => {
          const state = await web.store.conversations.state('web:local', conversationId, 5)
          return state?.inbox.at(-1)?.event.content
        })
        .toEqual({ kind: 'answer', questionId: question.id, text: 'Porto' })
      await answer(question, 'Porto', ana, Date.now())
      await web.events.append(null, JSON.stringify({ kind: 'changed', conversationId }))
      await page.getByText('Ana chose Porto').waitFor()
      expect(await box(page).evaluate((element) => element === document.activeElement)).toBe(true)
    })

    it('marks a thread as read when it is opened, and not before (R107, R108)', async () => {
      const { hear, say, conversationId } = stage()
      await hear('Hello', ana, Date.now() - 2_000)
      await say('Here is your answer', Date.now() - 1_000)
      const page = await open()
      await page.getByText('unread').waitFor({ state: 'attached' })
      expect(await page.title()).toBe('(1) Clew')
      await page.getByRole('navigation').getByRole('link').click()
      await page.getByRole('article', { name: 'Clew' }).getByText('Here is your answer').waitFor()
      await page.waitForFunction(() => document.title === 'Hello · Clew')
      await expect
        .poll(async () => {
          const line = (await web.store.conversations.list('web:local', 1))[0]?.conversation
          return (
            line?.id === conversationId &&
            line.lastReadAt !== null &&
            line.lastReadAt > line.updatedAt
          )
        })
        .toBe(true)
    })

    it('goes from the list to a thread and back on a phone, without anything beyond the edge', async () => {
      await playDemo(web.store)
      const page = await open('/', phone)
      for (const title of [
        'Compare the three venues',
        'Plan a one-week',
        '比较三个场地',
        'Check all 40',
        'What is a good way',
        'Search for venues',
      ]) {
        await page.locator('.line', { hasText: title }).click()
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await page.locator('.plan').first().waitFor()
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
        await page.goBack()
        await page.getByRole('link', { name: 'New thread' }).waitFor()
      }
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('button, a')]
          .map((element) => ({ name: element.textContent, box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.height > 0 && box.height < 36 && box.bottom > 0),
      )
      expect(small.map(({ name }) => name)).toEqual(['Clew'])
      expect(complaints).toEqual([])
    })

    it('speaks Chinese to those whose browser does, and changes when it is told to', async () => {
      const page = await open('/', { locale: 'zh-CN' })
      await page.getByRole('heading', { name: '试试这三件事' }).waitFor()
      expect(await page.locator('html').getAttribute('lang')).toBe('zh')
      await page.getByRole('button', { name: '你' }).click()
      await page.getByRole('radio', { name: 'English' }).check()
      await page.getByLabel('Your name').fill('Ana')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Three things to try' }).waitFor()
      await page.reload()
      await page.getByRole('button', { name: 'Ana' }).waitFor()
      await box(page).fill('Hello')
      await box(page).press('Enter')
      await page.getByRole('article', { name: 'Ana' }).waitFor()
    })

    it('can be walked through by keyboard, from the link that skips the list', async () => {
      await playDemo(web.store)
      const page = await open()
      await page.getByRole('navigation').getByRole('link').first().waitFor()
      const first = page.locator('a, button, input, textarea, summary').first()
      expect(await first.textContent()).toBe('Skip to the conversation')
      await first.focus()
      await page.keyboard.press('Enter')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
      const ring = await page.evaluate(() => {
        const link = document.querySelector('nav a')
        if (!(link instanceof HTMLElement)) return ''
        link.focus({ focusVisible: true } as FocusOptions)
        return getComputedStyle(link).outlineStyle
      })
      expect(ring).toBe('solid')
    })

    it('lets in anyone who types the token', async () => {
      await web.stop()
      web = await startWeb(server.connect(), {
        clock: createSystemClock(),
        token: 'a-long-and-random-token',
      })
      const page = await open()
      await page.getByLabel('Access token').fill('a guess')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await page.getByLabel('Access token').fill('a-long-and-random-token')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Three things to try' }).waitFor()
      await box(page).fill('Hello')
      await box(page).press('Enter')
      await page.getByText('Waiting for its turn').waitFor()
    })

    it('gives a refused message back to be changed', async () => {
      const { hear, conversationId } = stage()
      await hear('Hello', ana, Date.now())
      const page = await open(`/#/t/${conversationId}`)
      const error = { code: 'not_allowed', message: 'You are not allowed to do that here.' }
      await page.route('**/messages', (route) => route.fulfill({ status: 403, json: { error } }))
      await box(page).fill('Do it')
      await box(page).press('Enter')
      await page.getByText('Not sent: You are not allowed to do that here.').waitFor()
      await page.getByRole('button', { name: 'Edit' }).click()
      await expect.poll(() => box(page).inputValue()).toBe('Do it')
      expect(await page.getByText('Not sent').count()).toBe(0)
    })

    it('shows text of people and models as text (S1)', async () => {
      const { hear, say, conversationId } = stage()
      await hear(
        '<img src=x onerror="document.title=1"> <script>alert(1)</script>',
        ana,
        Date.now(),
      )
      await say(
        '<iframe src="https://evil.example"></iframe> ![x](https://evil.example/p.png) @everyone',
        Date.now(),
      )
      const page = await open(`/#/t/${conversationId}`)
      await page.locator('.text', { hasText: '<iframe' }).waitFor()
      expect(await page.locator('.text :is(img, script, iframe)').count()).toBe(0)
      expect(complaints).toEqual([])
    })
  }),
)
