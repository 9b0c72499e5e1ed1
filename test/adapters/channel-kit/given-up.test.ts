import { expect, it } from 'vitest'
import { controls } from '../../../src/adapters/channel-kit/progress.ts'
import { renderPlan as onDiscord } from '../../../src/adapters/discord/render-plan.ts'
import { renderPlan as onSlack } from '../../../src/adapters/slack/render-plan.ts'
import { isLive } from '../../../src/adapters/web/page/state.ts'
import { type ProgressView, progressOf } from '../../../src/agent/domain/progress.ts'
import type { Run } from '../../../src/agent/domain/run.ts'
import { texts } from '../../../src/locales/texts.ts'

const run = { id: 'r_1', title: 'Book the offsite', status: 'given_up' } as Run
const view: ProgressView = {
  ...progressOf(run, null),
  items: [{ text: 'Find venues', done: true }],
  done: 1,
}

it.each([
  ['en', /given up|gave up/i, /\b(?:done|completed)\b/i],
  ['zh', /没能办成/, /已完成|完成了/],
])(
  'says on every card that work was given up, and never that it is done, in %s (C501)',
  (locale, is, isNot) => {
    for (const shown of [onSlack(view, locale), onDiscord(view, locale)]) {
      const text = JSON.stringify(shown)
      expect(text).toMatch(is)
      expect(text).not.toMatch(isNot)
    }
    expect(texts(locale).slack.unanswered.given_up).toMatch(is)
  },
)

it('may be tried again, and goes on no more (C501)', () => {
  expect(controls.given_up).toEqual(['retry'])
  expect(isLive('given_up')).toBe(false)
})
