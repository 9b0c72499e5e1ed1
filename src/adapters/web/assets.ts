import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** A file of the page, compressed and not. */
interface Asset {
  body: string
  gzip: Uint8Array<ArrayBuffer>
  type: string
  etag: string
}

/** The files of the page by their names. */
export interface Assets {
  /**
   * Path of the files. It changes when one of them does, so that a browser may cache them for ever.
   */
  readonly root: string
  readonly files: ReadonlyMap<string, Asset>
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

/**
 * Folder of the bundle that `npm pack` and the container's image bring along. A checkout makes its
 * own.
 */
const built = join(import.meta.dirname, 'bundle')

let made: Promise<Assets> | undefined

/** Files of the page, read or bundled at first use, once per process. A failure is retried. */
export function pageAssets(): Promise<Assets> {
  made ??= makeAssets().catch((error) => {
    made = undefined
    throw error
  })
  return made
}

async function makeAssets() {
  const texts = await (existsSync(built) ? readBuilt() : bundle())
  const files = new Map<string, Asset>()
  for (const [name, body] of texts)
    files.set(name, {
      body,
      gzip: new Uint8Array(await promisify(gzip)(body)),
      type: types[extname(name)] ?? '',
      etag: `"${hashOf(body)}"`,
    })
  return { root: `/assets/${hashOf(JSON.stringify([...texts]))}/`, files }
}

async function bundle() {
  try {
    const { bundlePage } = await import('./bundle.ts')
    return await bundlePage()
  } catch (cause) {
    throw new Error(
      'The page cannot be bundled. That needs esbuild, an optional package: npm install brings it.',
      {
        cause,
      },
    )
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

async function readBuilt() {
  const names = (await readdir(built)).sort()
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(built, name), 'utf8')] as const),
    ),
  )
}
