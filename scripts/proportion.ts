/**
 * Prints how many lines of source each area of the product has beside what it may have.
 *
 * Run with `npm run proportion`; exits 1 when an area is over its budget. What counts: every line of TypeScript,
 * JavaScript, CSS and HTML below `src/` and `scripts/`. A change that needs more raises its budget here and says why in
 * its commit, so that growth is a decision and never an accident.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An area is what its paths begin with; a file belongs to the first area that has a prefix of its path. */
interface Area {
  readonly name: string
  readonly most: number
  readonly paths: readonly string[]
  /** Only files that end like this; any where it is left out. */
  readonly ending?: string
}

export const areas: readonly Area[] = [
  { name: 'stand-in model', most: 800, paths: ['src/agent/model/rehearsal'] },
  { name: 'commands', most: 2_400, paths: ['src/agent/commands', 'src/commands.ts'] },
  { name: 'Slack', most: 2_600, paths: ['src/adapters/slack/'] },
  { name: 'Discord', most: 2_500, paths: ['src/adapters/discord/'] },
  { name: 'page, CSS', most: 1_200, paths: ['src/adapters/web/page/'], ending: '.css' },
  { name: 'page', most: 1_900, paths: ['src/adapters/web/page/'] },
  { name: 'web routes and server', most: 1_900, paths: ['src/adapters/web/'] },
  {
    name: 'the rest',
    most: 3_800,
    paths: ['src/adapters/coding/', 'src/adapters/mcp/', 'src/adapters/home/', 'src/adapters/library/', 'scripts/'],
  },
  { name: 'what channels share', most: 1_000, paths: ['src/adapters/'] },
  { name: 'strategies', most: 1_700, paths: ['src/agent/strategies/'] },
  {
    name: 'domain, ports and contracts',
    most: 2_800,
    paths: ['src/agent/domain/', 'src/agent/ports/', 'src/agent/contracts'],
  },
  { name: 'other model code', most: 1_450, paths: ['src/agent/model/'] },
  { name: 'tools', most: 1_000, paths: ['src/agent/tools/'] },
  { name: 'verbs and kernel', most: 4_400, paths: ['src/agent/'] },
  { name: 'store', most: 3_450, paths: ['src/store/'] },
  { name: 'locales', most: 2_100, paths: ['src/locales/'] },
  { name: 'the rest', most: 3_800, paths: ['src/'] },
]

export interface Row {
  readonly name: string
  readonly lines: number
  readonly most: number
}

/** Lines per area, areas of one name added up; `files` are paths from the root with their source. */
export function proportion(files: readonly { path: string; source: string }[]): Row[] {
  const rows = new Map(areas.map(({ name, most }) => [name, { name, lines: 0, most }]))
  for (const { path, source } of files) {
    const area = areas.find(
      ({ paths, ending = '' }) => path.endsWith(ending) && paths.some((one) => path.startsWith(one)),
    )
    const row = area === undefined ? undefined : rows.get(area.name)
    if (row !== undefined) row.lines += source.split('\n').length - 1
  }
  return [...rows.values()]
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const files = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:ts|js|mjs|css|html)$/.test(path))
      .map((path) => ({ path: `${folder}/${path}`, source: readFileSync(join(root, folder, path), 'utf8') })),
  )
  const rows = proportion(files)
  const total = rows.reduce((sum, { lines, most }) => ({ lines: sum.lines + lines, most: sum.most + most }), {
    lines: 0,
    most: 0,
  })
  for (const { name, lines, most } of [...rows, { name: 'all', ...total }]) {
    const over = lines > most ? `${lines - most} over` : ''
    console.log(`${name.padEnd(28)}${String(lines).padStart(7)} of${String(most).padStart(7)}  ${over}`.trimEnd())
  }
  if (rows.some(({ lines, most }) => lines > most)) process.exitCode = 1
}
