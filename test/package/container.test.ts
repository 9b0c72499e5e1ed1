import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { build, type Image } from '../support/dockerfile.ts'
import { freePort } from '../support/free-port.ts'
import { describeWith } from '../support/programs.ts'

/**
 * The container image without a container engine: the Dockerfile's steps in a temporary folder, then its command.
 * What this cannot show is the base image itself and its user.
 */

const Compose = z.object({
  services: z.object({
    clew: z.looseObject({
      command: z.array(z.string()),
      environment: z.record(z.string(), z.string()),
    }),
  }),
})
const project = join(import.meta.dirname, '../..')
const root = mkdtempSync(join(tmpdir(), 'clew-image-'))
const children: ChildProcess[] = []
let image: Image

beforeAll(() => {
  image = build({ project, root })
}, 600_000)

afterEach(async () => {
  for (const child of children.splice(0)) await stop(child, 'SIGKILL')
})

// Thousands of files, on a machine that may be busy.
afterAll(() => rmSync(root, { recursive: true, force: true }), 120_000)

/** Runs a command of the image as its container would: with the image's settings, then `settings`, and nothing else. */
function inContainer(command: readonly string[], settings: Record<string, string>): ChildProcess {
  const [program = '', ...rest] = command
  expect(program).toBe('node')
  const env = {
    ...image.env,
    DATA_DIR: join(root, image.env.DATA_DIR ?? ''),
    PATH: '/usr/bin:/bin',
    ...settings,
  }
  const child = spawn(process.execPath, rest, {
    cwd: image.folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  return child
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal)
  return exitCode(child)
}

function linesOf({ stdout }: ChildProcess): AsyncIterable<string> {
  if (stdout === null) throw new Error('its output is not read')
  return createInterface(stdout)
}

async function output(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = ''
  for await (const chunk of stream ?? []) text += chunk
  return text
}

/** Asks as the image's health check does until it is content. A real process leaves nothing else to wait on. */
async function untilHealthy(settings: Record<string, string>, signal: AbortSignal): Promise<void> {
  while ((await exitCode(inContainer(image.healthcheck, settings))) !== 0)
    await wait(100, undefined, { signal })
}

async function startsAndStops(settings: Record<string, string>): Promise<void> {
  const all = { WEB_TOKEN: 'a-token-for-this-test', PORT: String(await freePort()), ...settings }
  expect(await exitCode(inContainer(image.healthcheck, all))).toBe(1)

  const clew = inContainer(image.command, all)
  const errors = output(clew.stderr)
  const ended = new AbortController()
  clew.once('exit', () => ended.abort())
  await untilHealthy(all, ended.signal).catch(async () =>
    expect.fail(`ended with ${clew.exitCode}: ${await errors}`),
  )
  expect(await stop(clew, 'SIGTERM')).toBe(0)
}

describe('the container image', () => {
  it('holds at most 250 MB of packages (C571)', () => {
    const size = execFileSync('du', ['-sm', join(image.folder, 'node_modules')], {
      encoding: 'utf8',
    })
    expect(Number.parseInt(size, 10)).toBeLessThanOrEqual(250)
  })

  it('holds what runs and nothing for development', () => {
    const modules = readdirSync(join(image.folder, 'node_modules'))
    expect(modules).toContain('zod')
    expect(modules, 'for Anthropic, Google and others').toContain('@ai-sdk')
    expect(modules).not.toContain('vitest')
    expect(modules.filter((name) => name.startsWith('node-linux'))).toEqual([])
    expect(modules).not.toContain('esbuild')
    expect(existsSync(join(image.folder, 'src/adapters/web/bundle/page.js'))).toBe(true)
    expect(existsSync(join(image.folder, 'bundle/main.js')), 'the bundle (C591)').toBe(true)
    for (const page of ['slack.md', 'discord.md', 'slack-manifest.json'])
      expect(existsSync(join(image.folder, 'docs', page)), page).toBe(true)
    expect(existsSync(join(image.folder, 'test'))).toBe(false)
  })

  it('has git for the folders that tasks may search', () => {
    expect(image.apt.join('\n')).toMatch(/^install .*\bgit\b/m)
  })

  it('runs as an ordinary user and keeps its data on the volume', () => {
    expect(image.user).toBe('node')
    expect(image.volumes).toEqual([image.env.DATA_DIR])
  })

  it('starts on the embedded store, answers its health check, stops in peace and writes nothing but its data (S18)', {
    timeout: 180_000,
  }, async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'clew-image-tmp-'))
    const before = filesBelow(root)
    await startsAndStops({ TMPDIR: temporary, HOME: join(root, 'nowhere') })
    rmSync(temporary, { recursive: true })
    const data = join(root, image.env.DATA_DIR ?? '')
    expect(readdirSync(data).length).toBeGreaterThan(0)
    expect(
      filesBelow(root).filter((file) => !before.includes(file) && !file.startsWith(data)),
    ).toEqual([])
  })

  it('refuses to be open to the network without a token', { timeout: 180_000 }, async () => {
    const clew = inContainer(image.command, { PORT: String(await freePort()) })
    const errors = output(clew.stderr)
    expect(await exitCode(clew)).toBe(2)
    expect(await errors).toContain('WEB_TOKEN')
  })
})

