import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from './adapters/web/support.ts'
import { createClewProcess } from './support/clew-process.ts'
import { startUntrusted } from './support/tls.ts'

/** Clew as a person starts it, in a folder of its own. */
async function clewWith(env: Record<string, string>, under?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'clew-faults-'))
  const clew = await createClewProcess(folder, env, under)
  onTestFinished(async () => {
    await clew.kill()
    await rm(folder, { recursive: true, force: true })
  })
  return clew
}

/** What it says when it does not start: its exit code, and the lines below the first. */
async function refusal(
  env: Record<string, string>,
): Promise<{ code: number | null; said: string }> {
  const clew = await clewWith(env)
  await expect(clew.start()).rejects.toThrow()
  const [first, ...said] = clew.output().trim().split('\n')
  expect(first).toBe('Clew cannot start:')
  expect(clew.output()).not.toMatch(/^\s+at /m)
  return { code: await clew.ended(), said: said.map((line) => line.trim()).join('\n') }
}

it.each([
  [
    "an address that is another machine's",
    { HOST: '192.0.2.1', WEB_TOKEN: 'long enough' },
    'HOST: 192.0.2.1 is no address of this machine. Set HOST to one of its own, or 127.0.0.1',
  ],
  [
    'a misspelt setting',
    { OPENAI_API_KYE: 'sk-1' },
    "OPENAI_API_KYE is not a setting; did you mean OPENAI_API_KEY? If it is another program's, set OPENAI_API_KEY too (blank: not set)",
  ],
])('%s is one sentence that says what to do, and exit code 2 (C66)', async (_, env, sentence) => {
  expect(await refusal(env)).toEqual({ code: 2, said: sentence })
})

it('a port that is taken is one sentence that says what to do (C66)', async () => {
  const clew = await clewWith({})
  const { port } = new URL(clew.url)
  const taken = createServer().listen(Number(port), '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  await expect(clew.start()).rejects.toThrow()
  expect(clew.output().trim().split('\n').at(-1)).toContain(
    `PORT: ${port} is taken on 127.0.0.1. Set PORT`,
  )
  expect(clew.output()).not.toMatch(/EADDRINUSE|^\s+at /m)
  expect(await clew.ended()).toBe(2)
})

it("a store whose certificate is not trusted is said in a certificate's words (C66)", async () => {
  const { code, said } = await refusal({
    REDIS_URL: `rediss://127.0.0.1:${await startUntrusted()}`,
  })
  expect(code).toBe(2)
  expect(said).toMatch(/certificate is not trusted, it is self-signed: .*NODE_EXTRA_CA_CERTS/)
})

it('a data folder that is in use beside a REDIS_URL is no reason to set REDIS_URL (C66)', async () => {
  const { lockDataDir } = await import('../src/store/embedded.ts')
  const folder = await mkdtemp(join(tmpdir(), 'clew-faults-'))
  const lock = lockDataDir(folder, { shared: true })
  onTestFinished(() => {
    lock.release()
    return rm(folder, { recursive: true, force: true })
  })
  const again = () => lockDataDir(folder, { shared: true })
  expect(again).toThrow(/Stop that one first, or set DATA_DIR to another folder/)
  expect(again).not.toThrow('REDIS_URL')
  expect(() => lockDataDir(folder)).toThrow('set REDIS_URL')
})

it('a model, a Slack and a Discord whose certificates are not trusted: Clew starts, and the log and health say so (C66)', async () => {
  const port = await startUntrusted()
  const clew = await clewWith({
    OPENAI_BASE_URL: `https://127.0.0.1:${port}/v1`,
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_APP_TOKEN: 'xapp-1',
    SLACK_API_URL: `https://127.0.0.1:${port}/api/`,
    DISCORD_TOKEN: 'a.b.c',
    DISCORD_API_URL: `https://127.0.0.1:${port}/api`,
  })
  await clew.start()
  expect(clew.output()).toMatch(
    /Model: at OPENAI_BASE_URL \(127.*certificate is not trusted.*Check OPENAI_BASE_URL/,
  )
  expect(clew.output()).not.toMatch(/"stack"/)
  const trouble = { ok: false, detail: expect.stringContaining('certificate is not trusted') }
  expect(await ask(`${clew.url}/readyz`)).toMatchObject({
    status: 503,
    body: {
      store: { ok: true },
      channels: { web: { ok: true }, slack: trouble, discord: trouble },
    },
  })
})

it('a Discord that is away at the start: Clew starts, says so, and goes on trying (C66)', async () => {
  const clew = await clewWith({ DISCORD_TOKEN: 'a.b.c', DISCORD_API_URL: 'http://127.0.0.1:1/api' })
  await clew.start()
  const away = {
    ok: false,
    detail: 'Discord cannot be reached (nothing listens there); trying again',
  }
  expect((await ask(`${clew.url}/healthz`)).body).toMatchObject({
    ok: false,
    channels: { discord: away },
  })
  expect(clew.output()).toContain(away.detail)
  expect(clew.output()).not.toMatch(/"stack"/)
})

it('a disk that becomes full ends Clew with one sentence, and everything acknowledged is there afterwards (C66)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-faults-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const clew = await createClewProcess(folder, { REHEARSAL_PACE_MS: '0' }, 'ulimit -f 2000')
  await clew.start()
  const say = (on: string, n: number) =>
    ask(`${on}/api/conversations`, 'POST', {
      text: `${n} ${'x'.repeat(39_000)}`,
      clientMessageId: `m${n}`,
    })
  let acknowledged = 0
  for (
    const more = async () => (await say(clew.url, acknowledged).catch(() => null))?.status === 202;
    await more();
  )
    acknowledged += 1
  expect(await clew.ended()).toBe(1)
  expect(clew.output()).toMatch(
    /^Clew stops: .*Nothing acknowledged is lost. Make room on the disk, then start again\.$/m,
  )
  expect(clew.output()).not.toMatch(/^\s+at /m)
  const later = await createClewProcess(folder, { REHEARSAL_PACE_MS: '0' })
  onTestFinished(() => later.kill())
  await later.start()
  for (let n = 0; n < acknowledged; n++)
    expect((await say(later.url, n)).body).toMatchObject({ duplicate: true })
  expect(acknowledged).toBeGreaterThan(3)
})

it('a request that is broken off, and a Host header that nothing can be at, are no errors in the log (C66)', async () => {
  const clew = await clewWith({ REHEARSAL_PACE_MS: '0' })
  await clew.start()
  const { port, host } = new URL(clew.url)
  for (const rest of [
    'Content-Length: 1000\r\n\r\n{"text":',
    'Transfer-Encoding: chunked\r\n\r\n5\r\n{"tex\r\n',
  ]) {
    const socket = dial(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST /api/conversations HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${rest}`,
    )
    // The next request is answered after this one was begun.
    await ask(`${clew.url}/healthz`)
    socket.destroy()
    await once(socket, 'close')
  }
  const socket = dial(Number(port), '127.0.0.1')
  socket.end('GET /api/conversations HTTP/1.1\r\nHost: 127.0.0.999\r\nConnection: close\r\n\r\n')
  let answer = ''
  for await (const chunk of socket) answer += chunk
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toContain('“127.0.0.999” in the Host header is neither a name nor an address')
  await ask(`${clew.url}/healthz`)
  await clew.stop()
  expect(clew.output()).not.toContain('"level":50')
  expect(clew.output()).not.toContain('"stack"')
})
