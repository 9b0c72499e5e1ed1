import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stopwatch, timeOf } from '../../support/processor-time.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { ask, startWeb } from './support.ts'

/** How long a request may keep all others waiting, in milliseconds; the client's and the store's share is in it. */
const most = 100

describeWith('redis-server', 'a thread with messages that are hard to show', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  let web: Awaited<ReturnType<typeof startWeb>>
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
    web = await startWeb(redis)
  })
  afterAll(async () => {
    await web.stop()
    await server.stop()
  })

  it('is answered quickly and shows every message (S11, S12)', async () => {
    const said = [
      `x${'\n'.repeat(39_000)}x`,
      '>'.repeat(4_000),
      '1. '.repeat(2_000),
      `a${' '.repeat(39_000)}b`,
      `${'|a'.repeat(5_000)}|\n${'|-'.repeat(5_000)}|\n${'|\n'.repeat(5_000)}`,
      'and **this** is a message like any other',
    ]
    const { body } = await ask(`${web.url}/api/conversations`, 'POST', {})
    const thread = `${web.url}/api/conversations/${(body as { id: string }).id}`
    for (const [index, text] of said.entries()) {
      const message = { text, clientMessageId: `m${index}` }
      let statuses: number[] = []
      const post = async () => {
        statuses = [...statuses, (await ask(`${thread}/messages`, 'POST', message)).status]
      }
      expect(await timeOf(post, most)).toBeLessThan(most)
      expect(new Set(statuses)).toEqual(new Set([202]))
    }
    expect(await timeOf(() => ask(thread), most)).toBeLessThan(most)
    const shown = await ask(thread)
    expect(shown.status).toBe(200)
    const { messages } = shown.body as { messages: { text: string; html: string }[] }
    expect(messages.map(({ text }) => text)).toEqual(said.map((text) => text.trim()))
    expect(messages.every(({ html }) => html !== '')).toBe(true)
    expect(messages.at(-1)?.html).toContain('<strong>this</strong>')
  })

  it('of 200 of them lets others in between its messages, and is answered within a second the next time (S11)', async () => {
    const { body } = await ask(`${web.url}/api/conversations`, 'POST', {})
    const thread = `${web.url}/api/conversations/${(body as { id: string }).id}`
    const hard = 'a **b** _c_ `d`\n\n'.repeat(150)
    const said = Array.from({ length: 200 }, (_, index) => `${index} ${hard}`)
    await Promise.all(
      said.map((text, index) =>
        ask(`${thread}/messages`, 'POST', { text, clientMessageId: `m${index}` }),
      ),
    )
    let longest = 0
    let before = process.threadCpuUsage().user
    const ticking = setInterval(() => {
      const now = process.threadCpuUsage().user
      longest = Math.max(longest, (now - before) / 1_000)
      before = now
    }, 1)
    const used = async () => {
      const from = process.threadCpuUsage().user
      const { messages } = (await ask(thread)).body as { messages: { html: string }[] }
      expect(messages.filter(({ html }) => html.includes('<strong>b</strong>'))).toHaveLength(200)
      return (process.threadCpuUsage().user - from) / 1_000
    }
    expect(await used()).toBeGreaterThan(most)
    clearInterval(ticking)
    expect(longest).toBeLessThan(most)
    const passed = stopwatch()
    expect(await used()).toBeLessThan(500)
    expect(passed()).toBeLessThan(1_000)
  })
})
