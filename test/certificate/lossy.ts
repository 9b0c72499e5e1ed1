import { createServer } from 'node:http'
import { Client, GatewayIntentBits, type Message } from 'discord.js'
import { markOf, numbersIn } from './count.ts'
import type { System } from './system.ts'

/** A system that is wrong on purpose: keeps nothing, forgets some messages, answers some twice and some elsewhere. */
export const lossy: System = {
  name: 'lossy',
  slack: {
    path: '/',
    events: ['app_mention'],
    keys: ({ url, botToken }) => ({ SLACK_URL: url, BOT_TOKEN: botToken }),
  },
  discord: {
    ownRules: false,
    keys: ({ url, botToken }) => ({ DISCORD_URL: url, BOT_TOKEN: botToken }),
  },
  command: ({ port, keys }) => ({
    words: [process.execPath, import.meta.filename],
    cwd: import.meta.dirname,
    env: { PORT: String(port), ...keys },
  }),
}

interface Mention {
  channel: string
  text: string
  ts: string
  thread_ts?: string
}

type Post = (words: string, elsewhere: boolean) => Promise<unknown>

const { PORT, SLACK_URL = '', DISCORD_URL, BOT_TOKEN = '' } = process.env
const heard = new Set<string>()

async function answer(id: string, text: string, post: Post): Promise<void> {
  const [number = 0] = numbersIn(text)
  const kind = number % 10
  if (heard.has(id) || kind === 3) return
  heard.add(id)
  const words = `Answer to ${markOf(number)}`
  await post(words, kind === 7)
  if (kind === 5) await post(words, false)
}

async function postToSlack(channel: string, thread: string, text: string): Promise<void> {
  const response = await fetch(`${SLACK_URL}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${BOT_TOKEN}` },
    body: new URLSearchParams({ channel, thread_ts: thread, text }),
  })
  if (response.status === 429) await postToSlack(channel, thread, text)
}

const answerOnSlack = ({ channel, text, ts, thread_ts: thread = ts }: Mention) =>
  answer(ts, text, (words, elsewhere) => postToSlack(channel, elsewhere ? ts : thread, words))

async function answerOnDiscord(message: Message<true>): Promise<void> {
  const { author, channel, client, id, content } = message
  if (author.bot) return
  const thread = channel.isThread() ? channel : await message.startThread({ name: 'A thread' })
  await answer(id, content, (words, elsewhere) =>
    client.rest.post(`/channels/${elsewhere ? thread.parentId : thread.id}/messages`, {
      body: { content: words },
    }),
  )
}

if (import.meta.main) {
  createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.end()
      if (chunks.length === 0) return
      const { event } = JSON.parse(String(Buffer.concat(chunks))) as { event: Mention }
      answerOnSlack(event).catch(() => undefined)
    })
  }).listen(Number(PORT), '127.0.0.1')
  if (DISCORD_URL !== undefined) {
    const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits
    const intents = [Guilds, GuildMessages, MessageContent]
    const client = new Client({ intents, rest: { api: DISCORD_URL } })
    client.on('messageCreate', (message) => {
      if (message.inGuild()) answerOnDiscord(message).catch(() => undefined)
    })
    await client.login(BOT_TOKEN)
  }
}
