import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { expect, it } from 'vitest'

/** What the start loads: imports of values, of ours and of packages, that are followed without being called. */
function loadedBy(entry: string): Set<string> {
  const loaded = new Set([entry])
  for (const path of loaded) {
    if (!path.startsWith('src/')) continue
    const source = readFileSync(join(import.meta.dirname, '..', path), 'utf8')
    for (const [, names = '', from = ''] of source.matchAll(/^(?:import|export) ([^'";]*?)\s*from '([^']+)'/gm)) {
      const isType = names.startsWith('type ') || /^\{(?:\s*type [^,}]+,?)*\s*\}$/.test(names)
      if (!isType) loaded.add(from.startsWith('.') ? posix.join(posix.dirname(path), from) : from)
    }
  }
  return loaded
}

it('loads no package at the start that only some settings or some messages need (C174, C188)', () => {
  const loaded = loadedBy('src/compose/clew.ts')
  expect([...loaded].filter((path) => path.startsWith('src/')).length).toBeGreaterThan(250)
  const late = [
    'bullmq',
    'openai',
    'discord.js',
    '@slack/web-api',
    '@slack/socket-mode',
    '@modelcontextprotocol/client',
  ]
  const later = [
    'yaml',
    'chrono-node/en',
    'linkedom',
    '@mozilla/readability',
    'mammoth',
    'read-excel-file',
    'unpdf',
    'ai',
    '@opentelemetry/api',
    '@opentelemetry/sdk-trace',
    '@opentelemetry/exporter-trace-otlp-http',
    'minisearch',
  ]
  // Only where the page is served.
  const ofPage = ['@hono/node-server', 'hono', 'hono-openapi', 'marked', 'prom-client', 'esbuild']
  expect([...late, ...later, ...ofPage].filter((name) => loaded.has(name))).toEqual([])
  // Our own store starts beside all that is loaded then.
  expect(loadedBy('src/main.ts').has('src/compose/clew.ts')).toBe(false)
})

it('names the file that an import of a package misses, and ends (C174)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clew-imports-'))
  const entry = join(folder, 'node_modules/broken/index.mjs')
  mkdirSync(dirname(entry), { recursive: true })
  writeFileSync(entry, "import './missing.mjs'")
  const imports = join(import.meta.dirname, '../src/imports.ts')
  const { status, stderr } = spawnSync(process.execPath, ['--import', imports, entry], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect(status).toBe(1)
  expect(stderr).toContain('missing.mjs')
})
