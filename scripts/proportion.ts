/**
 * Prints the tokens of source in each area beside the most that the area may have, and counts of four habits that make
 * code dense.
 *
 * Run with `npm run proportion`; exits 1 when a number is over its bound. A token is an identifier, a number, a string or
 * a sign; comments and blanks count nothing, so that a line may be as short as it reads best. A change that makes an area
 * smaller lowers its bound; one that needs more raises it and says why in its commit.
 */
import { parseSync } from 'oxc-parser'
import { filesIn, scan } from './source.ts'

/** Most tokens that each area may have. */
const bounds = {
  'stand-in model': 7_005,
  commands: 62_440,
  Slack: 53_051,
  Discord: 51_135,
  'shared by channels': 21_759,
  'web routes and server': 59_093,
  page: 78_289,
  'page, CSS': 11_210,
  'verbs and kernel': 112_916,
  'domain, ports and contracts': 56_302,
  strategies: 27_601,
  'other model code': 32_017,
  tools: 21_322,
  store: 62_752,
  locales: 45_413,
  'the rest': 132_739,
}
type Area = keyof typeof bounds

/** Most places that each dense habit may have. */
const habitBounds = {
  'spreads of a literal': 0,
  'conditional spreads': 138,
  'nested ternaries': 0,
  'functions over 20 statements': 87,
}
export type Habits = Record<keyof typeof habitBounds, number>

/** Path patterns of the areas: a file belongs to the first that matches. */
const places: readonly (readonly [RegExp, Area])[] = [
  [/^src\/agent\/model\/rehearsal/, 'stand-in model'],
  [/^src\/(?:agent\/commands\/|compose\/commands\.ts$)/, 'commands'],
  [/^src\/adapters\/slack\//, 'Slack'],
  [/^src\/adapters\/discord\//, 'Discord'],
  [/^src\/adapters\/web\/page\/.*\.css$/, 'page, CSS'],
  [/^src\/adapters\/web\/page\//, 'page'],
  [/^src\/adapters\/web\//, 'web routes and server'],
  [/^src\/adapters\/(?:[^/]+\.ts$|channel-kit\/)/, 'shared by channels'],
  [/^src\/agent\/strategies\//, 'strategies'],
  [/^src\/agent\/(?:domain|ports|contracts)[/.]/, 'domain, ports and contracts'],
  [/^src\/agent\/model\//, 'other model code'],
  [/^src\/agent\/tools\//, 'tools'],
  [/^src\/agent\//, 'verbs and kernel'],
  [/^(?:src\/store|packages\/embedded-valkey)\//, 'store'],
  [/^src\/locales\//, 'locales'],
  [/^(?:src|scripts)\//, 'the rest'],
]

export interface SourceFile {
  /** Path from the root. */
  path: string
  source: string
}

const token =
  /[\p{L}$_][\p{L}\p{N}$_]*|\d[\w.]*|=>|\?\?=?|\?\.|\.\.\.|[=!]==?|&&=?|\|\|=?|\*\*=?|[<>]=|[-+*/%]=|\+\+|--|(["'])\s*\1|\S/gu

/** Counts identifiers, numbers, strings and signs of a file; comments count nothing. */
export function countTokens({ path, source }: SourceFile): number {
  const code = path.endsWith('.css') ? source.replace(/\/\*[\s\S]*?\*\//g, ' ') : scan(source).code
  return code.match(token)?.length ?? 0
}

/** Sums the tokens of `files` by area. */
export function tokensPerArea(files: readonly SourceFile[]): Map<Area, number> {
  const tokens = new Map<Area, number>()
  for (const file of files) {
    const area = places.find(([pattern]) => pattern.test(file.path))?.[1]
    if (area !== undefined) tokens.set(area, (tokens.get(area) ?? 0) + countTokens(file))
  }
  return tokens
}

/** Counts the dense habits of TypeScript files. */
export function countHabits(files: readonly SourceFile[]): Habits {
  const habits: Habits = {
    'spreads of a literal': 0,
    'conditional spreads': 0,
    'nested ternaries': 0,
    'functions over 20 statements': 0,
  }
  for (const { path, source } of files) visit(parseSync(path, source).program, null, habits)
  return habits
}

interface Node {
  type: string
  [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Walks a syntax tree, counting into `habits`; returns the statements that belong to the nearest function outside. */
function visit(node: object, parent: Node | null, habits: Habits): number {
  if (!isNode(node)) return 0
  countExpression(node, parent, habits)
  let statements = isStatement(node) ? 1 : 0
  for (const child of Object.values(node).flat()) {
    if (isNode(child)) statements += visit(child, node, habits)
  }
  if (!/Function/.test(node.type)) return statements
  if (statements > 20) habits['functions over 20 statements'] += 1
  return 0
}

const isStatement = ({ type }: Node): boolean =>
  /Statement$|^VariableDeclaration$/.test(type) && type !== 'BlockStatement'

const isTernary = (value: unknown): boolean =>
  isNode(value) && value.type === 'ConditionalExpression'

function countExpression(node: Node, parent: Node | null, habits: Habits): void {
  const inner = node.type === 'SpreadElement' && isNode(node.argument) ? node.argument : null
  const spread =
    inner?.type === 'ParenthesizedExpression' && isNode(inner.expression) ? inner.expression : inner
  if (spread?.type === 'ObjectExpression') habits['spreads of a literal'] += 1
  if (spread !== null && /^(?:Conditional|Logical)Expression$/.test(spread.type)) {
    habits['conditional spreads'] += 1
  }
  const isNested = isTernary(node.consequent) || isTernary(node.alternate)
  if (isTernary(node) && isNested && !isTernary(parent)) habits['nested ternaries'] += 1
}

/** Prints one line of the table; returns false when `count` is over its bound. */
function report(name: string, count: number, bound: number): boolean {
  const over = count > bound ? `  ${count - bound} more than it may have` : ''
  console.log(
    `${name.padEnd(30)}${String(count).padStart(8)} of${String(bound).padStart(8)}${over}`,
  )
  return count <= bound
}

if (import.meta.main) {
  const files = filesIn(
    ['src', 'packages', 'scripts'],
    /^(?!.*\/test\/).*\.(?:tsx?|js|mjs|css|html)$/,
  )
  const tokens = tokensPerArea(files)
  const habits = countHabits(files.filter(({ path }) => /\.(?:tsx?|mjs)$/.test(path)))
  const rows = [
    ...Object.entries(bounds).map(([name, bound]) =>
      report(name, tokens.get(name as Area) ?? 0, bound),
    ),
    ...Object.entries(habitBounds).map(([name, bound]) =>
      report(name, habits[name as keyof Habits], bound),
    ),
  ]
  const all = [...tokens.values()].reduce((sum, count) => sum + count, 0)
  const lines = files.flatMap(({ source }) => source.split('\n').filter((line) => line.trim()))
  console.log(`all: ${all} tokens, ${(all / lines.length).toFixed(1)} a line`)
  if (rows.includes(false)) process.exitCode = 1
}
