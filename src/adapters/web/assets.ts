import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, extname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'

/** A file of the page as it is sent, compressed and not. */
export interface Asset {
  body: string
  gzip: Uint8Array<ArrayBuffer>
  type: string
  etag: string
}

export interface Assets {
  /** Where the files lie: below a name that changes when one of them does, so that a browser may keep them for good. */
  readonly root: string
  /** The import map of the page. It stands in the document itself, so the content policy names it by its hash. */
  readonly importMap: string
  readonly importMapHash: string
  /** Every module, the first one at the head: what a document asks for at once instead of import by import. */
  readonly modules: readonly string[]
  get(path: string): Asset | null
}

const source = join(import.meta.dirname, '../..')
const types: Readonly<Record<string, string>> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Names under which the page's modules import packages, and where those lie. */
const vendored = {
  preact: 'preact/dist/preact.mjs',
  'preact/hooks': 'preact/hooks/dist/hooks.mjs',
  htm: 'htm/dist/htm.mjs',
  'htm/preact': 'htm/preact/index.mjs',
} as const

/** What modules are called here: `.ts` in the checkout, `.js` in the package, where they are built already. */
const ending = extname(import.meta.filename)
const folder = 'adapters/web/page'
export const stylePath = `${folder}/page.css`
export const iconPath = `${folder}/icon.svg`

/**
 * The files of the page by their address below the root: its own folder, its words, and the packages it needs. They lie
 * there as in `src/`, so relative imports mean the same in the browser. Types are stripped on the first request.
 */
export function createAssets(): Assets {
  const files = filesOfPage()
  const name = createHash('sha256')
  for (const [path, text] of files) name.update(`${path}\0${text}\0`)
  const root = `/assets/${name.digest('hex').slice(0, 16)}/`
  const imports = Object.entries(vendored).map(([name, path]) => [name, `${root}vendor/${path}`])
  const importMap = JSON.stringify({ imports: Object.fromEntries(imports) })
  const entry = `${folder}/main${ending}`
  const ready = new Map<string, Asset>()
  return {
    root,
    importMap,
    importMapHash: `sha256-${createHash('sha256').update(importMap).digest('base64')}`,
    modules: [entry, ...[...files.keys()].filter((path) => path !== entry && /\.m?[jt]s$/.test(path))],
    get(path) {
      const text = files.get(path)
      const type = types[extname(path)]
      if (text === undefined || type === undefined) return null
      const known = ready.get(path)
      if (known !== undefined) return known
      const body = bodyOf(path, files)
      const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
      const asset = { body, gzip: new Uint8Array(gzipSync(body)), type, etag }
      ready.set(path, asset)
      return asset
    },
  }
}

/** Every file with its text, by its address. */
function filesOfPage(): Map<string, string> {
  const inside = readdirSync(join(source, folder), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ name, parentPath }) => relative(source, join(parentPath, name)).split(sep).join('/'))
    .sort()
  const words = ['en', 'zh'].map((language) => `locales/${language}/page${ending}`)
  const shared = ['agent/domain/assert', 'agent/domain/words', 'adapters/instants'].map((path) => path + ending)
  const packages = packagesFolder()
  return new Map([
    ...[...inside, ...words, ...shared].map((path) => [path, readFileSync(join(source, path), 'utf8')] as const),
    ...Object.values(vendored).map((path) => [`vendor/${path}`, readFileSync(join(packages, path), 'utf8')] as const),
  ])
}

/** Scripts without types, and style sheets in one piece. */
function bodyOf(path: string, files: ReadonlyMap<string, string>): string {
  const text = files.get(path) ?? ''
  if (path !== stylePath) return extname(path) === '.ts' ? stripTypes(text) : text
  return text.replaceAll(/@import "\.\/([^"]+)";/g, (_, name: string) => files.get(`${folder}/${name}`) ?? '')
}

function packagesFolder(): string {
  const preact = createRequire(import.meta.url).resolve('preact/package.json')
  return dirname(dirname(preact))
}

/** Node says once, on standard error, that stripping is a release candidate. People who start Clew need not read that. */
function stripTypes(text: string): string {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}
