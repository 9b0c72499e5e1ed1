import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { max, min } from 'd3-array'
import { scaleBand, scaleLinear } from 'd3-scale'
import { arc, line, pie } from 'd3-shape'
import type { Chart } from '../../../agent/domain/table-query.ts'
import type { Drawing } from '../../../agent/ports/tables.ts'
import { amountInWords, type Cell, isAmount, wordsOf } from './cells.ts'
import type { Result } from './compute.ts'
import { Unusable } from './frame.ts'

interface Series {
  name: string
  values: (number | null)[]
}

interface Plot {
  labels: string[]
  series: Series[]
}

const pathOf = (file: string) => fileURLToPath(import.meta.resolve(file))
await initWasm(readFileSync(pathOf('@resvg/resvg-wasm/index_bg.wasm')))
const font = readFileSync(
  fileURLToPath(
    new URL(
      'standard_fonts/LiberationSans-Regular.ttf',
      import.meta.resolve('pdfjs-dist/package.json'),
    ),
  ),
)

const size = { width: 960, height: 540 }
const area = { left: 90, right: 930, top: 70, bottom: 430 }
const most = { labels: 40, series: 6, slices: 8, letters: 18 }
/** Colours that people with colour blindness can tell apart (Okabe and Ito). */
const colours = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#d55e00',
  '#999999',
  '#000',
]

/**
 * Draws a result as a PNG: its first column of words is what is drawn, its numbers how large
 * (C884).
 */
export function draw(result: Result, chart: Chart): Drawing {
  const plot = plotOf(result, chart)
  const shown = drawable(plot)
  const body = chart.kind === 'pie' ? pieOf(shown.plot) : axesOf(shown.plot, chart.kind)
  const title = shown.keys.length === 0 || isDrawable(chart.title) ? chart.title : ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" font-family="Liberation Sans" font-size="14" fill="#222"><rect width="100%" height="100%" fill="#fff"/>${words(isDrawable(title) ? title.slice(0, 80) : '', size.width / 2, 34, 'middle', 20)}${body}</svg>`
  const png = new Resvg(svg, {
    font: { fontBuffers: [font], defaultFontFamily: 'Liberation Sans' },
  })
    .render()
    .asPng()
  return { base64: Buffer.from(png).toString('base64'), alt: altOf(plot, chart, shown.keys) }
}

function plotOf({ columns, rows }: Result, { kind }: Chart): Plot {
  const isNumber = (cell: Cell | undefined) => typeof cell === 'number' || isAmount(cell ?? null)
  const measured = columns.map((_, at) => rows.some((row) => isNumber(row[at])))
  const numbers = columns.flatMap((_, at) => (measured[at] && at > 0 ? [at] : []))
  if (numbers.length === 0 || rows.length === 0)
    throw new Unusable(
      'a chart needs a first column to name what is drawn, and a column of numbers',
    )
  if (rows.length > most.labels)
    throw new Unusable(
      `a chart shows at most ${most.labels} rows, and there are ${rows.length}: group more coarsely, or sort and take the top`,
    )
  if (numbers.length > most.series || (kind === 'pie' && numbers.length > 1))
    throw new Unusable(
      `a ${kind} chart shows at most ${kind === 'pie' ? 1 : most.series} columns of numbers`,
    )
  const names = columns.map((_, at) => at).filter((at) => at === 0 || !measured[at])
  const series = numbers.map((at) => ({
    name: columns[at] ?? '',
    values: rows.map((row) => heightOf(row[at] ?? null)),
  }))
  const plot = {
    labels: rows.map((row) => names.map((at) => wordsOf(row[at] ?? null)).join(', ')),
    series,
  }
  const isWhole = (values: Series['values']) =>
    values.every((one) => one === null || one >= 0) && values.some((one) => one !== null && one > 0)
  if (kind === 'pie' && !series.every(({ values }) => isWhole(values)))
    throw new Unusable('a pie shows parts of a whole: no number below zero, and one above it')
  return plot
}

function heightOf(cell: Cell): number | null {
  if (typeof cell === 'number') return cell
  return isAmount(cell) ? cell.value * (cell.unit === '%' ? 100 : 1) : null
}

/** True if the font has the letters. */
const isDrawable = (text: string) =>
  !/[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Zs}\p{Sc}\p{M}+<>=|~^]|[\u3000-\u303f\uff00-\uffef]/u.test(
    text,
  )

/** Names that the font lacks stand as numbers in the picture; the text says what each means. */
function drawable(plot: Plot): { plot: Plot; keys: string[] } {
  const keys: string[] = []
  const short = (name: string) => {
    if (isDrawable(name))
      return name.length > most.letters ? `${name.slice(0, most.letters)}…` : name
    keys.push(name)
    return String(keys.length)
  }
  const labels = plot.labels.map(short)
  const series = plot.series.map((one) => ({ ...one, name: short(one.name) }))
  return { plot: { labels, series }, keys }
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/\p{Cc}/gu, ' ')

