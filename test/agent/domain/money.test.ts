import { expect, it } from 'vitest'
import { moneyIn } from '../../../src/agent/domain/money.ts'

it.each([
  [0.6, 'USD', 'en', '$0.60'],
  [0.1626, 'USD', 'en', '$0.16'],
  [0.00061, 'USD', 'en', '$0.00061'],
  [1234.5, 'EUR', 'en', '€1,234.50'],
  [0, 'USD', 'zh', '$0.00'],
  [12.3, 'CNY', 'zh', '¥12.30'],
  [1250, 'JPY', 'en', '¥1,250'],
  [0.51, 'JPY', 'en', '¥0.51'],
])('writes %d %s for readers of %s as %s (C950)', (amount, currency, locale, text) => {
  expect(moneyIn(amount, currency, locale)).toBe(text)
})
