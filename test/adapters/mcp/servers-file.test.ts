/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files are written so. */
import { expect, it } from 'vitest'
import { readServersFile } from '../../../src/adapters/mcp/servers-file.ts'

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
