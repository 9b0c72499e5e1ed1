#!/usr/bin/env node
// `npm create clew <folder>`: copies the template. Plain JavaScript, for the Node 20 that a machine may have.
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const name = process.argv[2] ?? 'my-agent'
const folder = resolve(name)

if (existsSync(folder) && readdirSync(folder).length > 0) {
  console.error(`${folder} is not empty. Say another name: npm create clew another-name`)
  process.exit(1)
}

cpSync(join(here, 'template'), folder, { recursive: true })
// npm packs no .gitignore and git keeps no .env, so the template has them without the dot.
for (const file of ['gitignore', 'env']) renameSync(join(folder, file), join(folder, `.${file}`))

const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const path = join(folder, 'package.json')
const manifest = JSON.parse(readFileSync(path, 'utf8'))
const letters = basename(folder)
  .toLowerCase()
  .replaceAll(/[^a-z0-9-]+/g, '-')
const named = { ...manifest, name: letters.replaceAll(/^-|-$/g, '') || 'my-agent' }
named.dependencies.clew = version
writeFileSync(path, `${JSON.stringify(named, null, 2)}\n`)

console.log(`${folder} is there. Now:

  cd ${name}
  npm install
  npm test
  npm start

and open the address that it prints. README.md says what each file is.`)
