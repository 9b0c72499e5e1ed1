import { z } from 'zod'
import { texts } from '../../locales/texts.ts'
import { jsonIn } from '../domain/clean-text.ts'
import { readTableQuery, TableQuery } from '../domain/table-query.ts'
import type { Artifacts } from '../ports/store.ts'
import type { TableSource, Tables } from '../ports/tables.ts'
import type { Tool, ToolContext, ToolResult } from '../ports/tool.ts'

const { $schema: _, ...fields } = z.toJSONSchema(TableQuery)

const description = `Calculates over tables of this thread: files that people handed in (xlsx, csv, tsv …) and .csv files that tasks saved. Use it for every sum, count, average, share, ranking or comparison over a table: never calculate or count yourself. The input is JSON, as the fields say; null for what is not needed. In order: fill_down, join, derive (new columns of each row), where, group and measures (or rows with columns), afterwards (of results: difference, ratio, share), sort, top, chart (first column names, the others are numbers). Name columns as the table does. The result says which rows and cells were not counted: report that with the number. Where a spelling can be read in two ways it says so: ask.`

/** C880: calculates by data, never by code (S92), over files of the run's own conversation (S5). */
export function createTablesTool(tables: Tables, artifacts: Artifacts): Tool {
  return {
    name: 'tables',
    effect: 'none',
    description,
    fields,
    check(input) {
      const query = readTableQuery(jsonIn(input))
      return typeof query === 'string' ? query : null
    },
    async run(input, context) {
      const query = readTableQuery(jsonIn(input))
      if (typeof query === 'string') return failed(`The fields are not right: ${query}`)
      const names = [query.file, query.join?.file ?? query.file]
      const sources: TableSource[] = []
      for (const name of new Set(names)) {
        const source = await sourceNamed(artifacts, name, context)
        if (typeof source === 'string') return failed(source)
        sources.push(source)
      }
      const computed = await tables.compute({ sources, query }, context.signal)
      if ('problem' in computed)
        return failed(texts(context.locale).files.problems[computed.problem]('tables', ''))
      const { ok, text, image } = computed
      if (image === undefined) return { ok, text }
      const { base64, alt } = image
      const file = { name: nameOf(query.chart?.title ?? ''), type: 'image/png', base64, alt }
      return { ok, text: `${text}\nThe chart is shown in the thread.`, files: [file] }
    },
  }
}

/** File of the conversation by its name, or why there is none, in words. */
async function sourceNamed(
  artifacts: Artifacts,
  name: string,
  { workspace, conversationId, person }: ToolContext,
): Promise<TableSource | string> {
  const [names, saved] = await Promise.all([
    artifacts.keptNames(workspace, conversationId, person?.id),
    artifacts.saved(workspace, conversationId),
  ])
  const isNamed = (one: string) => one.toLowerCase() === name.trim().toLowerCase()
  const own = saved.find((one) => isNamed(one.name))
  if (own !== undefined) return { name, text: own.text }
  const known = names.find(isNamed)
  const document =
    known === undefined ? null : await artifacts.kept(workspace, conversationId, known, person?.id)
  if (document?.cells !== undefined) return { name, cells: document.cells }
  if (document !== null) return `${known} has no table that can be calculated over`
  const all = [...names, ...saved.map((one) => one.name)].map((one) => `“${one}”`)
  return all.length === 0
    ? 'nobody has handed in a file here, and none was saved'
    : `there is no file “${name}”; there are ${all.join(', ')}`
}

/** File name of a chart: its title in letters that every system takes. */
const nameOf = (title: string) =>
  `${
    title
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'chart'
  }.png`

const failed = (text: string): ToolResult => ({ ok: false, text })
