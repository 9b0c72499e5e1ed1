import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import type { InboundEvent } from '../../src/agent/domain/event.ts'
import { keysOf } from '../../src/store/redis/keys.ts'
import { createFakeChannel } from '../fakes/channel.ts'
import { acts, asks, closes, decides, ends, fails, plans } from '../fakes/model.ts'
import { ownDatabase } from '../support/own-database.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

const redisUrl = await ownDatabase()
const chat = Object.assign(createFakeChannel('chat'), { linkTo: () => 'https://chat.example/t1' })

const said = (n: number, text: string): InboundEvent => ({
  ...{
    workspace: 'chat:one',
    channel: 'general',
    thread: `t${n}`,
    keys: [`m${n}`],
    at: Date.now(),
  },
  author: { id: 'U1', name: 'Ana', bot: false },
  whose: { way: 'typed' as const, by: 'member' as const },
  content: { kind: 'message', text, addressed: true, forSomeoneElse: false },
})

describeWith('chromium', 'what waits for a person, in a browser', (program) => {
  const { model, browser, lab } = useLab(program, {
    ...{ channels: [chat], env: { AGENT_TOOL_APPROVAL: 'todo=first', AGENT_REPLAN_SKIPS: '0' } },
    ...(redisUrl === null ? {} : { redisUrl }),
  })

  it('is answered and decided in one queue by mouse and keys, is counted above the threads and in the title, and goes at once (C190, C192, C244, C532, C601)', async () => {
    model.on(
      'decision',
      decides.run('Book a room', 'Book a room'),
      decides.run('Plan the offsite', 'Plan the offsite'),
    )
    model.on('plan', plans('Choose'), plans('Note it'))
    model.on('thought', asks('Which room shall I book for the twelfth of March?', ['Blue', 'Red']))
    await chat.intake(said(1, 'Book a room'))
    await model.received(3)
    model.on(
      'thought',
      acts('propose We meet in Lisbon --key city --scope team', 'memory'),
      closes('ok'),
    )
    model.on('replan', ends('Planned.'), ends('Booked.'))
    await chat.intake(said(2, 'Plan the offsite'))
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1280, height: 800 },
    })
    page.setDefaultTimeout(30_000)
    await page.goto(`${lab().clew().url}/#/needs`)
    const needs = page.locator('main [data-need]')
    await page.locator('main').getByText('We meet in Lisbon').waitFor()
    expect(await needs.count()).toBe(2)
    await expect.poll(() => page.title()).toBe('(2) Clew')
    await shot(page, 'needs-1-wide')
    expect(await page.locator('.needs .need-line').count(), 'one line each').toBe(2)
    expect(await page.locator('.needs button').count(), 'answered in the queue alone').toBe(0)
    expect(await page.locator('[data-group="done"] .line').count()).toBe(1)
    expect(await page.locator('[data-group="working"] .line').count(), 'by time').toBe(1)
    await page.setViewportSize({ width: 390, height: 844 })
    await shot(page, 'needs-2-phone')
    await page.goto(`${lab().clew().url}/#/`)
    await page.locator('.line', { hasText: 'Book a room' }).click()
    await page.getByText('This thread continues on another platform').waitFor()
    await shot(page, 'needs-3-thread-phone')
    await page.setViewportSize({ width: 1280, height: 800 })
    await shot(page, 'needs-4-thread-wide')
    await page.locator('.line', { hasText: 'Plan the offsite' }).click()
    await page.locator('main').getByText('We meet in Lisbon').first().waitFor()
    expect(await page.locator('main .offers').count(), 'nothing is said from here').toBe(0)
    await page.getByRole('button', { name: 'What happened' }).click()
    await page.getByText('Made the plan').waitFor()
    await page.goto(`${lab().clew().url}/#/needs`)
    const open = page.locator('main .need[data-open="true"]')
    await open.getByRole('button', { name: /^Remember/ }).waitFor()
    await page.keyboard.press('j')
    await open.getByRole('button', { name: 'Blue' }).waitFor()
    await shot(page, 'needs-5-second-open')
    // Escape leaves an answer for its row, with its words (C532).
    await page.keyboard.press('r')
    await page.keyboard.type('Neither')
    await page.keyboard.press('Escape')
    const focused = page.locator('main [aria-expanded=true]:focus')
    await focused.waitFor()
    expect(await open.getByRole('textbox').inputValue()).toBe('Neither')
    await page.keyboard.press('s')
    await page.getByText('Hidden on this device for now: 1').click()
    await expect.poll(() => page.title()).toBe('(1) Clew')
    await page.getByRole('button', { name: 'Show now' }).click()
    await expect.poll(() => page.title()).toBe('(2) Clew')
    await page.keyboard.press('k')
    await open.getByRole('button', { name: /^Remember/ }).waitFor()
    await page.keyboard.press('x')
    await shot(page, 'needs-5-selected')
    await page.getByRole('button', { name: 'Remember (1)', exact: true }).click()
    await page.locator('main [data-kind="proposal"]').waitFor({ state: 'detached' })
    // Letters typed where something else has the focus are none of the queue's (C601).
    await open.getByRole('button', { name: 'Red' }).focus()
    for (const key of ['s', 'o', '1']) await page.keyboard.press(key)
    expect(await needs.count()).toBe(1)
    expect(page.url()).toContain('#/needs')
    await open.locator('[aria-expanded]').focus()
    await page.keyboard.press('1')
    await needs.first().waitFor({ state: 'detached' })
    await page.locator('main .notes').getByText('Answered: Blue · Book a room').waitFor()
    await page.getByText('Nothing is waiting for you.').waitFor()
    await expect.poll(() => page.title()).not.toMatch(/^\(/)
    // Sends what is held at once, before another test begins.
    const notes = page.locator('main .notes').getByRole('button', { name: 'Close' })
    while ((await notes.count()) > 0) await notes.first().click()
    await expect.poll(() => JSON.stringify(chat.shown)).toContain('Booked.')
    await expect.poll(() => JSON.stringify(chat.shown)).toContain('on Clew’s page')
  })

  it('tries what failed again, or has it as seen, as often as it fails (C190)', async () => {
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1280, height: 800 },
    })
    page.setDefaultTimeout(20_000)
    await page.goto(`${lab().clew().url}/#/needs`)
    const failed = page.locator('main [data-kind="failed"]')
    const tried = () => JSON.stringify(chat.shown).split('Trying again').length - 1
    for (const times of [1, 2]) {
      model.on('decision', decides.run('Count the chairs', 'Count the chairs'))
      model.on('plan', fails('not_configured'), fails('not_configured'))
      await chat.intake({ ...said(3, 'Count the chairs'), keys: [`count ${times}`] })
      await failed.getByRole('button', { name: 'Retry: Count the chairs' }).click()
      await expect.poll(tried).toBe(times)
      await lab().pass(1_000)
      await failed.getByRole('button', { name: 'Seen: Count the chairs' }).click()
      await failed.waitFor({ state: 'detached' })
      const seen = page.locator('.notes .card', { hasText: 'Seen · Count the chairs' })
      await seen.getByRole('button', { name: 'Close' }).click()
      await seen.waitFor({ state: 'detached' })
    }
  })

  it('shows which button of an approval goes on, takes the keyboard and leads into the box (C193, C830)', async () => {
    model.on('decision', decides.run('Note it', 'Note it'))
    model.on('plan', plans('Note it'))
    model.on('thought', acts('add **Call** Ana', 'todo'))
    const id = await lab().say('Note it')
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1280, height: 800 },
    })
    page.setDefaultTimeout(20_000)
    await page.goto(`${lab().clew().url}/#/t/${id}`)
    const card = page.locator('main .question')
    // C600: another browser is another person, who may not.
    await card.getByText('Only Ana or an admin can answer this').waitFor()
    expect(await card.getByRole('button').count()).toBe(0)
    expect(await page.locator('.needs .need-line').count()).toBe(0)
    const row = page.locator('.line', { hasText: 'Note it' })
    await row.getByText('Waits for Ana’s answer').waitFor()
    await page.evaluate(() => localStorage.setItem('clew.person', 'ana'))
    await page.reload()
    await card.getByRole('button', { name: 'Approve' }).waitFor()
    await shot(page, 'needs-6-approval')
    const line = page.locator('.needs .need-line[data-kind="approval"]')
    expect(await line.textContent(), 'a line without marks').not.toContain('```')
    expect(await card.locator('button.primary').allTextContents()).toEqual(['Approve'])
    expect(await card.locator('input').count()).toBe(0)
    await page.getByRole('region', { name: 'Messages' }).focus()
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('scroll')
    const box = page.getByRole('textbox', { name: 'Your message' })
    for (let times = 0; times < 2; times++) {
      await page.getByRole('link', { name: 'New thread' }).click()
      await expect.poll(() => box.evaluate((one) => one === document.activeElement)).toBe(true)
    }
  })

  it.skipIf(redisUrl === null)(
    'says in plain words what this version cannot read, and leads to its thread (C256)',
    async () => {
      model.on('decision', decides.run('Choose a hall', 'Choose a hall'))
      model.on('plan', plans('Choose'))
      model.on('thought', asks('Which hall?', ['Large', 'Small']))
      const id = await lab().say('Choose a hall')
      const page = await browser().newPage({
        locale: 'en-US',
        viewport: { width: 1280, height: 800 },
      })
      page.setDefaultTimeout(20_000)
      await page.goto(`${lab().clew().url}/#/needs`)
      const row = page.locator('main .need').getByRole('button', { name: /Choose a hall/ })
      await row.click()
      await page.locator('main').getByRole('button', { name: 'Large' }).waitFor()
      const redis = new Redis(redisUrl ?? '')
      const { questions } = keysOf('web:local')
      for (const [name, row] of Object.entries(await redis.hgetall(questions)))
        if (row.includes('Which hall?'))
          await redis.hset(questions, name, row.replace('"choices"', '"options"'))
      redis.disconnect()
      await page.reload()
      const need = page.locator('main [data-kind="unreadable"]')
      await need.getByRole('button').first().click()
      await need.locator('p', { hasText: 'This version of Clew cannot read this entry' }).waitFor()
      await shot(page, 'needs-7-unreadable')
      await need.getByRole('link', { name: 'Open the thread' }).click()
      await expect.poll(() => page.url()).toContain(id)
      await page.locator('main').getByText('Choose a hall').first().waitFor()
      await lab().post(`/api/conversations/${id}/messages`, {
        text: 'stop',
        clientMessageId: 'stop-hall',
      })
      await need.waitFor({ state: 'detached' })
    },
  )

  it('takes off what was answered elsewhere at once, without asking for the queue (C265)', async () => {
    model.on('decision', decides.run('Choose a colour', 'Choose a colour'))
    model.on('plan', plans('Choose'))
    model.on('thought', asks('Which colour?', ['Green', 'Yellow']))
    model.on('replan', ends('Chosen.'))
    await chat.intake({ ...said(4, 'Choose a colour'), keys: ['colour'] })
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1280, height: 800 },
    })
    page.setDefaultTimeout(20_000)
    await page.goto(`${lab().clew().url}/#/needs`)
    const need = page.locator('main [data-need]', { hasText: 'Which colour?' })
    await need.waitFor()
    await page.route('**/api/needs-you**', (route) => route.abort())
    await chat.intake({ ...said(4, 'Green'), keys: ['colour 2'] })
    await need.waitFor({ state: 'detached' })
  })

  it('leaves a question open, and the task decides by itself (C909)', async () => {
    model.on('decision', decides.run('Choose a font', 'Choose a font'))
    model.on('plan', plans('Choose'))
    model.on('thought', asks('Which font?', ['Serif', 'Sans']))
    model.on('replan', ends('Took the serif one.'))
    await chat.intake({ ...said(6, 'Choose a font'), keys: ['font'] })
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1280, height: 800 },
    })
    page.setDefaultTimeout(20_000)
    await page.goto(`${lab().clew().url}/#/needs`)
    const need = page.locator('main [data-need]', { hasText: 'Which font?' })
    await need.getByRole('button', { name: 'Choose a font' }).click()
    await need.getByRole('button', { name: 'Go on without an answer' }).click()
    await need.waitFor({ state: 'detached' })
    // The answer is held back for a moment, in which it can be taken back.
    await page.goto('about:blank')
    await model.received(1)
    await expect
      .poll(() => JSON.stringify(chat.shown), { timeout: 20_000 })
      .toContain('Took the serif one.')
    await page.close()
  })

  it('shows all that waits, also of more than one page of it, and takes no second tap (C190, C951)', async () => {
    model.answer(({ contract }) => {
      if (contract === 'decision') return decides.run('Choose', 'Choose')
      return contract === 'plan' ? plans('Choose') : asks('Which one?', ['This', 'That'])
    })
    const total = async () => ((await lab().get('/api/needs-you')) as { total: number }).total
    for (let n = 100; n < 310; n++) await chat.intake(said(n, 'Choose'))
    // What the tests before left may wait, too.
    await expect.poll(total).toBeGreaterThanOrEqual(210)
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1280, height: 800 },
    })
    page.setDefaultTimeout(30_000)
    await page.goto(`${lab().clew().url}/#/needs`)
    const untouched = await page.locator('.opened').evaluate((opened) => {
      const [animation] = opened.getAnimations()
      animation?.pause()
      const pointerAt = (ms: number) => {
        if (animation !== undefined) animation.currentTime = ms
        return getComputedStyle(opened).pointerEvents
      }
      return [pointerAt(400), pointerAt(700)]
    })
    expect(untouched, 'a second tap is not for the next entry (C951)').toEqual(['none', 'auto'])
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect
      .poll(async () => (await page.locator('main [data-need]').count()) - (await total()))
      .toBe(0)
    expect(await total()).toBeGreaterThanOrEqual(210)
    expect(await page.getByRole('button', { name: 'Show all' }).count()).toBe(0)
  })
})
