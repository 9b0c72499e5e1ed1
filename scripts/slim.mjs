/**
 * `npm install` runs this in a checkout, the Dockerfile in the image: removes from node_modules what no program loads.
 * Source maps, Node's C headers and builds for browsers are a fifth of all that is installed.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const unused = [
  /\.(?:[cm]?[jt]s|css)\.map$/,
  /^node-(?:linux|win)-\w+\/include$/,
  /^officeparser\/dist\/officeparser\.browser\.[\w.-]*js$/,
]

const modules = process.argv[2] ?? join(import.meta.dirname, '../node_modules')
const paths = existsSync(modules) ? readdirSync(modules, { recursive: true }) : []
for (const path of paths)
  if (unused.some((pattern) => pattern.test(path.replaceAll('\\', '/'))))
    rmSync(join(modules, path), { recursive: true, force: true })
