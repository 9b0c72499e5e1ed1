import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { acts, asks, closes, decides, ends, fails, hangs, plans } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { paleUnderTheMouse } from './contrast.ts'
import { useLab } from './lab.ts'

/** What is violated on the page as it is: the rule, and where. */
export async function violations(page: Page): Promise<string[]> {
  // It stays while the address changes behind the # alone.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return await page.evaluate(async () => {
    interface Axe {
      run(options: { resultTypes: ['violations'] }): Promise<{ violations: Violation[] }>
    }
    // Only what is loaded above knows it.
    const { run } = (globalThis as unknown as { axe: Axe }).axe
    interface Violation {
      id: string
      nodes: { html: string; failureSummary: string }[]
    }
    const found = (await run({ resultTypes: ['violations'] })).violations
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    )
  })
}

const pages = [
  '',
  'new',
  'needs',
  'schedules',
  'calendar',
  'todos',
  'memory',
  'costs',
  'audit',
  'setup',
  'manual/slack',
].map((name) => `/#/${name}`)
export interface Look {
  viewport: { width: number; height: number }
  colorScheme: 'light' | 'dark'
}

/** What is said, and in which state its thread is then. */
const threads = {
  'Ask me': '[data-question], .question',
  'Approve it': '.question button.primary',
  'Report it': 'text=All of it is done.',
  'Fail it': 'text=failed',
  'Think long': 'text=Look around',
} as const

/** A suite that judges every page, and every state of a thread, in these looks. */
export function itIsAccessible(looks: readonly Look[]): void {
  describeWith('chromium', 'the page, for people who do not see it or see it badly', (program) => {
    const { model, browser, lab } = useLab(program, { env: { AGENT_TOOL_APPROVAL: 'todo=always' } })

    async function fill(): Promise<string[]> {
      model.answer(({ contract, input }) => {
        const goal =
          'goal' in input ? String(input.goal) : 'message' in input ? String(input.message) : ''
        const isAnswered =
          'observations' in input &&
          Array.isArray(input.observations) &&
          input.observations.length > 0
        if (contract === 'decision')
          return goal === 'Hello' ? decides.reply('# Hello\n\n- one\n- `two`') : decides.run(goal)
        if (contract === 'plan') return plans('Look around', 'Write it down')
        if (contract === 'replan')
          return ends(
            'All of it is done. See <https://example.com>\n\n```js\nlet a = f("b", 1) // c\n```',
          )
        if (goal === 'Ask me') return asks('Which city?', ['Lisbon', 'Porto'])
        if (goal === 'Approve it' && !isAnswered) return acts('add Milk')
        if (goal === 'Fail it') return fails('not_configured')
        return goal === 'Think long' ? hangs() : closes('ok')
      })
      const { url } = lab().clew()
      const say = async (text: string) => {
        const body = JSON.stringify({
          text,
          clientMessageId: text,
          author: { id: 'ana', name: 'Ana' },
        })
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch(`${url}/api/conversations`, { method: 'POST', headers, body })
        return ((await answer.json()) as { id: string }).id
      }
      const ids = []
      for (const text of [
        'Hello',
        '/todo add Buy milk --due tomorrow',
        '/schedule add every weekday at 9 List it',
        ...Object.keys(threads),
      ])
        ids.push(await say(text))
      return ids.slice(-Object.keys(threads).length)
    }

    it('violates no rule of axe on any page and in any state of a thread, in both themes; no two states share a colour (C259); buttons stay readable under the mouse (C518)', async () => {
      const ids = await fill()
      const url = lab().clew().url ?? ''
      const found: string[] = []
      for (const { viewport, colorScheme } of looks) {
        const page = await browser().newPage({
          locale: 'en-US',
          viewport,
          colorScheme,
          reducedMotion: 'reduce',
        })
        page.setDefaultTimeout(30_000)
        // Who asked for it is who may approve it.
        await page.addInitScript(() => localStorage.setItem('clew.person', 'ana'))
        const seen = new Set<string>()
        const look = async (what: string) => {
          const name = `${what} ${viewport.width} ${colorScheme}`
          await shot(page, `axe-${name.replaceAll(/\W+/g, '-')}`)
          found.push(...(await violations(page)).map((one) => `${name}: ${one}`))
          const pale = await paleUnderTheMouse(page, seen)
          found.push(...pale.map((one) => `${name}: ${one}`))
        }
        for (const hash of pages) {
          await page.goto(url + hash)
          await page.locator('h1:visible, h2:visible').first().waitFor()
          await look(hash)
        }
        for (const [at, [text, shown]] of Object.entries(threads).entries()) {
          await page.goto(`${url}/#/t/${ids[at]}`)
          await page.locator('main').locator(shown).first().waitFor()
          await look(text)
        }
        await page.goto(`${url}/#/new`)
        await page.getByRole('textbox', { name: 'Your message' }).pressSequentially('/t')
        await page.locator('[role=option][aria-selected=true]').waitFor()
        await look('completion')
        await page.keyboard.press('Control+k')
        await page.locator('.palette [role=option][aria-selected=true]').waitFor()
        await look('palette')
        await page.keyboard.press('Escape')
        await page.getByRole('textbox', { name: 'Your message' }).fill('Hello')
        await page.keyboard.press('Enter')
        await page.locator('.own').waitFor()
        await page.keyboard.press('ArrowUp')
        await page.getByRole('textbox', { name: 'Change your message' }).waitFor()
        await look('one’s own message')
        const tones = await page.evaluate(() =>
          ['running', 'awaiting_clarification', 'paused', 'failed', 'succeeded'].map((status) => {
            const dot = document.body.appendChild(
              Object.assign(document.createElement('i'), { className: 'dot' }),
            )
            dot.dataset.status = status
            return getComputedStyle(dot).backgroundColor
          }),
        )
        expect(
          new Set(tones).size,
          `a colour of its own for each state, ${colorScheme}: ${tones.join(' ')}`,
        ).toBe(5)
        expect([...seen]).toContain('div.card question div.row choices button.primary')
        expect(seen.size, 'kinds of buttons').toBeGreaterThan(30)
        await page.close()
      }
      expect(found).toEqual([])
    })
  })
}
