import { expect, it } from 'vitest'
import { shownTitle } from '../../src/adapters/thread-title.ts'

const at = Date.parse('2026-11-25T23:30:00Z')
const thread = (title: string, locale = 'en') => ({
  title,
  locale,
  createdAt: at,
  timeZone: 'Europe/Berlin',
})

it.each([
  ['Task completed: Post the numbers', 'en', 'Post the numbers · Nov 26'],
  ['Task failed: Post the numbers', 'en', 'Post the numbers · Nov 26'],
  ['Question: Which room?', 'en', 'Which room? · Nov 26'],
  ['任务已取消：发布数字', 'zh', '发布数字 · 11月26日'],
  ['Book the offsite', 'en', 'Book the offsite'],
])('shows what a thread is about and its day: %s (C449)', (title, locale, shown) => {
  expect(shownTitle(thread(title, locale))).toBe(shown)
})
