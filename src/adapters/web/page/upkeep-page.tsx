import { useState } from 'preact/hooks'
import type { FiguresRow, FiguresView, Sums } from '../figures.ts'
import { nameOf } from '../names.ts'
import { useList } from './api-hooks.ts'
import { Chart, type Measure } from './chart.tsx'
import { usePage } from './context.ts'
import { Choice } from './controls.tsx'
import { Health } from './health.tsx'
import { ListPage } from './list-page.tsx'
import { useNumbers } from './numbers.ts'
import { lasted, localeOf } from './time.ts'
import { Forecasts, Votes } from './votes.tsx'

const periods = [7, 30, 90] as const
/** Tables below the state of each part; that of people stands above it. */
const dimensions = ['channel', 'schedule', 'model'] as const
/**
 * Interval of fetching figures, in ms. Unlike other lists, they are not fetched at every message.
 */
const everyMs = 60_000
/** Most rows of a table; the CSV has all. */
const rowsMost = 20

/** C228: page of costs and health, for operators. */
export function Upkeep() {
  const { costs: words } = usePage().words
  const [days, setDays] = useState<(typeof periods)[number]>(30)
  const { value, problem } = useList<FiguresView>(`/api/figures?days=${days}`, everyMs)
  const form = (
    <div class="row">
      <Choice
        legend={words.period}
        values={periods}
        labels={words.periods}
        chosen={days}
        choose={setDays}
      />
      <a class="button end" href={`/api/figures.csv?days=${days}`} download>
        {words.csv}
      </a>
    </div>
  )
  return (
    <ListPage
      title={words.title}
      none=""
      count={value && 1}
      problem={problem}
      form={form}
      style="sheet upkeep"
    >
      {value !== null && <Figures figures={value} />}
      <Forecasts />
      <Votes />
      <Health />
      {value !== null &&
        isUsed(value) &&
        dimensions.map((by) => (
          <Dimension key={by} by={by} rows={value[by]} currency={value.currency} />
        ))}
    </ListPage>
  )
}

const isAny = ({ runs, promptTokens, completionTokens }: Sums) =>
  runs + promptTokens + completionTokens > 0
const isUsed = ({ total }: FiguresView) => isAny(total)

function Figures({ figures }: { figures: FiguresView }) {
  const {
    state,
    words: { costs: words },
  } = usePage()
  const { total, currency, days, timeZone } = figures
  const date = new Intl.DateTimeFormat(localeOf(state.language), {
    dateStyle: 'medium',
    timeZone: 'UTC',
  })
  const measures: readonly Measure[] =
    currency === null ? ['runs', 'tokens'] : ['runs', 'tokens', 'cost']
  const [measure, setMeasure] = useState<Measure>('tokens')
  if (!isUsed(figures)) return <p class="notice">{words.none}</p>
  return (
    <>
      <Totals total={total} currency={currency} />
      {currency === null && <p class="notice small">{words.noPrices}</p>}
      <section class="stack" aria-label={words.perDay}>
        <div class="row">
          <h2>{words.perDay}</h2>
          <Choice
            legend={words.perDay}
            values={measures}
            labels={words.measures}
            chosen={measure}
            choose={setMeasure}
          />
        </div>
        <Chart days={days} measure={measure} currency={currency} />
        <p class="hint">{words.zone(timeZone)}</p>
        <details>
          <summary class="small">{words.asTable}</summary>
          <Table
            caption={words.perDay}
            head={words.day}
            currency={currency}
            rows={days
              .filter((row) => isAny(row))
              .toReversed()
              .map((row) => [date.format(Date.parse(row.day)), row])}
          />
        </details>
      </section>
      <Dimension by="person" rows={figures.person} currency={currency} />
    </>
  )
}

function Totals({ total, currency }: { total: Sums; currency: string | null }) {
  const { costs: words } = usePage().words
  const show = useNumbers(currency)
  const { runs, succeeded, early, failed, canceled } = total
  const { seconds, promptTokens, completionTokens } = total
  const ended = words.ended([succeeded - early, early, failed, canceled].map(show.count))
  return (
    <dl class="totals">
      <Total name={words.measures.runs} value={show.count(runs)} more={ended} />
      <Total
        name={words.measures.time}
        value={lasted(seconds * 1000)}
        more={runs === 0 ? '' : words.each(lasted((seconds * 1000) / runs))}
      />
      <Total
        name={words.measures.tokens}
        value={show.short(promptTokens + completionTokens)}
        more={words.inAndOut(show.short(promptTokens), show.short(completionTokens))}
      />
      {currency !== null && (
        <Total name={words.measures.cost} value={show.cost(total.cost)} more="" />
      )}
    </dl>
  )
}

const Total = ({ name, value, more }: { name: string; value: string; more: string }) => (
  <div class="card">
    <dt class="small">{name}</dt>
    <dd>{value}</dd>
    {more !== '' && <dd class="hint">{more}</dd>}
  </div>
)

function Dimension(props: {
  by: 'person' | (typeof dimensions)[number]
  rows: readonly FiguresRow[]
  currency: string | null
}) {
  const { by, rows, currency } = props
  const { state, words: all } = usePage()
  const { costs: words } = all
  const nameIn = ({ name, id }: FiguresRow): string | null =>
    name && by === 'person' ? nameOf({ id, name }, state.person.id, all) : name
  const namesakes = (name: string) => rows.filter((row) => nameIn(row) === name).length
  // The id is shown if no name is known, and where two people have the same name (C626).
  const labelOf = (row: FiguresRow) => {
    const name = nameIn(row)
    if (!name) return row.id
    return namesakes(name) > 1 ? `${name} (${row.id.split(/[ /:]/).at(-1)?.slice(0, 6)})` : name
  }
  const shown = rows.slice(0, rowsMost).map((row) => [labelOf(row), row] as const)
  return (
    <section class="stack" aria-label={words.by[by]}>
      <h2>{words.by[by]}</h2>
      {rows.length === 0 ? (
        <p class="hint">{words.noneOf[by]}</p>
      ) : (
        <Table
          caption={words.by[by]}
          head={words.name}
          currency={currency}
          rows={shown}
          isRunless={by === 'model'}
        />
      )}
      {rows.length > rowsMost && <p class="hint">{words.more(rows.length - rowsMost)}</p>}
    </section>
  )
}

type Columns = readonly (readonly [string, (sums: Sums) => string])[]

function Table(props: {
  caption: string
  head: string
  currency: string | null
  rows: readonly (readonly [string, Sums])[]
  /** True if the rows have no figures of runs. */
  isRunless?: boolean
}) {
  const { costs: words } = usePage().words
  const { caption, head, currency, rows, isRunless = false } = props
  const show = useNumbers(currency)
  const ofRuns: Columns = [
    [words.measures.runs, ({ runs }) => show.count(runs)],
    [words.states.failed, ({ failed }) => show.count(failed)],
    [words.measures.time, ({ seconds }) => (seconds === 0 ? '–' : lasted(seconds * 1000))],
  ]
  const tokens: Columns = [
    [words.measures.tokens, (sums) => show.short(sums.promptTokens + sums.completionTokens)],
  ]
  const costs: Columns = [[words.measures.cost, ({ cost }) => show.cost(cost)]]
  const cells = [...(isRunless ? [] : ofRuns), ...tokens, ...(currency === null ? [] : costs)]
  return (
    <div class="table" tabindex={0} role="group" aria-label={caption}>
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {cells.map(([name]) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, sums]) => (
            <tr key={name}>
              <th scope="row" dir="auto">
                {name}
              </th>
              {cells.map(([column, cell]) => (
                <td key={column}>{cell(sums)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