const words = (text: string, x: number, y: number, anchor = 'start', letters = 14) =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="${letters}">${escaped(text)}</text>`

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 })

const colour = (at: number) => colours[at % colours.length] ?? '#000'

function axesOf({ labels, series }: Plot, kind: 'bar' | 'line'): string {
  const values = series.flatMap((one) => one.values.flatMap((value) => value ?? []))
  const range: [number, number] = [Math.min(0, min(values) ?? 0), Math.max(0, max(values) ?? 0)]
  const y = scaleLinear().domain(range).nice().range([area.bottom, area.top])
  const x = scaleBand<number>()
    .domain(labels.map((_, at) => at))
    .range([area.left, area.right])
    .padding(0.2)
  const middle = (at: number) => (x(at) ?? 0) + x.bandwidth() / 2
  const grid = y.ticks(6).map((tick) => {
    const at = y(tick)
    const mark = `<line x1="${area.left}" x2="${area.right}" y1="${at}" y2="${at}" stroke="${tick === 0 ? '#444' : '#ddd'}"/>`
    return `${mark}${words(compact.format(tick), area.left - 8, at + 5, 'end')}`
  })
  const names = labels.map((label, at) => {
    const place = `${middle(at)} ${area.bottom + 18}`
    const isTight = labels.length > 6
    const turned = isTight ? ` transform="rotate(-40 ${place})"` : ''
    return `<text x="${middle(at)}" y="${area.bottom + 18}" text-anchor="${isTight ? 'end' : 'middle'}" font-size="13"${turned}>${escaped(label)}</text>`
  })
  const marks = series.map((one, at) =>
    kind === 'line'
      ? lineOf(one, middle, y, colour(at))
      : barsOf(one, at, { x, y, count: series.length }),
  )
  const legend = series.length > 1 ? series.map(({ name }, at) => keyOf(name, at)) : []
  return [...grid, ...marks, ...names, ...legend].join('')
}

const keyOf = (name: string, at: number): string => {
  const x = area.left + at * 140
  return `<rect x="${x}" y="46" width="12" height="12" fill="${colour(at)}"/>${words(name, x + 18, 57, 'start', 13)}`
}

function lineOf(
  { values }: Series,
  x: (at: number) => number,
  y: (value: number) => number,
  stroke: string,
): string {
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, at) => x(at))
    .y((value) => y(value ?? 0))(values)
  const dots = values.map((value, at) =>
    value === null ? '' : `<circle cx="${x(at)}" cy="${y(value)}" r="4" fill="${stroke}"/>`,
  )
  return `<path d="${path ?? ''}" fill="none" stroke="${stroke}" stroke-width="3"/>${dots.join('')}`
}

interface Bars {
  x: ReturnType<typeof scaleBand<number>>
  y: (value: number) => number
  /** Number of bars beside each other. */
  count: number
}

function barsOf({ values }: Series, at: number, { x, y, count }: Bars): string {
  const width = x.bandwidth() / count
  const bars = values.map((value, row) => {
    if (value === null) return ''
    const [top, bottom] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))]
    const left = (x(row) ?? 0) + at * width
    const bar = `<rect x="${left}" y="${top}" width="${width}" height="${bottom - top}" fill="${colour(at)}"/>`
    const isRoomy = values.length * count <= 16
    return isRoomy
      ? `${bar}${words(compact.format(value), left + width / 2, top - 5, 'middle', 12)}`
      : bar
  })
  return bars.join('')
}

function pieOf({ labels, series: [one] }: Plot): string {
  const all = labels.map((label, at) => ({ label, value: one?.values[at] ?? 0 }))
  const sorted = all.sort((a, b) => b.value - a.value)
  const rest = sorted.slice(most.slices - 1)
  const slices =
    sorted.length <= most.slices
      ? sorted
      : [
          ...sorted.slice(0, most.slices - 1),
          { label: '…', value: rest.reduce((sum, { value }) => sum + value, 0) },
        ]
  const total = slices.reduce((sum, { value }) => sum + value, 0)
  const shape = arc<{ startAngle: number; endAngle: number }>().innerRadius(0).outerRadius(190)
  const parts = pie<{ value: number }>()
    .sort(null)
    .value(({ value }) => value)(slices)
  const drawn = parts.map(
    (part, at) =>
      `<path d="${shape(part) ?? ''}" fill="${colour(at)}" stroke="#fff" stroke-width="2"/>`,
  )
  const keys = slices.map(({ label, value }, at) => {
    const y = 130 + at * 36
    const share = `${((value / total) * 100).toFixed(1)} %`
    return `<rect x="580" y="${y}" width="16" height="16" fill="${colour(at)}"/>${words(`${label}: ${share}`, 606, y + 13, 'start', 16)}`
  })
  return `<g transform="translate(300 285)">${drawn.join('')}</g>${keys.join('')}`
}

const kinds = { bar: 'Bar chart', line: 'Line chart', pie: 'Pie chart' }

function altOf({ labels, series }: Plot, { kind, title }: Chart, keys: readonly string[]): string {
  const figures = labels.map((label, at) => {
    const values = series.map(({ values: all }) => {
      const value = all[at] ?? null
      return value === null ? '–' : amountInWords({ value, unit: '' })
    })
    return `${label} ${values.join(' / ')}`
  })
  const names = series.map(({ name }) => name).join(' / ')
  const legend = keys.map((name, at) => `${at + 1} = ${name}`)
  return [`${kinds[kind]}: ${title} (${names}). ${figures.join('; ')}.`, ...legend]
    .join(' ')
    .slice(0, 1_000)
}
