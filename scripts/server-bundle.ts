import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

/** Packages of every start: they are in the bundle, with what they need. Others stay where they are. */
const inlined = [
  '@hono/node-server',
  '@octokit/webhooks-methods',
  'bullmq',
  'croner',
  'hono',
  'hono-openapi',
  'ioredis',
  'ipaddr.js',
  'lru-cache',
  'partial-json',
  'pino',
  'prom-client',
  'zod',
]

/**
 * Files that every start imports, each with all that it imports itself: one file of the bundle. Each
 * file that Node loads takes about a millisecond.
 */
const ofEveryStart =
  /[\\/]src[\\/](?:compose[\\/]clew|adapters[\\/]web[\\/]adapter|metrics)\.[jt]s$/
/** What is read before the rest is loaded, while the embedded store starts (C213). */
const first = /[\\/]src[\\/]main\.[jt]s$/

const packages: Plugin = {
  name: 'packages',
  resolveId: {
    filter: { id: /^[^./]/ },
    handler(path, importer, { kind }) {
      if (importer === undefined) return null
      const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
      const isOfPackage = importer.includes('node_modules') && kind !== 'dynamic-import'
      if (isOfPackage || inlined.includes(name)) return null
      return { id: path, external: true }
    },
  },
}

/** Lets a file of ours find its neighbours from the bundle, where it lies somewhere else. */
const places = (folder: string): Plugin => ({
  name: 'places',
  load: {
    filter: { id: { include: /\.[jt]s$/, exclude: /node_modules/ } },
    async handler(path) {
      const text = await readFile(path, 'utf8')
      const at = (place: string) =>
        `new URL(${JSON.stringify(relative(folder, place).replaceAll('\\', '/'))}, import.meta.url)`
      return text
        .replaceAll('import.meta.url', () => `${at(path)}.href`)
        .replaceAll('import.meta.dirname', () => `fileURLToPathOfBundle(${at(dirname(path))})`)
    },
  },
})

/**
 * Bundles the server: what every start loads as few files, and the rest by what asks for it (C591).
 * Programs, worker threads and child processes stay files of their own beside it.
 *
 * @param folder where the bundle goes, from where its sources are found as they lie now.
 */
export async function bundleServer(root: string, ending: 'js' | 'ts', folder: string) {
  const bundle = await rolldown({
    input: join(root, `src/main.${ending}`),
    platform: 'node',
    plugins: [packages, places(folder)],
    checks: { ineffectiveDynamicImport: false },
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    banner: "import{fileURLToPath as fileURLToPathOfBundle}from'node:url';",
    comments: { legal: true, annotation: false, jsdoc: false },
    // Names stay, for those who read a stack trace.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    codeSplitting: {
      groups: [
        { name: 'first', test: first, priority: 2 },
        { name: 'start', test: ofEveryStart, priority: 1 },
      ],
    },
  })
  await bundle.close()
}
