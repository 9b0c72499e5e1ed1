import { moneyIn } from '../../../agent/domain/money.ts'
import { usePage } from './context.ts'

/** Formats numbers as people of the language write them. Without a currency no cost is known. */
export function useNumbers(currency: string | null | undefined = null) {
  const { language } = usePage().state
  const format = (options: Intl.NumberFormatOptions) => (value: number) =>
    new Intl.NumberFormat(language, options).format(value)
  return {
    count: format({}),
    short: format({ notation: 'compact', maximumFractionDigits: 1 }),
    cost: (value: number) => (currency == null ? '' : moneyIn(value, currency, language)),
  }
}
