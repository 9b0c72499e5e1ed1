import type { FiguresView, Sums } from '../figures.ts'
import { usePage } from './context.ts'
import { useNumbers } from './numbers.ts'

export type Measure = 'runs' | 'tokens' | 'cost'

const measured: Record<Measure, (sums: Sums) => number> = {
  runs: ({ runs }) => runs,
  tokens: ({ promptTokens, completionTokens }) => promptTokens + completionTokens,
  cost: ({ cost }) => cost,
}

/** Widths for one day, in units of the drawing; its height is 100. */
const [placeWidth, barWidth] = [10, 7]

/** Chart with a bar per day. The table beneath it holds the same figures. */
export function Chart(props: {
  days: FiguresView['days']
  measure: Measure
  currency: string | null
}) {
  const { days, measure, currency } = props
  const { words, state } = usePage()
  const { count, short, cost } = useNumbers(currency)
  const show = { runs: count, tokens: short, cost }[measure]
  const values = days.map(measured[measure])
  const highest = Math.max(...values)
  const date = new Intl.DateTimeFormat(state.language, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  const label = words.costs.chart(words.costs.measures[measure], show(highest))
  return (
    <figure class="chart">
      <span class="hint">{show(highest)}</span>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${days.length * placeWidth} 100`}
        preserveAspectRatio="none"
      >
        {values.map((value, at) => {
          const height = highest === 0 ? 0 : (value / highest) * 100
          const day = days[at]?.day ?? ''
          return (
            <rect key={day} x={at * placeWidth} y={100 - height} width={barWidth} height={height}>
              <title>{`${date.format(Date.parse(day))}: ${show(value)}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption class="row hint">
        <span>{date.format(Date.parse(days[0]?.day ?? ''))}</span>
        <span class="end">{date.format(Date.parse(days.at(-1)?.day ?? ''))}</span>
      </figcaption>
    </figure>
  )
}
