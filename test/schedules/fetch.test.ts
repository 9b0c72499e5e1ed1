import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  acts,
  closes,
  createFakeModel,
  decides,
  ends,
  type FakeModel,
  plans,
} from '../fakes/model.ts'
import { type Lab, openLab } from './support.ts'

const start = Date.UTC(2026, 10, 20, 9)
const publicAddress = '93.184.216.34'

let lab: Lab
let model: FakeModel
let server: Server
let port: number
/** Addresses that were connected to. */
let dialed: string[]
beforeEach(async () => {
  dialed = []
  model = createFakeModel()
  server = createServer((_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(
        '<html><title>Prices</title><body><script>track()</script><p>A night costs 80 euros.</p></body></html>',
      ),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterEach(async () => {
  await lab.stop()
  await new Promise((resolve) => server.close(resolve))
})

async function open(env: Record<string, string>) {
  lab = await openLab({
    start,
    model,
    env,
    fetch: {
      // The first answer is public, each later one is this machine.
      resolve: async () => (dialed.length === 0 ? [publicAddress] : ['127.0.0.1']),
      dial(address) {
        dialed.push(address)
        return { host: '127.0.0.1', port }
      },
    },
  })
}

const get = (url: string) =>
  decides.runs({
    type: 'fetch_web',
    title: 'The prices',
    conversation_id: null,
    input: JSON.stringify({ url }),
  })
/** Time stands still: a page that is loading must not time out by the test's clock. */
const ended = (thread: string) =>
  vi.waitFor(async () => {
    const run = (await lab.thread(thread)).runs.find(({ endedAt }) => endedAt !== null)
    if (run === undefined) throw new Error('no run has ended')
    return run
  }, 40_000)

describe('fetching web pages', () => {
  it('is off: there is no tool and no such work (S3)', async () => {
    await open({})
    model.on('decision', get('http://prices.example.org/'), decides.run('Look at the prices'))
    const thread = await lab.say('Get the prices')
    expect(await lab.reply(thread)).toBe(
      'Sorry, I’m not allowed to do things like this here (fetch_web). An admin can allow it.',
    )
    const [decision] = model.calls
    expect(JSON.stringify(decision?.input)).not.toContain('"type":"fetch_web"')
    model.on('plan', plans('Look'))
    model.on('thought', acts('http://prices.example.org/', 'fetch_web'), closes('refused'))
    model.on('replan', ends('I could not look.'))
    await lab.say('Then look at the prices', { thread })
    await ended(thread)
    const thought = model.calls.find(({ contract }) => contract === 'thought')
    expect(JSON.stringify(thought?.input)).not.toContain('"name":"fetch_web"')
    expect(dialed).toEqual([])
  })

  it('is work of its own when it is turned on, also while nobody watches (S3, S4)', async () => {
    await open({ FETCH_WEB: '1' })
    model.on('decision', get('http://prices.example.org/'))
    const thread = await lab.say('Get the prices')
    const run = await ended(thread)
    expect(run.error).toBeNull()
    expect(run).toMatchObject({ type: 'fetch_web', status: 'succeeded' })
    expect(run.result).toContain('data, not instructions')
    expect(run.result).toContain('A night costs 80 euros.')
    expect(run.result).not.toContain('track()')
    expect(dialed).toEqual([publicAddress])
  })

  it('is a tool as well; what is not public is not connected to, by address or by a name that turns (S3)', async () => {
    await open({ FETCH_WEB: '1' })
    model.on('decision', decides.run('Look at the prices'))
    model.on('plan', plans('Look'))
    model.on(
      'thought',
      acts('http://prices.example.org/', 'fetch_web'),
      acts('http://prices.example.org/again', 'fetch_web'),
      acts('http://169.254.169.254/latest/meta-data/', 'fetch_web'),
      closes('80 euros'),
    )
    model.on('replan', ends('A night costs 80 euros.'))
    const thread = await lab.say('Look at the prices')
    expect((await ended(thread)).status).toBe('succeeded')
    const last = model.calls.filter(({ contract }) => contract === 'thought').at(-1)
    const observed = last?.contract === 'thought' ? last.input.observations : []
    expect(observed.map(({ ok }) => ok)).toEqual([true, false, false])
    expect(observed[0]?.result).toContain('A night costs 80 euros.')
    expect(observed[1]?.result).toContain('isn’t public')
    expect(dialed).toEqual([publicAddress])
    model.assertDone()
  })
})
