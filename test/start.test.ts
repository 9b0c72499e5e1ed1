import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'

/** What the start loads: imports of values, of ours and of packages, that are followed without being called. */
function loadedBy(entry: string): Set<string> {
  const loaded = new Set([entry])
  for (const path of loaded) {
    if (!path.startsWith('src/')) continue
    const source = readFileSync(join(import.meta.dirname, '..', path), 'utf8')
    for (const [, names = '', from = ''] of source.matchAll(
      /^(?:import|export) ([^'";]*?)\s*from '([^']+)'/gm,
    )) {
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
    '@slack/bolt',
    '@slack/web-api',
    '@slack/socket-mode',
    '@modelcontextprotocol/client',
  ]
  const later = [
    'yaml',
    'chrono-node/en',
    'linkedom',
    '@mozilla/readability',
    '@e965/xlsx',
    'jschardet',
    'officeparser',
    'pdfjs-dist',
    'postal-mime',
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
  const { status, stderr } = spawnSync(process.execPath, ['--import', imports, entry], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect(status).toBe(1)
  expect(stderr).toContain('missing.mjs')
})

it('stops when npm start is stopped, and before it ends (C475)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clew-npm-'))
  const npm = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, PORT: '0', DATA_DIR: folder },
  })
  const gone = once(npm, 'exit')
  let output = ''
  const isUp = new Promise<void>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Clew is at')) resolve()
    }
    npm.stdout.on('data', read)
    npm.stderr.on('data', read)
  })
  await isUp
  const url = /Clew is at (\S+)/.exec(output)?.[1] ?? ''
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  npm.kill('SIGTERM')
  await gone
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  expect(output).toContain('stopping')
  rmSync(folder, { recursive: true })
})

it.each([['--help'], ['help'], ['-h']])('says what it can start: %s (C514)', (word) => {
  const { status, stdout } = spawnSync(process.execPath, ['start.mjs', word], { encoding: 'utf8' })
  expect(stdout).toContain('clew doctor')
  expect(status).toBe(0)
})

it('says its version, and refuses a word that it does not know with what it knows (C514)', () => {
  const start = (word: string) =>
    spawnSync(process.execPath, ['start.mjs', word], { encoding: 'utf8' })
  expect(start('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  const { status, stderr } = start('docter')
  expect(stderr).toMatch(/^There is no "docter"\.\n/)
  expect(stderr).toContain('clew doctor')
  expect(status).toBe(2)
})

it('logs words on a terminal and JSON elsewhere (C515)', () => {
  const program = `
    ;(async () => {
      if (process.argv[1] === 'terminal') process.stderr.isTTY = true
      const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, '../src/log.ts'))})
      createLog({ LOG_LEVEL: 'info' }).warn({ run: 'r1' }, 'Slack is away')
    })()`
  const log = (to: string) =>
    spawnSync(process.execPath, ['-e', program, to], {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    }).stderr
  expect(log('terminal')).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: Slack is away\n {4}run: "r1"\n/)
  expect(JSON.parse(log('pipe'))).toMatchObject({ level: 40, run: 'r1', msg: 'Slack is away' })
})

describe('the start on a Node that is too old', () => {
  /** What `start.mjs` says where it takes this process for another machine's. */
  function advice(platform: string, arch: string): string {
    const machine = { platform, arch, version: 'v20.1.0', versions: { node: '20.1.0' } }
    const pretend = `for (const [name, value] of Object.entries(${JSON.stringify(machine)})) Object.defineProperty(process, name, { value })`
    const words = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, 'start.mjs']
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    expect(status).toBe(2)
    return stderr
  }

  it.each([
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['win32', 'x64'],
  ])('leads to the Node that is installed with Clew: %s %s', (platform, arch) => {
    expect(advice(platform, arch)).toBe(
      "Clew needs Node 22.18 or newer and this is v20.1.0: run `npm install && npm start`, which brings and uses Clew's own Node 24.\n",
    )
  })

  it.each([
    ['darwin', 'arm64'],
    ['darwin', 'x64'],
    ['win32', 'arm64'],
  ])('says to install one where none comes with Clew: %s %s', (platform, arch) => {
    expect(advice(platform, arch)).toBe(
      'Clew needs Node 22.18 or newer and this is v20.1.0: install one from https://nodejs.org, since none comes with Clew for this machine; then run `npm install && npm start`.\n',
    )
  })
})
