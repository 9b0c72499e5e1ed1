/** Costs are counted in millionths: whole numbers, which add up the same in whatever order. */
export const million = 1_000_000

/**
 * Writes an amount of a currency (ISO 4217) as people of a language do: to its smallest coin, and
 * what is less than one with two figures.
 */
export function moneyIn(amount: number, currency: string, locale: string): string {
  const money = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const usual = new Intl.NumberFormat(locale, money)
  const coin = 10 ** -(usual.resolvedOptions().maximumFractionDigits ?? 0)
  if (amount === 0 || Math.abs(amount) >= coin) return usual.format(amount)
  return new Intl.NumberFormat(locale, { ...money, maximumSignificantDigits: 2 }).format(amount)
}
