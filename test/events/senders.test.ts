import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunView } from '../../src/adapters/web/views.ts'
import { createFakeModel, type FakeModel } from '../fakes/model.ts'
import { type Lab, openLab } from '../schedules/support.ts'
import { everyTaskLooks, hexOf, secret, send, sourcesFile } from './support.ts'

const payloads = JSON.parse(
  readFileSync(new URL('../fixtures/events/github.json', import.meta.url), 'utf8'),
) as Record<'issues' | 'ping', object>
/** The example of GitHub's documentation. */
const documented = {
  secret: "It's a Secret to Everybody",
  body: 'Hello, World!',
  signature: 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
}

let lab: Lab
let model: FakeModel
beforeEach(async () => {
  model = createFakeModel()
  everyTaskLooks(model)
  const channels = ['web:local/web']
  const more = { documented: { from: 'github', secret: documented.secret, channels } }
  lab = await openLab({ model, env: { CONNECTORS_FILE: await sourcesFile(more) } })
})
afterEach(() => lab.stop())

const to = (name: string) => `${lab.clew().url}/hooks/${name}`
const rule = async (line: string) => await lab.reply(await lab.say(`/schedule add ${line}`))
const runs = async () => ((await lab.get('/api/runs')) as { runs: RunView[] }).runs
const seconds = (ago = 0) => String(Math.floor(lab.clock.now() / 1000) - ago)
const body = JSON.stringify({ id: 'evt_1', type: 'charge.failed', status: 'firing' })

/** Headers of a good request of each sender, and of the same with another signature. */
const proofs: Record<string, (by?: string, ago?: number) => Record<string, string>> = {
  github: (by) => ({
    'x-hub-signature-256': `sha256=${hexOf(body, by)}`,
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
  }),
  gitlab: (by = secret) => ({ 'x-gitlab-token': by, 'idempotency-key': 'f5e5f430' }),
  stripe: (by, ago) => {
    const at = seconds(ago)
    return { 'stripe-signature': `t=${at},v1=${'0'.repeat(64)},v1=${hexOf(`${at}.${body}`, by)}` }
  },
  sentry: (by) => ({ 'sentry-hook-signature': hexOf(body, by), 'request-id': 'r-1' }),
  grafana: (by) => ({ 'x-grafana-alerting-signature': hexOf(body, by) }),
  hmac: (by) => ({ 'x-signature-256': hexOf(body, by) }),
  bearer: (by = secret) => ({ authorization: `Bearer ${by}` }),
}

describe('senders of events', () => {
  it.each(Object.keys(proofs))(
    'know their secret and are refused without it: %s (S66)',
    async (name) => {
      await rule(`Look into it --event ${name}`)
      const proof = proofs[name]
      const refused = [{}, proof?.('another-secret-of-some-length') ?? {}]
      for (const headers of refused)
        expect(await send(to(name), body, headers)).toMatchObject({
          status: 401,
          body: { error: { code: 'wrong_signature', message: expect.stringMatching(/signature/) } },
        })
      expect((await send(`${to(name)}?token=${secret}`, body, {})).status).toBe(401)
      expect(
        (await send(to(name), `${body} `, name === 'gitlab' ? {} : (proof?.() ?? {}))).status,
      ).toBe(name === 'bearer' ? 202 : 401)
      expect(await send(to(name), body, proof?.() ?? {})).toMatchObject({ status: 202 })
      expect(await send(to(name), body, proof?.() ?? {})).toMatchObject({ status: 202 })
      await lab.until(async () => (await runs()).every(({ endedAt }) => endedAt !== null))
      expect(await runs()).toHaveLength(name === 'bearer' ? 2 : 1)
    },
  )

  it.each([
    ['stripe', (at: string) => ({ 'stripe-signature': `t=${at},v1=${hexOf(`${at}.${body}`)}` })],
    [
      'grafana',
      (at: string) => ({
        'x-grafana-alerting-timestamp': at,
        'x-grafana-alerting-signature': hexOf(`${at}:${body}`),
      }),
    ],
    [
      'hmac',
      (at: string) => ({ 'x-signature-timestamp': at, 'x-signature-256': hexOf(`${at}.${body}`) }),
    ],
  ])(
    'sign a time with the body, and are refused after five minutes: %s (S66)',
    async (name, proof) => {
      await rule(`Look into it --event ${name}`)
      const statusOf = async (at: string) => (await send(to(name), body, proof(at))).status
      expect(await statusOf(seconds(301))).toBe(401)
      expect(await statusOf(seconds(-301))).toBe(401)
      expect(await statusOf('soon')).toBe(401)
      expect(await statusOf(seconds(290))).toBe(202)
    },
  )

  it('verify as GitHub documents it, and say hello without starting work (C643)', async () => {
    await rule('Look into it --event documented')
    const headers = { 'x-hub-signature-256': documented.signature }
    // It is genuine, and no JSON.
    expect(await send(to('documented'), documented.body, headers)).toMatchObject({
      ...{ status: 400, body: { error: { code: 'event_not_json' } } },
    })
    const ping = JSON.stringify(payloads.ping)
    const hello = { 'x-hub-signature-256': `sha256=${hexOf(ping)}`, 'x-github-event': 'ping' }
    await rule('Look into it --event github')
    expect(await send(to('github'), ping, hello)).toMatchObject({ status: 200, body: { tasks: 0 } })
    expect(await runs()).toEqual([])
  })

  it('name the kind of event, which conditions read beside the data (C642, C643)', async () => {
    const opened = JSON.stringify(payloads.issues)
    const headers = {
      'x-hub-signature-256': `sha256=${hexOf(opened)}`,
      'x-github-event': 'issues',
      'x-github-delivery': 'd-1',
    }
    await rule('Triage it --event github --match "event is pull_request"')
    await rule(
      'Look into it --event github --match "event is issues and action is opened and issue.labels.name is bug and issue.title matches ^Spelling"',
    )
    expect(await send(to('github'), opened, headers)).toMatchObject({
      ...{ status: 202, body: { tasks: 1, passed: 1 } },
    })
    await lab.until(async () => (await runs())[0]?.endedAt)
    const input = model.calls[0]?.input
    const text = input !== undefined && 'event' in input ? (input.event?.text ?? '') : ''
    expect(text).toContain('Spelling error in the README file')
    expect(text, 'addresses of the API').not.toContain('_url":"https://api')
    expect(text.length).toBeLessThan(12_200)
  })

  it('are told what is wrong with a request that cannot be taken (C643, S68)', async () => {
    expect(await send(to('nowhere'), body, {})).toMatchObject({
      ...{ status: 404, body: { error: { code: 'unknown_hook' } } },
    })
    const large = JSON.stringify({ text: 'x'.repeat(1024 * 1024) })
    expect(await send(to('hmac'), large, { 'x-signature-256': hexOf(large) })).toMatchObject({
      ...{ status: 413, body: { error: { code: 'event_too_large' } } },
    })
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect((await send(to('hmac'), deep, { 'x-signature-256': hexOf(deep) })).status).toBe(200)
  })
})
