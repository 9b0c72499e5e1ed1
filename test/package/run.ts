/**
 * `npm run package-test`: packs Clew, installs the package into an empty folder as anybody would, and looks whether it works
 * there: the doctor answers, `npx clew` serves the page, a message gets an answer from the stand-in, a library's program
 * starts it with a command of its own, the declarations are found, and what `npm create clew` makes is tested and answers (C573). Ends with 1 at the first thing that is not so.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'clew-package-'))
/** Nothing of this machine's own settings of Clew or of the script that runs this is passed on. */
const { PATH = '', HOME = '' } = process.env
const env = { PATH, HOME, LOG_LEVEL: 'error' }

const program = `
import { readConfig, startClew } from 'clew'
import { defineCommand } from 'clew/command'
const hello = defineCommand({ name: 'hello', summary: 'Greets.', run: async () => ({ ok: true, text: 'Hello from outside.' }) })
const clew = await startClew(readConfig(process.env), { commands: [hello] })
console.log('Clew is at ' + clew.url)
process.on('SIGTERM', () => clew.stop().then(() => process.exit(0)))
`
const typed = `
import { defineTool } from 'clew/tool'
export const shout = defineTool({
  name: 'shout',
  effect: 'none',
  description: 'Says it louder.',
  run: async (input, { signal }) => ({ ok: !signal.aborted, text: input.toUpperCase() }),
})
`

/** Starts a Clew in the folder; resolves with its address when it has printed it. */
async function started(command: string, args: readonly string[], data: string, cwd = folder) {
  const settings = { ...env, PORT: String(await freePort()), DATA_DIR: join(folder, data) }
  const child = spawn(command, args, {
    cwd,
    env: settings,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /Clew is at (\S+)/.exec(output)?.[1]
      if (address !== undefined) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) =>
      reject(new Error(`Clew ended with ${code} before it was ready:\n${output}`)),
    )
  })
  return { url, child }
}

/** npx starts Clew as a child of its own, so all of the group is told. */
async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  await ended
}

/** What the thread that is opened with these words shows, as soon as Clew has said something. */
async function answerTo(url: string, text: string): Promise<string> {
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const { id } = (await (await post('/api/conversations', {})).json()) as { id: string }
  const path = `/api/conversations/${id}`
  assert.equal((await post(`${path}/messages`, { text, clientMessageId: 'm' })).status, 202)
  for (;;) {
    const { messages } = (await (await fetch(`${url}${path}`)).json()) as {
      messages: { role: string; text: string }[]
    }
    const said = messages.find(({ role }) => role === 'assistant')
    if (said !== undefined) return said.text
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function pageWorks(url: string): Promise<void> {
  const page = await (await fetch(url)).text()
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].flatMap(
    ([, path]) => path ?? [],
  )
  assert.ok(files.some((path) => path.endsWith('/page.js')))
  assert.ok(files.some((path) => path.endsWith('.css')))
  assert.ok(files.some((path) => path.endsWith('/manifest.webmanifest')))
  for (const path of files) assert.equal((await fetch(url + path)).status, 200, path)
}

try {
  await run('npm', ['pack', '--pack-destination', folder], { cwd: root })
  const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${packed}`], {
    cwd: folder,
  })
  await access(join(folder, 'node_modules/clew/dist/bundle/main.js'))
  console.log('✓ npm pack, and npm install in an empty folder')

  const doctor = await run('npx', ['clew', 'doctor'], { cwd: folder, env })
  assert.match(doctor.stdout, /✓ Settings: all understood\.\n✓ Store: embedded/)
  console.log('✓ npx clew doctor answers')

  const clew = await started('npx', ['clew'], 'data')
  await pageWorks(clew.url)
  console.log('✓ npx clew serves the page')
  assert.match(await answerTo(clew.url, 'Hello'), /\S/)
  assert.match(await answerTo(clew.url, '/todo add Book the room'), /Book the room/)
  await stop(clew.child)
  console.log('✓ a message gets an answer from the stand-in, and a command its own')

  await writeFile(join(folder, 'program.js'), program)
  const library = await started('npx', ['node', 'program.js'], 'library')
  assert.equal(await answerTo(library.url, '/hello'), 'Hello from outside.')
  await stop(library.child)
  console.log('✓ startClew starts it with a command from outside')

  await writeFile(join(folder, 'typed.ts'), typed)
  const options = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--skipLibCheck',
    'typed.ts',
  ]
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node']
  await run(join(root, 'node_modules/.bin/tsc'), [...options, ...types], { cwd: folder })
  console.log('✓ the declarations say what a tool is')

  await run('npm', ['pack', '--pack-destination', folder, './create-clew'], { cwd: root })
  const creator = (await readdir(folder)).find((name) => name.startsWith('create-clew-'))
  const own = join(folder, 'own')
  const create = ['exec', '--yes', '--offline', `--package=./${creator}`, '--', 'create-clew']
  await run('npm', [...create, 'own/My Agent'], { cwd: folder, env })
  await assert.rejects(run('npm', [...create, 'own'], { cwd: folder, env }), /is not empty/)
  const agent = join(own, 'My Agent')
  await run('npm', ['pkg', 'set', `dependencies.clew=file:../../${packed}`], { cwd: agent })
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: agent })
  await run('npm', ['test'], { cwd: agent, env })
  console.log('✓ npm create clew makes an agent, whose test passes')
  const mine = await started('npm', ['start'], 'mine', agent)
  assert.match(await answerTo(mine.url, 'Hello'), /\S/)
  const { stdout } = await run('npm', ['run', 'schedule'], {
    cwd: agent,
    env: { ...env, PORT: new URL(mine.url).port },
  })
  assert.match(stdout, /is set: every weekday at 09:00/)
  await stop(mine.child)
  console.log('✓ it starts, answers on the page and takes its schedule')
} finally {
  await rm(folder, { recursive: true, force: true })
}
