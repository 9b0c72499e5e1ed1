import { usePage } from './context.ts'

/** Formats numbers as people of the language write them. */
export function useNumbers() {
  const { language } = usePage().state
  const format = (options: Intl.NumberFormatOptions) => (value: number) =>
    new Intl.NumberFormat(language, options).format(value)
  return {
    count: format({}),
    short: format({ notation: 'compact', maximumFractionDigits: 1 }),
    cost: format({ minimumFractionDigits: 2, maximumFractionDigits: 4 }),
  }
}
