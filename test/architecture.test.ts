import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scan } from '../scripts/source.ts'

/**
 * The import rules of the house: `adapters → agent ← store`, `main → all`, and time, ids and randomness are injected.
 *
 * Each rule is a function from files to complaints, so that the made-up houses at the end can show that it can fail.
 */

type File = { readonly path: string; readonly source: string }
type Import = { readonly from: string; readonly to: string; readonly ours: boolean }

const root = join(import.meta.dirname, '..')

/** Layers, most specific first; a file belongs to the first whose prefix its path has. */
const layers = [
  ['domain', 'src/agent/domain/'],
  ['ports', 'src/agent/ports/'],
  ['strategies', 'src/agent/strategies/'],
  ['contracts', 'src/agent/contracts'],
  ['agent', 'src/agent/'],
  ['adapters', 'src/adapters/'],
  ['store', 'src/store/'],
  ['locales', 'src/locales/'],
  ['setting values', 'src/config/'],
  ['packages', 'packages/'],
  ['main', 'src/'],
] as const

type Layer = (typeof layers)[number][0]

/**
 * Which layers each layer may import, besides itself. A channel reads its own settings, so adapters know how values are written. The contracts are nouns like the domain's: schemas and nothing else.
 */
const allowed: Readonly<Record<Layer, readonly Layer[]>> = {
  domain: [],
  ports: ['domain', 'contracts'],
  strategies: ['domain', 'contracts', 'locales'],
  contracts: ['domain', 'locales'],
  agent: ['domain', 'ports', 'strategies', 'contracts', 'locales'],
  adapters: ['domain', 'ports', 'strategies', 'contracts', 'agent', 'locales', 'setting values'],
  store: ['domain', 'ports', 'strategies', 'contracts', 'agent', 'packages'],
  locales: [],
  packages: [],
  'setting values': ['domain', 'ports'],
  main: [
    'domain',
    'ports',
    'strategies',
    'contracts',
    'agent',
    'adapters',
    'store',
    'locales',
    'setting values',
  ],
}

const layerOf = (path: string): Layer =>
  layers.find(([, prefix]) => path.startsWith(prefix))?.[0] ?? 'main'

const scanned = new Map<string, ReturnType<typeof scan>>()

/** The parts of a source, told apart once for all rules. */
function partsOf(source: string): ReturnType<typeof scan> {
  const parts = scanned.get(source) ?? scan(source)
  scanned.set(source, parts)
  return parts
}

