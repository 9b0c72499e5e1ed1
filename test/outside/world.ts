import { linkSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { ConversationView } from '../../src/adapters/web/views.ts'
import type { RunStatus } from '../../src/agent/domain/run.ts'
import { ask } from '../adapters/web/support.ts'
import { type Reply, value } from '../fakes/openai/replies.ts'
import type { FakeRequest } from '../fakes/openai/request.ts'
import { type FakeOpenAi, startOpenAi } from '../fakes/openai/server.ts'
import { startFakeSlack } from '../fakes/slack/server.ts'
import { type ClewProcess, createClewProcess } from '../support/clew-process.ts'
import { publicAddress } from './internet.ts'

type Script = (request: FakeRequest) => Reply
type Headers = Record<string, string>

export const token = 'a-long-and-random-token'
const ana = { id: 'ana', name: 'Ana' }

export type World = Awaited<ReturnType<typeof startWorld>>

/**
 * Clew in a process of its own, as `npm start` starts it, and what is around it: a model, pages of the internet, a Slack, an MCP
 * server, a folder to search. All that a test does with it goes over the network.
 *
 * @param settings beside those, `REDIS_URL` for another store than the embedded one.
 */
export async function startWorld(settings: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'clew-outside-'))
  const [model, slack, internet] = await Promise.all([
    startOpenAi({ remembers: false }),
    startFakeSlack({ minuteMs: null }),
    startInternet(),
  ])
  const clew = await createClewProcess(join(folder, 'data'), {
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'fake',
    AGENT_STRATEGY: 'auto',
    LOG_LEVEL: 'error',
    WEB_TOKEN: token,
    WEB_PROXIES: '1',
    FETCH_WEB: '1',
    NODE_OPTIONS: `--import ${internet.preload}`,
    SLACK_BOT_TOKEN: slack.state.bot.token,
    SLACK_APP_TOKEN: slack.state.appToken,
    SLACK_API_URL: slack.apiUrl,
    MCP_CONFIG: await mcpServer(folder),
    INDEX_FOLDERS: await handbook(folder),
    ...settings,
  })
  async function stop() {
    await clew.stop()
    await Promise.all([model.close(), slack.stop()])
    internet.close()
    await rm(folder, { recursive: true, force: true })
  }
  await clew.start().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { ...createThreads(clew, model), clew, slack, publish: internet.publish, stop }
}

/** Threads on the page, each with a script for the model. */
function createThreads(clew: ClewProcess, model: FakeOpenAi) {
  const played = new Map<string, { script: Script; asked: FakeRequest[] }>()
  model.answer((request) => {
    const [mark = ''] = /\(thread \d+\)/.exec(request.prompt) ?? []
    const thread = played.get(mark)
    thread?.asked.push(request)
    return thread?.script(request) ?? value(null)
  })
  /** A request as a program with the token makes it. */
  const call = async (
    path: string,
    body?: object,
    headers: Headers = { authorization: `Bearer ${token}` },
  ) => await ask(clew.url + path, body === undefined ? 'GET' : 'POST', body, headers)
  /** A text with a mark, for which the model plays this script, and what it was asked about it. */
  function marked(text: string, script: Script) {
    const mark = `(thread ${played.size + 1})`
    const asked: FakeRequest[] = []
    played.set(mark, { script, asked })
    const streamed = () => asked.map(({ body }) => body.stream === true)
    const prompts = () => asked.map(({ prompt }) => prompt)
    const functions = () =>
      asked.map(({ body }) => (body.tools ?? []).map((one) => one.function.name))
    return { text: `${text} ${mark}`, prompts, functions, streamed }
  }

  /** Opens a thread with these words. */
  async function open(words: string, script: Script) {
    const { text, prompts, functions, streamed } = marked(words, script)
    const { body, status } = await call('/api/conversations', {
      text,
      clientMessageId: text,
      author: ana,
    })
    expect(status).toBe(202)
    const { id } = body as { id: string }
    const path = `/api/conversations/${id}`
    const view = async () => (await call(path)).body as ConversationView
    return {
      id,
      view,
      prompts,
      functions,
      streamed,
      async say(words: string) {
        const message = { text: words, clientMessageId: words, author: ana }
        // Sent again as a client does it, should a busy machine have kept the store from answering in time.
        const send = async () => (await call(`${path}/messages`, message)).status
        const status = await send()
        expect(status === 503 ? await send() : status).toBe(202)
      },
      /** Waits until its task has come so far (null: there is none), and the last words are Clew's and these. */
      async shows(status: RunStatus | null, words: RegExp): Promise<ConversationView> {
        const look = async () => {
          const seen = await view()
          expect(seen.messages.at(-1)).toMatchObject({
            role: 'assistant',
            text: expect.stringMatching(words),
          })
          expect(seen.run?.status ?? null).toBe(status)
          return seen
        }
        return await vi.waitFor(look, { timeout: 90_000, interval: 50 })
      },
    }
  }
  return { call, marked, open }
}

/** Pages at a public address, for a process that has loaded `preload`. */
async function startInternet() {
  const pages = new Map<string, string>()
  const visited = new Set<string>()
  const server = createServer(({ url = '' }, response) => {
    visited.add(url)
    response.writeHead(200, { 'content-type': 'text/html' }).end(pages.get(url))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const preload = new URL('internet.ts', import.meta.url)
  preload.search = `port=${(server.address() as AddressInfo).port}`
  return {
    preload: preload.href,
    /** Puts a page there; answers its address, and whether somebody has asked for it. */
    publish(html: string) {
      const path = `/${pages.size}`
      pages.set(path, html)
      return { url: `http://${publicAddress}${path}`, isVisited: () => visited.has(path) }
    },
    close: () => void server.close(),
  }
}

/** A server whose tool `look` says of itself that it only reads. Answers the file that connects it. */
async function mcpServer(folder: string): Promise<string> {
  const program = join(import.meta.dirname, '../fakes/mcp/stdio.ts')
  const args = [program, join(folder, 'journal'), join(folder, 'pid')]
  const path = join(folder, 'mcp.json')
  await writeFile(
    path,
    JSON.stringify({ mcpServers: { fake: { command: process.execPath, args } } }),
  )
  return path
}

/** A folder that may be searched, with files in it that nobody may find: each holds the word `lighthouse`. */
async function handbook(folder: string): Promise<string> {
  const path = join(folder, 'handbook')
  await mkdir(path)
  await writeFile(join(folder, 'private.txt'), 'lighthouse of somebody else')
  linkSync(join(folder, 'private.txt'), join(path, 'innocent.txt'))
  for (const name of ['welcome.txt', 'credentials', '.env', 'server.pem', '.npmrc', '.netrc'])
    await writeFile(join(path, name), `lighthouse in ${name}`)
  return path
}
