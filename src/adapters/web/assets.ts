import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, extname, join, relative, sep } from 'node:path'

/** A file of the page as it is sent. */
export interface Asset {
  body: string
  type: string
  etag: string
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

/** The import map of the page. It stands in the document itself, so the content policy names it by its hash. */
export const importMap = JSON.stringify({
  imports: Object.fromEntries(Object.entries(vendored).map(([name, path]) => [name, `/assets/vendor/${path}`])),
})
export const importMapHash = `sha256-${createHash('sha256').update(importMap).digest('base64')}`

/** What modules are called here: `.ts` in the checkout, `.js` in the package, where they are built already. */
const ending = extname(import.meta.filename)
/** The page's first module. */
export const entryPath = `/assets/adapters/web/page/main${ending}`
export const stylePath = '/assets/adapters/web/page/page.css'
export const iconPath = '/assets/adapters/web/page/icon.svg'

/**
 * The files of the page by their address below `/assets/`: its own folder, its words, and the packages it needs. They lie
 * there as in `src/`, so relative imports mean the same in the browser. Types are stripped on the first request.
 */
export function createAssets(): { get(path: string): Asset | null } {
  const files = new Map<string, string>()
  const page = join(source, 'adapters/web/page')
  const inside = readdirSync(page, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  for (const { name, parentPath } of inside) {
    const path = join(parentPath, name)
    files.set(relative(source, path).split(sep).join('/'), path)
  }
  for (const language of ['en', 'zh']) {
    const path = `locales/${language}/page${ending}`
    files.set(path, join(source, path))
  }
  for (const path of [`agent/domain/assert${ending}`, `adapters/instants${ending}`]) files.set(path, join(source, path))
  const packages = packagesFolder()
  for (const path of Object.values(vendored)) files.set(`vendor/${path}`, join(packages, path))

  const ready = new Map<string, Asset>()
  return {
    get(path) {
      const known = ready.get(path)
      if (known !== undefined) return known
      const file = files.get(path)
      const type = types[extname(path)]
      if (file === undefined || type === undefined) return null
      const text = readFileSync(file, 'utf8')
      const body = extname(file) === '.ts' ? stripTypes(text) : text
      const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
      const asset = { body, type, etag }
      ready.set(path, asset)
      return asset
    },
  }
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
