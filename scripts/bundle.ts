/**
 * `node scripts/bundle.ts FOLDER`: writes the page's files into that folder, for what runs without esbuild: the package
 * and the container's image.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundlePage } from '../src/adapters/web/bundle.ts'

const [folder = ''] = process.argv.slice(2)
await mkdir(folder, { recursive: true })
for (const [name, text] of await bundlePage()) await writeFile(join(folder, name), text)
