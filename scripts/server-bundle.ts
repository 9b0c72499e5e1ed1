import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin, stop } from 'esbuild'

/** Packages of every start: they are in the bundle, with what they need. Others stay where they are. */
const inlined = [
  '@hono/node-server',
  'bullmq',
  'croner',
  'hono',
  'hono-openapi',
  'ioredis',
  'lru-cache',
  'marked',
  'prom-client',
  'zod',
]

const packages: Plugin = {
  name: 'packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
      const isOfPackage = importer.includes('node_modules') && kind !== 'dynamic-import'
      if (kind === 'entry-point' || isOfPackage || inlined.includes(name)) return null
      return { path, external: true }
    })
  },
}

/** Lets a file of ours find its neighbours from the bundle, where it lies somewhere else. */
const places = (folder: string): Plugin => ({
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      if (path.includes('node_modules')) return null
      const text = await readFile(path, 'utf8')
      const at = (place: string) =>
        `new URL(${JSON.stringify(relative(folder, place).replaceAll('\\', '/'))}, import.meta.url)`
      const contents = text
        .replaceAll('import.meta.url', () => `${at(path)}.href`)
        .replaceAll('import.meta.dirname', () => `fileURLToPathOfBundle(${at(dirname(path))})`)
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
    })
  },
})

/**
 * Bundles the server: what every start loads as few files, and the rest by what asks for it (C591).
 * Programs, worker threads and child processes stay files of their own beside it.
 *
 * @param folder where the bundle goes, from where its sources are found as they lie now.
 */
export async function bundleServer(root: string, ending: 'js' | 'ts', folder: string) {
  try {
    await build({
      entryPoints: [join(root, `src/main.${ending}`)],
      outdir: folder,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node22',
      charset: 'utf8',
      legalComments: 'linked',
      minifySyntax: true,
      minifyWhitespace: true,
      banner: {
        js: "import{createRequire as createRequireOfBundle}from'node:module';import{fileURLToPath as fileURLToPathOfBundle}from'node:url';const require=createRequireOfBundle(import.meta.url);",
      },
      plugins: [packages, places(folder)],
      logLevel: 'warning',
    })
  } finally {
    await stop()
  }
}
