import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import {
  type AgentContext,
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { scripts } from './scripts.ts'

/*
 * An agent of the Agent Client Protocol over its own SDK, as a program. What it does follows from the
 * title of its task (`scripts.ts`). Its sessions and its log are in FAKE_ACP_HOME. Arguments:
 * `--no-load`: it cannot take a session up again. `--sign-in`: nobody is signed in; `--sign-in-late`:
 * it says so only when it gets a task. `--modes`: its sessions have modes. `--mute`: it never answers.
 * `--falls`: it ends at once. `--noisy`: it says what no client asked for. `--loose`: it writes the
 * protocol's version as text and does not say why its turn ended.
 */

const home = process.env.FAKE_ACP_HOME ?? ''
const has = (option: string) => process.argv.includes(option)
const sessionPath = (id: string) => join(home, `session-${id}`)
const log = (line: string) => appendFileSync(join(home, 'log'), `${line}\n`)

export interface Turn {
  client: AgentContext
  sessionId: string
  /** The task, and the agent's place. */
  text: string
  cwd: string
  canceled: AbortSignal
  update(update: SessionUpdate): Promise<void>
  say(text: string): Promise<void>
  log(line: string): void
}

const turns = new Map<string, AbortController>()
let cwd = ''

async function prompted(client: AgentContext, sessionId: string, text: string) {
  const canceled = new AbortController()
  turns.set(sessionId, canceled)
  log(`prompt ${JSON.stringify(text)}`)
  appendFileSync(sessionPath(sessionId), `${text}\n`)
  const update = (update: SessionUpdate) =>
    client.notify(methods.client.session.update, { sessionId, update })
  const say = (text: string) =>
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
  const turn: Turn = { client, sessionId, text, cwd, canceled: canceled.signal, update, say, log }
  const script = Object.entries(scripts).find(([title]) => text.includes(title))?.[1]
  await (script?.(turn) ?? say('Nothing to do.'))
  if (has('--loose')) return {} as never
  return { stopReason: canceled.signal.aborted ? ('cancelled' as const) : ('end_turn' as const) }
}

const modes = has('--modes')
  ? {
      currentModeId: 'auto',
      availableModes: [
        { id: 'auto', name: 'Auto' },
        { id: 'ask', name: 'Ask first' },
      ],
    }
  : null

log(`start ${process.pid} ${Object.keys(process.env).sort().join(',')}`)
if (has('--falls')) {
  process.stderr.write('no settings: run `fake init`\n')
  process.exit(2)
}
if (has('--mute')) setInterval(() => {}, 60_000)
if (has('--noisy')) {
  process.stderr.write('[warn] ripgrep is not there\n')
  process.stdout.write('Welcome to the fake!\n')
  process.stdout.write('{"jsonrpc":"2.0","method":"_fake/status","params":{"kind":"none"}}\n')
}
const app = agent({ name: 'fake' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: has('--loose') ? (`${PROTOCOL_VERSION}` as never) : PROTOCOL_VERSION,
    agentInfo: { name: 'fake', version: '1.2' },
    agentCapabilities: { loadSession: !has('--no-load') },
  }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (has('--sign-in')) throw new RequestError(-32_000, 'sign in first')
    cwd = params.cwd
    const sessionId = `s/${process.pid}`.replace('/', '-')
    mkdirSync(home, { recursive: true })
    writeFileSync(sessionPath(sessionId), '')
    log(`new ${sessionId}`)
    return { sessionId, modes }
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    cwd = params.cwd
    const { sessionId } = params
    if (!existsSync(sessionPath(sessionId))) throw new Error('no such session')
    log(`load ${sessionId}`)
    const text = readFileSync(sessionPath(sessionId), 'utf8')
    const update = { sessionUpdate: 'agent_message_chunk' as const }
    await client.notify(methods.client.session.update, {
      sessionId,
      update: { ...update, content: { type: 'text', text: `REPLAYED ${text}` } },
    })
    return { modes }
  })
  .onRequest(methods.agent.session.setMode, ({ params }) => {
    log(`mode ${params.modeId}`)
    return {}
  })
  .onRequest(methods.agent.session.prompt, ({ params, client }) => {
    if (has('--sign-in-late')) throw new RequestError(-32_000, 'run `fake login`')
    const text = params.prompt.map((one) => (one.type === 'text' ? one.text : '')).join('')
    return prompted(client, params.sessionId, text)
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    log(`cancel ${params.sessionId}`)
    turns.get(params.sessionId)?.abort()
  })
const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>
if (!has('--mute')) app.connect(ndJsonStream(Writable.toWeb(process.stdout), input))
