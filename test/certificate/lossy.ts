import { createServer } from 'node:http'
import { markOf, numbersIn } from './count.ts'
import type { System } from './system.ts'

/** A system that is wrong on purpose: keeps nothing, forgets some messages, answers some twice and some elsewhere. */
export const lossy: System = {
  name: 'lossy',
  path: '/',
  events: ['app_mention'],
  command: ({ port, slackUrl, botToken }) => ({
    words: [process.execPath, import.meta.filename],
    cwd: import.meta.dirname,
    env: { PORT: String(port), SLACK_URL: slackUrl, BOT_TOKEN: botToken },
  }),
}

interface Mention {
  channel: string
  text: string
  ts: string
  thread_ts?: string
}

const { PORT, SLACK_URL = '', BOT_TOKEN = '' } = process.env
const heard = new Set<string>()

async function post(channel: string, thread: string, text: string): Promise<void> {
  const response = await fetch(`${SLACK_URL}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${BOT_TOKEN}` },
    body: new URLSearchParams({ channel, thread_ts: thread, text }),
  })
  if (response.status === 429) await post(channel, thread, text)
}

async function answer({ channel, text, ts, thread_ts: thread = ts }: Mention): Promise<void> {
  const [number = 0] = numbersIn(text)
  const kind = number % 10
  if (heard.has(ts) || kind === 3) return
  heard.add(ts)
  const words = `Answer to ${markOf(number)}`
  await post(channel, kind === 7 ? ts : thread, words)
  if (kind === 5) await post(channel, thread, words)
}

if (import.meta.main)
  createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.end()
      const { event } = JSON.parse(String(Buffer.concat(chunks))) as { event: Mention }
      answer(event).catch(() => undefined)
    })
  }).listen(Number(PORT), '127.0.0.1')
