import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSystemClock } from '../../src/clock.ts'
import { type Clew, startClew } from '../../src/compose/clew.ts'
import { readConfig } from '../../src/config.ts'
import { createFakeModel } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { startRedis } from '../support/redis.ts'
import { silent } from '../support/silent.ts'

describeWith('redis-server', 'one Clew in several processes', (program) => {
  /** Starts processes by their roles over one store; `ahead` moves the clock of all of them, in ms. */
  async function processes() {
    const server = await startRedis(program)
    const folder = await mkdtemp(join(tmpdir(), 'clew-processes-'))
    const running: Clew[] = []
    onTestFinished(async () => {
      for (const clew of running) await clew.stop()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    })
    const system = createSystemClock()
    const time = { ahead: 0 }
    const clock = { ...system, now: () => system.now() + time.ahead }
    const start = async (roles: string, settings: Record<string, string> = {}) => {
      const config = readConfig({
        ROLES: roles,
        PORT: '0',
        REDIS_URL: server.url,
        DATA_DIR: join(folder, String(running.length)),
        LOG_LEVEL: 'silent',
        AGENT_STRATEGY: 'step',
        ...settings,
      })
      const clew = await startClew(config, { clock, log: silent, model: createFakeModel() })
      running.push(clew)
      return clew
    }
    return { start, time, stop: async (clew: Clew) => void (await clew.stop()) }
  }

  const probesOf = ({ lines }: Clew) =>
    lines.find((line) => line.startsWith('Health and metrics: '))?.split(': ')[1] ?? ''
  const ask = async (url: string, token?: string) => {
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await fetch(url, { headers })
    return { status: answer.status, text: await answer.text() }
  }

  it('answers probes in a process without the page, and its metrics to operators alone (C473)', async () => {
    const { start } = await processes()
    const token = 'a-token-for-this-test'
    const worker = await start('worker,scheduler', { WEB_TOKEN: token })
    const url = probesOf(worker)
    expect(worker.url).toBeNull()
    expect(await ask(`${url}/healthz`)).toEqual({ status: 200, text: '{"ok":true}' })
    expect(await ask(`${url}/readyz`)).toEqual({ status: 200, text: '{"ok":true}' })
    expect(JSON.parse((await ask(`${url}/readyz`, token)).text)).toMatchObject({
      ok: true,
      store: { ok: true },
    })
    expect(await ask(`${url}/metrics`)).toMatchObject({ status: 401 })
    expect((await ask(`${url}/metrics`, token)).text).toContain('clew_run_wait_seconds')
    expect(await ask(`${url}/api/conversations`, token)).toMatchObject({ status: 404 })
  })

  it('works on where the port of its probes is taken, and says so (C473)', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await new Promise((resolve) => taken.once('listening', resolve))
    const bound = taken.address()
    const port = String(typeof bound === 'object' && bound !== null ? bound.port : 0)
    const { start } = await processes()
    const { lines } = await start('worker,scheduler', { HEALTH_PORT: port })
    expect(lines).toContain(
      `Port ${port} is taken, so this process answers no /healthz, /readyz and /metrics: set HEALTH_PORT.`,
    )
  })

  it('is not ready ten seconds after its last worker has gone, and says what to start (C474, C567)', async () => {
    const { start, stop, time } = await processes()
    const web = await start('web')
    const worker = await start('worker,scheduler')
    const ready = () => ask(`${web.url}/readyz`)
    const metrics = async () => (await ask(`${web.url}/metrics`)).text
    time.ahead = 60_000
    expect(await ready()).toMatchObject({ status: 200 })
    expect(await metrics()).toContain('clew_worker_running 1')
    await stop(worker)
    expect(await ready()).toMatchObject({ status: 200 })
    time.ahead += 10_000
    const { status, text } = await ready()
    expect(status).toBe(503)
    expect(await metrics()).toContain('clew_worker_running 0')
    expect(JSON.parse(text)).toMatchObject({ ok: false, queue: { ok: false, noWorker: true } })
    const { lines } = JSON.parse((await ask(`${web.url}/api/health`)).text)
    expect(lines).toContainEqual(
      expect.objectContaining({
        name: 'Queue',
        level: 'trouble',
        mend: expect.stringContaining('ROLES=worker'),
      }),
    )
    await start('worker')
    expect(await ready()).toMatchObject({ status: 200 })
  })
})
