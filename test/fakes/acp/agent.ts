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
 * `--no-load`: it cannot take a session up again. `--sign-in`: nobody is signed in.
 */

const home = process.env.FAKE_ACP_HOME ?? ''
const [canLoad, isOut] = [!process.argv.includes('--no-load'), process.argv.includes('--sign-in')]
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
  return { stopReason: canceled.signal.aborted ? ('cancelled' as const) : ('end_turn' as const) }
}

log(`start ${process.pid} ${Object.keys(process.env).sort().join(',')}`)
agent({ name: 'fake' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentCapabilities: { loadSession: canLoad },
  }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (isOut) throw new RequestError(-32_000, 'sign in first')
    cwd = params.cwd
    const sessionId = `s/${process.pid}`.replace('/', '-')
    mkdirSync(home, { recursive: true })
    writeFileSync(sessionPath(sessionId), '')
    log(`new ${sessionId}`)
    return { sessionId }
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
  })
  .onRequest(methods.agent.session.prompt, ({ params, client }) => {
    const text = params.prompt.map((one) => (one.type === 'text' ? one.text : '')).join('')
    return prompted(client, params.sessionId, text)
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    log(`cancel ${params.sessionId}`)
    turns.get(params.sessionId)?.abort()
  })
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout),
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  )
