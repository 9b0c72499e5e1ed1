/**
 * `node scripts/bundle.ts FOLDER [SERVER]`: writes the page's files into that folder, for what runs without bundlers: the
 * package and the container's image. With the second folder, the server goes there as a bundle (C591); start.mjs finds it
 * in `bundle`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { bundlePage } from '../src/adapters/web/bundle.ts'
import { bundleServer } from './server-bundle.ts'

const [folder = '', server] = process.argv.slice(2)
await mkdir(folder, { recursive: true })
for (const [name, text] of await bundlePage()) await writeFile(join(folder, name), text)
if (server !== undefined) await bundleServer(join(import.meta.dirname, '..'), 'ts', resolve(server))