/** Whether what stands before a string makes it the address of an import; blanks are bounded. */
const imported = /(?:\bfrom|\bimport|\bimport\s{0,99}\()\s{0,99}$/

/** Every import, re-export and `import()` of a file, type imports included. */
function importsOf({ path, source }: File): Import[] {
  const { code, strings } = partsOf(source)
  const specifiers = strings.filter(({ start }) =>
    imported.test(code.slice(Math.max(0, start - 210), start)),
  )
  return specifiers.map(({ text }) => {
    const ours = text.startsWith('.') || text.startsWith('#')
    return { from: path, to: ours ? posix.join(posix.dirname(path), text) : text, ours }
  })
}

const describeImport = ({ from, to }: Import): string => `${from} → ${to}`

/** Imports that cross from one layer into another that it may not know. */
function crossings(files: readonly File[]): string[] {
  return files.flatMap((file) => {
    const from = layerOf(file.path)
    return importsOf(file)
      .filter(
        ({ to, ours }) => ours && layerOf(to) !== from && !allowed[from].includes(layerOf(to)),
      )
      .map(describeImport)
  })
}

/** Packages that answer the same to the same, whatever they remember. */
const pure = ['zod', 'node:crypto', 'lru-cache']

/** The domain depends on pure packages. What it needs beyond that is a port's business. */
function domainPackages(files: readonly File[]): string[] {
  const imports = files.filter(({ path }) => layerOf(path) === 'domain').flatMap(importsOf)
  return imports.filter(({ to, ours }) => !ours && !pure.includes(to)).map(describeImport)
}

const shared = 'channel-kit'

/** Adapters are twins, not relatives: what channels share is a kit that knows none of them, or lies beside their folders. */
function twins(files: readonly File[]): string[] {
  const platform = (path: string): string | undefined => /^src\/adapters\/([^/]+)\//.exec(path)?.[1]
  return files.flatMap((file) => {
    const home = platform(file.path)
    if (layerOf(file.path) !== 'adapters') return []
    return importsOf(file)
      .filter(({ to, ours }) => ours && ![undefined, shared, home].includes(platform(to)))
      .map(describeImport)
  })
}

/** Strategies may not reach a port by a detour either. */
function portsBehindStrategies(files: readonly File[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const seen = new Set(
    files.map(({ path }) => path).filter((path) => layerOf(path) === 'strategies'),
  )
  const found: string[] = []
  for (const path of seen) {
    const file = byPath.get(path)
    for (const link of file === undefined ? [] : importsOf(file)) {
      if (link.ours) seen.add(link.to)
      if (link.ours && layerOf(link.to) === 'ports') found.push(describeImport(link))
    }
  }
  return found
}

/** Circles of imports, type imports included: files that all need one another, as one line each. */
function circles(files: readonly File[]): string[] {
  const links = new Map(
    files.map((file) => [file.path, importsOf(file).flatMap(({ to, ours }) => (ours ? [to] : []))]),
  )
  const reached = (from: string): Set<string> => {
    const seen = new Set(links.get(from))
    for (const path of seen) for (const next of links.get(path) ?? []) seen.add(next)
    return seen
  }
  const reachedFrom = new Map([...links.keys()].map((path) => [path, reached(path)]))
  const inCircles = [...links.keys()].filter((path) => reachedFrom.get(path)?.has(path))
  const groups = Map.groupBy(inCircles, (path) =>
    inCircles
      .filter((other) => reachedFrom.get(path)?.has(other) && reachedFrom.get(other)?.has(path))
      .join(' ⇄ '),
  )
  return [...groups.keys()]
}

/** Where a `switch` reads no union but what others choose, so that there is always something else, and whose words these are. */
const othersWords: readonly (readonly [string, string])[] = [
  ['src/agent/tools/files.ts', 'a model’s'],
  ['src/agent/tools/fetch/request.ts', 'a server’s'],
  ['src/adapters/discord/adapter.ts', 'Discord’s'],
  ['src/adapters/discord/gestures.ts', 'Discord’s'],
  ['src/adapters/slack/gestures.ts', 'Slack’s'],
  ['src/adapters/web/adapter.ts', 'the operating system’s'],
]

/**
 * Every `switch` whose `default` is not `assertNever`, which makes a new member of a union a compile error. One that reads the words of
 * others begins its `default` with a comment instead.
 */
function openSwitches(files: readonly File[]): string[] {
  return files
    .filter(({ path }) => /^(?:src|examples)\//.test(path))
    .flatMap(({ path, source }) => {
      const { code } = partsOf(source)
      return [...code.matchAll(/^( *)switch \([\s\S]*?^\1\}/gm)]
        .filter(({ 0: body, 1: indent, index }) => {
          const end = `\n${indent}  default:\n${indent}    `
          const isClosed = ['return assertNever(', 'assertNever('].some((last) =>
            body.includes(end + last),
          )
          const isOthers = othersWords.some(([place]) => place === path)
          return (
            !isClosed &&
            !(isOthers && source.slice(index, index + body.length).includes(`${end}// `))
          )
        })
        .map(({ index }) => `${path}:${code.slice(0, index).split('\n').length}`)
    })
}

/** Uses of `pattern` in the code (never comments or strings) of the files that `where` selects. */
function uses(files: readonly File[], where: (path: string) => boolean, pattern: RegExp): string[] {
  return files
    .filter(({ path }) => where(path))
    .flatMap(({ path, source }) => {
      const lines = partsOf(source).code.split('\n')
      return lines.flatMap((line, index) =>
        pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
      )
    })
}

/** Command lines that the page's routes write themselves, in strings or templates: they call use cases with values. */
function commandLines(files: readonly File[]): string[] {
  return files
    .filter(({ path }) => /^src\/adapters\/web\/(?!page\/)/.test(path))
    .flatMap(({ path, source }) =>
      partsOf(source).strings.flatMap(({ text }) =>
        /^\/(?:memory|todo|schedule|task|view)\b/.test(text) ? [`${path}: ${text}`] : [],
      ),
    )
}

const clocks =
  /\bMath\.random\b|\b(?:Date|performance)\.now\b|\bnew Date(?:\s*\(\s*\)|(?!\w|\s*\())|(?<![\w.]|new )Date\(|\brandom(?:UUID|Bytes|Int)\b|\bgetRandomValues\b|\bhrtime\b/
const timers = /(?<![\w.])(?:setTimeout|setInterval|setImmediate|queueMicrotask)\b/
const environment = /\bprocess\.env\b|\bprocess\[|\benv\b.*\bfrom '\s*'/
const moduleMocks = /\bvi\.(?:mock|doMock|hoisted)\s*\(/

/** The time and what waits for it, but not randomness: keys and passwords are made where they are needed. */
const times =
  /\b(?:Date|performance)\.now\b|\bnew Date(?:\s*\(\s*\)|(?!\w|\s*\())|(?<![\w.]|new )Date\(|\bhrtime\b|(?<![\w.])set(?:Timeout|Interval)\(|\bAbortSignal\.timeout\b/
const platformChecks = /\bplatformOf\([^)]*\)\s*[!=]==|(?<!process\.)\bplatform\s*[!=]==\s*'/

/** What goes by its machine's own time instead of the injected clock, and why. */
const ownTime: readonly (readonly [RegExp, string])[] = [
  [/^src\/clock\.ts$/, 'it is the clock'],
  [/^src\/adapters\/web\/page\//, 'runs in a browser'],
  [/^src\/adapters\/reap\.ts$/, 'is a process of its own'],
  [/^src\/(?:metrics|tracing\/spans|tracing\/export)\.ts$/, 'measures how long things take'],
  [
    /^src\/agent\/(?:model\/(?:transport|stream)|tools\/search\/request|tools\/fetch\/fetch)\.ts$/,
    'awaits a peer',
  ],
  [
    /^src\/(?:store\/queue|store\/redis\/watchdog|compose\/local-models|adapters\/web\/routes\/upkeep)\.ts$/,
    'awaits a peer',
  ],
  [
    /^src\/adapters\/(?:channel-kit\/(?:oauth|download)|slack\/files|discord\/members)\.ts$/,
    'awaits a peer',
  ],
]
const hasOwnTime = (path: string): boolean => ownTime.some(([place]) => place.test(path))
const knowsPlatform = (path: string): boolean =>
  /^src\/adapters\/(?:slack|discord|web)\//.test(path)
const verbs = /^src\/agent\/(turn|drive|deliver|schedules)\b/

/** What stands alone is known by its index. That it knows nothing of ours is a matter of the layers. */
function throughIndex(files: readonly File[]): string[] {
  const home = (path: string) => /^packages\/[^/]+\//.exec(path)?.[0]
  return files.flatMap((file) =>
    importsOf(file)
      .filter(({ to }) => home(to) !== undefined && home(to) !== home(file.path))
      .filter(({ to }) => to !== `${home(to)}index.ts`)
      .map(describeImport),
  )
}

/** The verbs stand on the kernel and know nothing of one another. */
function betweenVerbs(files: readonly File[]): string[] {
  return files.flatMap((file) => {
    const verb = verbs.exec(file.path)?.[1]
    if (verb === undefined || verb === 'turn') return []
    return importsOf(file)
      .filter(({ to }) => verbs.exec(to)?.[1] === 'turn')
      .map(describeImport)
  })
}

/** What a run decides and says, which is pure of its scene. */
const decidesInDrive = (path: string): boolean =>
  /^src\/agent\/drive\/(?:ask|decide|finish|outcome|pause|pause-report|tool-output)\.ts$/.test(path)
const waiting = /\b(?:async|await|Promise)\b/
const ownLeases = /\bwithLease\b|\bcommits\.commit\b/

const inAgent = (path: string): boolean => path.startsWith('src/agent/')
const isPure = (path: string): boolean => ['domain', 'strategies'].includes(layerOf(path))
const readsEnvironment = (path: string): boolean =>
  path === 'src/environment.ts' || path === 'src/config.ts'

const rules: Readonly<Record<string, (files: readonly File[]) => string[]>> = {
  'lets every layer import only what lies further in': crossings,
  'knows a package of ours by its index alone': throughIndex,
  'gives the domain no package but zod, hashing and a cache': domainPackages,
  'keeps the platforms apart': twins,
  'hides every port from the strategies, at any distance': portsBehindStrategies,
  'lets what a run says read nothing': (files) => uses(files, decidesInDrive, waiting),
  'writes under a lease through a verb alone': (files) =>
    uses(files, (path) => inAgent(path) && !path.startsWith('src/agent/kernel/'), ownLeases),
  'has no circle of imports': (files) =>
    circles(files.filter(({ path }) => /^(?:src|packages)\//.test(path))),
  'keeps the turn out of the other verbs': betweenVerbs,
  'ends every switch over a union in assertNever': openSwitches,
  'asks no workspace for its platform outside of that platform': (files) =>
    uses(files, (path) => path.startsWith('src/') && !knowsPlatform(path), platformChecks),
  'writes no command line in the routes of the page': commandLines,
  'injects time, ids and randomness into the agent': (files) => uses(files, inAgent, clocks),
  'injects the time': (files) =>
    uses(files, (path) => path.startsWith('src/') && !hasOwnTime(path), times),
  'leaves timers out of the domain and the strategies': (files) => uses(files, isPure, timers),
  'reads the environment in one place': (files) =>
    uses(files, (path) => path.startsWith('src/') && !readsEnvironment(path), environment),
  'fakes ports instead of mocking modules': (files) =>
    uses(files, (path) => path.startsWith('test/'), moduleMocks),
}

function filesIn(folder: string): File[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return paths
    .filter(
      (path) => /\.(?:ts|tsx|mts|js|mjs)$/.test(path) && !path.split('/').includes('node_modules'),
    )
    .map((path) => posix.join(folder, path))
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }))
}

describe('the house', () => {
  const files = ['src', 'packages', 'examples', 'test'].flatMap(filesIn)

  it.each(Object.entries(rules))('%s', (_, rule) => {
    expect(rule(files)).toEqual([])
  })

  it('has the packages of its own packages, which are published within it', () => {
    const dependenciesOf = (folder: string): Record<string, string> =>
      JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).dependencies
    expect(dependenciesOf('.')).toMatchObject(dependenciesOf('packages/embedded-valkey'))
  })
})

describe('the rules', () => {
  const complaints = (path: string, source: string): string[] => {
    return Object.values(rules).flatMap((rule) => rule([{ path, source }]))
  }

  it.each([
    ['src/agent/domain/run.ts', "import type { Store } from '../ports/store.ts'"],
    ['src/agent/domain/run.ts', "import { readFileSync } from 'node:fs'"],
    ['src/agent/domain/run.ts', "import { t } from '../../locales/en.ts'"],
    ['src/agent/ports/store.ts', "export type { Deps } from '../drive.ts'"],
    ['src/agent/strategies/step.ts', "import type { Clock } from '../ports/clock.ts'"],
    ['src/agent/strategies/step.ts', "import {\n  drive,\n} from '../drive.ts'"],
    ['src/agent/drive.ts', "import '../store/queue.ts'"],
    ['src/agent/drive.ts', "const slack = await import('../adapters/slack/adapter.ts')"],
    ['src/agent/drive.ts', "import { config } from '../config.ts'"],
    ['src/adapters/web/adapter.ts', "import { keys } from '../../store/redis/keys.ts'"],
    ['src/adapters/slack/settings.ts', "import type { Config } from '../../config.ts'"],
    ['src/adapters/slack/render.ts', "import { embed } from '../discord/render.ts'"],
    ['src/adapters/channel-kit/plan.ts', "import { embed } from '../discord/render.ts'"],
    ['src/store/queue.ts', "import { parse } from '../adapters/web/parse.ts'"],
    ['src/locales/en.ts', "import { run } from '../agent/domain/run.ts'"],
    ['src/main.ts', "import { start } from '../packages/valkey/index.ts'"],
    ['src/store/valkey.ts', "import { lock } from '../../packages/valkey/src/lock.ts'"],
    ['packages/valkey/src/lock.ts', "import { keys } from '../../../src/store/redis/keys.ts'"],
    ['src/agent/drive/session.ts', "import type { OnPause } from '../turn/resume.ts'"],
    ['src/agent/schedules/fire.ts', "import { wakeFor } from '../turn.ts'"],
    [
      'src/agent/drive.ts',
      "switch (kind) {\n  case 'a':\n    return 1\n  default:\n    return 2\n}",
    ],
    ['src/agent/drive.ts', "  switch (kind) {\n    case 'a':\n      return 1\n  }"],
    [
      'src/store/redis/keys.ts',
      "switch (kind) {\n  case 'a':\n    return 1 // one\n  default:\n    return 2\n}",
    ],
    [
      'src/agent/domain/run-history.ts',
      "switch (kind) {\n  case 'a':\n    return 1\n  default:\n    // The rest.\n    return 2\n}",
    ],
    [
      'src/adapters/slack/gestures.ts',
      "switch (type) {\n  case 'a':\n    return 1\n  default:\n    return 2\n}",
    ],
    ['examples/terminal-channel/terminal.ts', "switch (kind) {\n  case 'a':\n    return 1\n}"],
    [
      'src/compose/settings.ts',
      "const times = platformOf(workspace) === 'discord' ? 'zoned' : 'wall'",
    ],
    ['src/agent/deliver.ts', "if (channel.platform !== 'slack') return"],
    ['src/adapters/slack/send.ts', 'const at = Date.now()'],
    ['src/store/redis/store.ts', 'const at = performance.now()'],
    ['src/adapters/web/routes/memory.ts', 'const text = `/memory accept team-1`'],
    ['src/compose/clew.ts', 'setTimeout(go, 1)'],
    ['src/health.ts', 'fetch(url, { signal: AbortSignal.timeout(5) })'],
    ['src/agent/drive/ask.ts', 'const thread = await session.thread()'],
    ['src/agent/drive/decide.ts', 'export async function decideStep() {}'],
    ['src/agent/deliver.ts', 'await store.commits.commit(lease, change)'],
    ['src/agent/drive.ts', "import { withLease } from './kernel/lease.ts'"],
    ['src/agent/drive.ts', 'const id = Math.random()'],
    ['src/agent/drive.ts', 'const at = Date.now()'],
    ['src/agent/drive.ts', 'const at = new Date()'],
    ['src/agent/drive.ts', 'const at = new Date'],
    ['src/agent/domain/id.ts', "import { randomUUID } from 'node:crypto'"],
    ['src/agent/strategies/step.ts', 'setTimeout(go, 1)'],
    ['src/adapters/web/adapter.ts', 'const port = process.env.PORT'],
    ['src/adapters/web/adapter.ts', "import { env } from 'node:process'"],
    // Written in two parts, so that this file itself stays clean of it.
    ['test/drive.test.ts', `${'vi'}.mock('../src/agent/drive.ts')`],
  ])('refuse in %s: %s', (path, source) => {
    expect(complaints(path, source)).not.toEqual([])
  })

  it.each([
    ['src/agent/domain/run.ts', "import { z } from 'zod'\nimport { task } from './task.ts'"],
    ['src/agent/domain/id.ts', "import { createHash } from 'node:crypto'"],
    [
      'src/agent/drive.ts',
      "import type { Store } from './ports/store.ts'\nimport { step } from './strategies/step.ts'",
    ],
    ['src/agent/drive/scene.ts', 'const thread = await session.thread()'],
    [
      'src/agent/drive/outcome.ts',
      "switch (kind) {\n  case 'await_report':\n    return []\n  default:\n    return assertNever(kind)\n}",
    ],
    ['src/agent/drive.ts', 'const at = new Date(event.at) // never Date.now()'],
    ['src/agent/drive.ts', "const hint = 'Math.random() and new Date() are injected'"],
    [
      'src/adapters/web/adapter.ts',
      "import { split } from '../text.ts'\nimport { en } from '../../locales/en.ts'",
    ],
    ['src/store/redis/store.ts', "import type { Store } from '../../agent/ports/store.ts'"],
    ['src/main.ts', "import { createStore } from './store/redis/store.ts'"],
    ['src/environment.ts', 'const env = process.env'],
    [
      'src/agent/drive.ts',
      "switch (kind) {\n  case 'a':\n    return 1\n  default:\n    return assertNever(kind)\n}",
    ],
    [
      'src/adapters/slack/gestures.ts',
      "switch (type) {\n  case 'a':\n    return 1\n  default:\n    // Slack's.\n    return 2\n}",
    ],
    ['src/adapters/web/routes/memory.ts', "route('get', '/api/memory') // as `/memory list`"],
    ['src/adapters/discord/rest.ts', "if (platformOf(workspace) === 'discord') return clock.now()"],
  ])('accept in %s: %s', (path, source) => {
    expect(complaints(path, source)).toEqual([])
  })

  it.each(ownTime)('leave to its own time only what has one: %s', (place) => {
    const there = filesIn('src').filter(({ path }) => place.test(path))
    expect(uses(there, () => true, times)).not.toEqual([])
  })

  it.each(othersWords)(
    'leave a switch open only where it reads the words of others: %s',
    (place) => {
      const there = filesIn('src').filter(({ path }) => path === place)
      expect(
        openSwitches(there.map(({ source }) => ({ path: 'src/agent/drive.ts', source }))),
      ).not.toEqual([])
    },
  )

  it('find circles, of types too and over several files', () => {
    const house = [
      { path: 'src/agent/drive/session.ts', source: "import { dismiss } from './coding.ts'" },
      { path: 'src/agent/drive/coding.ts', source: "import type { Deps } from './deps.ts'" },
      { path: 'src/agent/drive/deps.ts', source: "export type { Session } from './session.ts'" },
      { path: 'src/agent/drive.ts', source: "import { open } from './drive/session.ts'" },
    ]
    expect(circles(house)).toEqual([
      'src/agent/drive/session.ts ⇄ src/agent/drive/coding.ts ⇄ src/agent/drive/deps.ts',
    ])
    expect(circles(house.slice(0, 2))).toEqual([])
  })

  it('find a port behind a detour', () => {
    const detour = [
      { path: 'src/agent/strategies/step.ts', source: "import { limits } from '../contracts.ts'" },
      { path: 'src/agent/contracts.ts', source: "export { limits } from './ports/model.ts'" },
    ]
    expect(portsBehindStrategies(detour)).toEqual([
      'src/agent/contracts.ts → src/agent/ports/model.ts',
    ])
  })
})
