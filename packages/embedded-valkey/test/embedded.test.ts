import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Queue, QueueEvents, Worker } from 'bullmq'
import { describe, expect, it } from 'vitest'
import { connect, incrementOf, startStore, temporaryFolder } from './support.ts'

describe('the embedded store', () => {
  it('answers clients that know the password, and nobody else', async () => {
    const { url } = await startStore({ dataDir: await temporaryFolder() })
    expect(await connect(url).ping()).toBe('PONG')
    const refusal = await new Promise((resolve) => {
      connect(url.replace(/:[^:@]+@/, ':wrong@')).once('error', resolve)
    })
    expect(String(refusal)).toMatch(/WRONGPASS/)
  })

  it('listens on loopback alone, and only its user can read what it keeps (S57)', async () => {
    const dataDir = await temporaryFolder()
    const { url } = await startStore({ dataDir })
    const elsewhere = connect(url.replace('127.0.0.1', '127.0.0.2'))
    const refusal = await new Promise<Error>((resolve) => elsewhere.once('error', resolve))
    expect(refusal.message).toMatch(/ECONNREFUSED|EADDRNOTAVAIL/)
    const modes = readdirSync(dataDir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => statSync(join(dataDir, name)).mode & 0o777)
    expect(modes).toEqual([0o700])
  })

  it('loads its data while the thread that opened it does something else (C213)', async () => {
    const dataDir = await temporaryFolder()
    const store = startStore({ dataDir })
    // Nothing of this thread's loop runs meanwhile.
    const pause = new Int32Array(new SharedArrayBuffer(4))
    for (let tries = 0; tries < 2_000 && !existsSync(incrementOf(dataDir)); tries++)
      Atomics.wait(pause, 0, 0, 10)
    const found = existsSync(incrementOf(dataDir))
    await store
    expect(found).toBe(true)
  })

  it('says what it guarantees', async () => {
    const store = await startStore({ dataDir: await temporaryFolder() })
    expect(store.describe()).toMatch(/Valkey.*killed process loses nothing.*power failure/)
  })

  it('keeps its data and its worker id over a restart, with a new password (S57)', async () => {
    const dataDir = await temporaryFolder()
    const first = await startStore({ dataDir })
    await connect(first.url).set('greeting', 'hello')
    await first.stop()
    const second = await startStore({ dataDir })
    expect(await connect(second.url).get('greeting')).toBe('hello')
    expect(second.workerId).toBe(first.workerId)
    expect(new URL(second.url).password).not.toBe(new URL(first.url).password)
  })

  it('serves scripts, blocking reads, streams, publications and answers of many megabytes', async () => {
    const { url } = await startStore({ dataDir: await temporaryFolder() })
    const [one, two, three] = [connect(url), connect(url), connect(url)]
    await two.ping()

    const popped = two.blpop('list', 5)
    await one.rpush('list', 'item')
    expect(await popped).toEqual(['list', 'item'])

    const read = two.xread('BLOCK', 5000, 'STREAMS', 'stream', '0')
    await one.xadd('stream', '1-1', 'field', 'value')
    expect(await read).toEqual([['stream', [['1-1', ['field', 'value']]]]])

    const script = "redis.call('SET', KEYS[1], ARGV[1]) return cjson.encode({ARGV[1]})"
    const sha = await one.script('LOAD', script)
    expect(await one.evalsha(String(sha), 1, 'scripted', '7')).toBe('["7"]')
    await expect(one.eval("return redis.call('NOSUCH')", 0)).rejects.toThrow(/Unknown/)

    const heard = new Promise((resolve) => three.on('message', (_channel, text) => resolve(text)))
    await three.subscribe('channel')
    await one.publish('channel', 'news')
    expect(await heard).toBe('news')

    const large = 'x'.repeat(8 << 20)
    await one.set('large', large)
    expect(await one.get('large')).toBe(large)
  })

  it('runs BullMQ jobs', async () => {
    const { url } = await startStore({ dataDir: await temporaryFolder() })
    const connection = { url, maxRetriesPerRequest: null }
    const queue = new Queue('work', { connection })
    const events = new QueueEvents('work', { connection })
    const worker = new Worker('work', async (job) => job.data.value * 2, { connection })
    try {
      await events.waitUntilReady()
      const delayed = await queue.add('double', { value: 4 }, { delay: 20 })
      const job = await queue.add('double', { value: 21 })
      expect(await job.waitUntilFinished(events, 5000)).toBe(42)
      expect(await delayed.waitUntilFinished(events, 5000)).toBe(8)
    } finally {
      await Promise.all([worker.close(), events.close(), queue.close()])
    }
  })

  it('refuses writes instead of dropping keys, and never tries to fork', async () => {
    const client = connect((await startStore({ dataDir: await temporaryFolder() })).url)
    expect(await client.config('GET', 'maxmemory*')).toEqual(
      expect.arrayContaining(['maxmemory-policy', 'noeviction', '1073741824']),
    )
    await expect(client.call('BGREWRITEAOF')).rejects.toThrow(/unknown command/)
  })

  it('syncs every write when it is strict', async () => {
    const store = await startStore({ dataDir: await temporaryFolder(), strict: true })
    const client = connect(store.url)
    expect(await client.config('GET', 'appendfsync')).toEqual(['appendfsync', 'always'])
    expect(await client.set('key', 'value')).toBe('OK')
    expect(store.describe()).toMatch(/neither .* nor a power failure/)
  })

  it('reports when it ends by itself, and can be started again', async () => {
    const dataDir = await temporaryFolder()
    const failure = Promise.withResolvers<unknown>()
    const store = await startStore({ dataDir, onFailure: failure.resolve })
    const client = connect(store.url)
    await client.set('key', 'value')
    await expect(client.call('SHUTDOWN', 'NOSAVE')).rejects.toThrow()
    expect(await failure.promise).toMatchObject({ code: 'crashed' })
    await store.stop()
    expect(await connect((await startStore({ dataDir })).url).get('key')).toBe('value')
  })

  it('ends when its signal is aborted', async () => {
    const dataDir = await temporaryFolder()
    const controller = new AbortController()
    const store = await startStore({ dataDir, signal: controller.signal })
    const client = connect(store.url)
    await client.ping()
    const closed = once(client, 'close')
    controller.abort()
    await closed
    await store.stop()
    await startStore({ dataDir })
  })
})
