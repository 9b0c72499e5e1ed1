/**
 * Prints how many lines of source each area of the product has beside what it may have and what it is to come down to, and
 * how many functions are longer than 40 lines of code. A file of more than 300 lines, and no other, has its reason here.
 *
 * Run with `npm run proportion`; exits 1 when an area is over what it may have. What counts: every line of TypeScript,
 * JavaScript, CSS and HTML below `src/` and `scripts/`. A change that makes an area smaller lowers `most` with it; one that
 * needs more raises it and says why in its commit, so that growth is a decision and never an accident.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lines that an area may have now (`most`), and those that it is to come down to (`aim`). */
const budgets = {
  'stand-in model': { most: 760, aim: 800 },
  commands: { most: 4_461, aim: 2_400 },
  Slack: { most: 4_181, aim: 2_600 },
  Discord: { most: 4_085, aim: 2_500 },
  'what channels share': { most: 1_729, aim: 1_000 },
  'web routes and server': { most: 5_788, aim: 1_900 },
  page: { most: 6_265, aim: 1_900 },
  'page, CSS': { most: 2_071, aim: 1_200 },
  'verbs and kernel': { most: 7_702, aim: 4_400 },
  'domain, ports and contracts': { most: 5_126, aim: 2_800 },
  strategies: { most: 2_452, aim: 1_700 },
  'other model code': { most: 3_557, aim: 1_450 },
  tools: { most: 1_288, aim: 1_000 },
  store: { most: 6_727, aim: 3_450 },
  locales: { most: 3_907, aim: 2_100 },
  'the rest': { most: 6_301, aim: 3_800 },
} as const
const longFunctions = { most: 12, aim: 25 }
/** Files of more than 300 lines, and why each is one. */
const longFiles: Readonly<Record<string, string>> = {
  'src/agent/deliver.ts': 'one way out: what is found, sent, shown and taken off is read together',
  'src/agent/model/prompts.ts': 'what the model reads is read here as one text',
  'src/agent/ports/store.ts': 'all that the kernel asks of a store, beside one contract suite',
  'src/config.ts': 'one line for each setting, in the order of .env.example',
  'src/locales/en/core.ts': 'one table of texts',
  'src/locales/en/page.ts': 'one table of texts',
  'src/locales/zh/page.ts': 'one table of texts',
}
type Area = keyof typeof budgets

/** Where each area lies: a file belongs to the first place that its path matches. */
const places: readonly (readonly [RegExp, Area])[] = [
  [/^src\/agent\/model\/rehearsal/, 'stand-in model'],
  [/^src\/(?:agent\/commands\/|compose\/commands\.ts$)/, 'commands'],
  [/^src\/adapters\/slack\//, 'Slack'],
  [/^src\/adapters\/discord\//, 'Discord'],
  [/^src\/adapters\/web\/page\/.*\.css$/, 'page, CSS'],
  [/^src\/adapters\/web\/page\//, 'page'],
  [/^src\/adapters\/web\//, 'web routes and server'],
  [/^src\/adapters\/(?:[^/]+\.ts$|channel-kit\/)/, 'what channels share'],
  [/^src\/agent\/strategies\//, 'strategies'],
  [/^src\/agent\/(?:domain|ports|contracts)[/.]/, 'domain, ports and contracts'],
  [/^src\/agent\/model\//, 'other model code'],
  [/^src\/agent\/tools\//, 'tools'],
  [/^src\/agent\//, 'verbs and kernel'],
  [/^src\/store\//, 'store'],
  [/^src\/locales\//, 'locales'],
  [/^(?:src|scripts)\//, 'the rest'],
]

/** Lines per area; `files` are paths from the root with their source. */
export function linesPerArea(
  files: readonly { path: string; source: string }[],
): Map<Area, number> {
  const lines = new Map<Area, number>()
  for (const { path, source } of files) {
    const area = places.find(([pattern]) => pattern.test(path))?.[1]
    if (area !== undefined) lines.set(area, (lines.get(area) ?? 0) + source.split('\n').length - 1)
  }
  return lines
}

/** How many functions have more than 40 lines of code. Biome counts them; its rule is off elsewhere and has its number in `biome.json`. */
function countLongFunctions(root: string): number {
  const words = [
    'lint',
    '--only=complexity/noExcessiveLinesPerFunction',
    '--reporter=json',
    'src',
    'scripts',
  ]
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/biome'), words, {
    cwd: root,
    encoding: 'utf8',
  })
  return (JSON.parse(stdout) as { summary: { infos: number } }).summary.infos
}

function row(name: string, lines: number, { most, aim }: { most: number; aim: number }): string {
  const note =
    lines > most ? `${lines - most} more than it may have` : lines > aim ? `aim ${aim}` : ''
  return `${name.padEnd(28)}${String(lines).padStart(7)} of${String(most).padStart(7)}  ${note}`.trimEnd()
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const files = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:tsx?|js|mjs|css|html)$/.test(path))
      .map((path) => ({
        path: `${folder}/${path}`,
        source: readFileSync(join(root, folder, path), 'utf8'),
      })),
  )
  const counted = linesPerArea(files)
  const all = { lines: 0, most: 0, aim: 0 }
  for (const [name, budget] of Object.entries(budgets)) {
    const lines = counted.get(name as Area) ?? 0
    console.log(row(name, lines, budget))
    all.lines += lines
    all.most += budget.most
    all.aim += budget.aim
    if (lines > budget.most) process.exitCode = 1
  }
  console.log(row('all', all.lines, all))
  const lengths = new Map(files.map(({ path, source }) => [path, source.split('\n').length - 1]))
  for (const path of new Set([...lengths.keys(), ...Object.keys(longFiles)])) {
    const [lines, why] = [lengths.get(path) ?? 0, longFiles[path]]
    if (lines <= 300 && why === undefined) continue
    const note =
      lines <= 300 ? 'at most 300 with a reason' : (why ?? 'more than 300 without a reason')
    console.log(`${path}: ${lines} lines, ${note}`)
    if (note !== why) process.exitCode = 1
  }
  const long = countLongFunctions(root)
  console.log(row('functions over 40 lines', long, longFunctions))
  if (long > longFunctions.most) process.exitCode = 1
}