describeWith('redis-server', 'the container image beside a Redis', (redisServer) => {
  it('starts on it and answers its health check', { timeout: 180_000 }, async () => {
    const port = await freePort()
    const durable = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction', '--dir', root]
    const redis = spawn(redisServer, ['--port', String(port), ...durable], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    children.push(redis)
    for await (const line of createInterface(redis.stdout))
      if (line.includes('Ready to accept')) break
    await startsAndStops({ REDIS_URL: `redis://127.0.0.1:${port}` })
  })
})

describe('compose.yaml', () => {
  const compose = readFileSync(join(project, 'compose.yaml'), 'utf8')
  const { clew } = Compose.parse(parse(compose)).services

  it('starts as it is, with a token of its own making that stays (S18)', {
    timeout: 180_000,
  }, async () => {
    // What stands in the shell or in .env of the person who starts it; nothing at first.
    const start = async (chosen: string) => {
      const port = String(await freePort())
      const { WEB_TOKEN, HOST } = clew.environment
      expect(WEB_TOKEN).toBe('$' + '{WEB_TOKEN:-}')
      const child = inContainer(clew.command, { HOST: HOST ?? '', PORT: port, WEB_TOKEN: chosen })
      for await (const line of linesOf(child)) if (line.includes('Clew is at')) break
      const kept = readFileSync(join(root, image.env.DATA_DIR ?? '', 'web-token'), 'utf8').trim()
      const ask = async (token: string) =>
        (
          await fetch(`http://127.0.0.1:${port}/api/conversations`, {
            headers: { authorization: `Bearer ${token}` },
          })
        ).status
      const answers = [await ask(kept), await ask('a-chosen-token'), await ask('')]
      expect(await stop(child, 'SIGTERM')).toBe(0)
      return { kept, answers }
    }
    const first = await start('')
    expect(first).toMatchObject({
      kept: expect.stringMatching(/^[0-9a-f]{48}$/),
      answers: [200, 401, 401],
    })
    expect(await start('')).toEqual(first)
    expect(await start('a-chosen-token')).toEqual({ ...first, answers: [401, 200, 401] })
  })

  it('has a doctor that knows that token', { timeout: 180_000 }, async () => {
    const doctor = inContainer([...clew.command, 'doctor'], {
      HOST: clew.environment.HOST ?? '',
      WEB_TOKEN: '',
    })
    const [said, errors] = await Promise.all([output(doctor.stdout), output(doctor.stderr)])
    expect(errors).toBe('')
    expect(said).toMatch(/^✓ Settings: all understood/)
  })

  it('runs Clew without rights, and read-only but for its volume (S18)', () => {
    expect(clew).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(clew.volumes).toEqual(['clew:/data'])
    expect(clew.ports).toEqual(['127.0.0.1:3000:3000'])
  })

  it('gives Clew a store that neither evicts nor forgets, and waits until it is ready', () => {
    expect(compose).toContain('--appendonly yes')
    expect(compose).toContain('--maxmemory-policy noeviction')
    expect(compose).toContain('condition: service_healthy')
  })
})
