/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files are written so. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { watchServersFiles } from '../../../src/adapters/mcp/files.ts'
import { readServersFile } from '../../../src/adapters/mcp/servers-file.ts'
import { silent } from '../../../src/agent/ports/log.ts'

const read = (servers: object, env: Record<string, string> = {}) =>
  readServersFile(JSON.stringify({ mcpServers: servers }), { file: 'mcp.json', env })

it('reads servers as other clients write them, with variables of the environment', () => {
  const { servers, problems } = read(
    {
      files: {
        command: 'npx',
        args: ['-y', 'server', '${HOME}/docs'],
        env: { KEY: '${env:SECRET}' },
      },
      remote: {
        type: 'http',
        url: 'https://${HOST:-example.org}/mcp',
        headers: { Authorization: 'Bearer ${SECRET}' },
      },
      off: { command: 'x', disabled: true },
    },
    { HOME: '/home/ana', SECRET: 's3cret-key' },
  )
  expect(problems).toEqual([])
  expect(servers).toMatchObject([
    {
      name: 'files',
      kind: 'stdio',
      args: ['-y', 'server', '/home/ana/docs'],
      env: { KEY: 's3cret-key' },
      cwd: null,
    },
    {
      name: 'remote',
      kind: 'http',
      url: 'https://example.org/mcp',
      isSse: false,
      headers: { Authorization: 'Bearer s3cret-key' },
    },
  ])
  expect(servers[0]?.secrets).toContain('s3cret-key')
})

it('names each server that cannot be used, without what stands there, and takes the others (S7)', () => {
  const { servers, problems } = read(
    {
      good: { command: 'x' },
      'bad name': { command: 'x' },
      neither: {},
      typed: { command: 'x', env: { KEY: ['a'] } },
      missing: { command: 'x', env: { KEY: '${NOT_THERE}' } },
      rules: { command: 'x', clew: { approval: 'sometimes' } },
    },
    { SECRET: 's3cret-key' },
  )
  expect(servers.map(({ name }) => name)).toEqual(['good'])
  expect(problems).toEqual([
    'mcp.json: bad name: a name has letters, digits, - and single _, at most 32',
    'mcp.json: neither: is not understood at command',
    'mcp.json: typed: is not understood at env.KEY',
    'mcp.json: missing: needs the environment variables NOT_THERE',
    'mcp.json: rules: is not understood at clew.approval',
  ])
  expect(readServersFile('{', { file: 'mcp.json', env: {} }).problems).toEqual([
    'mcp.json is not a JSON object with "mcpServers"',
  ])
})

it('reads an entry in which null is absence, and numbers and truth values stand where texts are (C365)', () => {
  const { servers, problems } = read(
    {
      port: { command: 'x', args: ['--port', 8080], env: { PORT: 3000, DEBUG: true, NONE: null } },
      nulls: { type: null, command: 'x', args: null, env: null, cwd: null, disabled: null },
      events: { type: 'sse', url: 'https://example.org/sse', headers: null },
    },
    {},
  )
  expect(problems).toEqual([])
  expect(servers).toMatchObject([
    { args: ['--port', '8080'], env: { PORT: '3000', DEBUG: 'true' } },
    { args: [], env: {}, cwd: null },
    { kind: 'http', isSse: true, headers: {} },
  ])
})

const file =
  '{\r\n  "mcpServers": { "büro": null, "own": { "command": "x", "args": ["ü"] } }\r\n}\r\n'
it.each([
  ['UTF-8', Buffer.from(`\ufeff${file}`)],
  ['UTF-16, as an old Notepad saves it', Buffer.from(`\ufeff${file}`, 'utf16le')],
  ['UTF-16, big-endian', Buffer.from(`\ufeff${file}`, 'utf16le').swap16()],
  ['UTF-8, with empty lines before all', Buffer.from(`\ufeff\r\n\n${file}`)],
])('reads a file behind a byte order mark: %s (C365)', async (_, bytes) => {
  const folder = mkdtempSync(join(tmpdir(), 'clew-mcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'mcp.json')
  writeFileSync(path, bytes)
  const use = vi.fn(async () => {})
  const clock = { every: () => () => {} }
  const deps = { files: [{ path, required: true }], env: {}, clock, log: silent }
  const { problems } = await watchServersFiles({ use }, deps)
  expect(use).toHaveBeenCalledWith([expect.objectContaining({ name: 'own', args: ['ü'] })])
  expect(problems()).toEqual([expect.stringContaining('büro: a name has letters')])
})

it.each([
  [
    { PORT: 3000, DEBUG: true },
    { PORT: '3000', DEBUG: 'true' },
  ],
  [
    { RATE: 0.25, OFFSET: -7, OFF: false },
    { RATE: '0.25', OFFSET: '-7', OFF: 'false' },
  ],
  [
    { LIMIT: 1_000_000, ZERO: 0, LATER: null },
    { LIMIT: '1000000', ZERO: '0' },
  ],
  [
    { ID: 12345678901, NAME: '007' },
    { ID: '12345678901', NAME: '007' },
  ],
])('takes variables and headers that are no texts: %o (C365)', (given, env) => {
  const { servers, problems } = read({
    local: { command: 'x', env: given },
    remote: { url: 'https://example.org/mcp', headers: given },
  })
  expect(problems).toEqual([])
  expect(servers).toMatchObject([{ env }, { headers: env }])
})

const at = 'https://example.org'
it.each([
  [{ type: 'sse', url: `${at}/events` }, true],
  [{ type: 'SSE', url: `${at}/events`, headers: { Authorization: 'x' } }, true],
  [{ transport: 'sse', url: `${at}/events` }, true],
  [{ url: `${at}/v1/sse` }, true],
  [{ type: 'streamable_http', url: `${at}/sse` }, false],
  [{ transport: 'Streamable-HTTP', url: `${at}/mcp` }, false],
])('knows a server of the older transport, however it is named: %o (C365)', (entry, isSse) => {
  expect(read({ one: entry })).toMatchObject({ servers: [{ kind: 'http', isSse }], problems: [] })
})

it('names a transport that nobody has', () => {
  expect(read({ one: { type: 'websocket', url: `${at}/ws` } }).problems).toEqual([
    'mcp.json: one: is not understood at type',
  ])
})
