import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ConversationLine, ConversationView, RunView } from '../../src/adapters/web/views.ts'
import { ask } from '../adapters/web/support.ts'
import { closes, ends, plans } from '../fakes/model.ts'
import { value } from '../fakes/openai/replies.ts'
import { type FakeOpenAi, startOpenAi } from '../fakes/openai/server.ts'
import { createRandom } from '../soak/plan.ts'
import { type ClewProcess, createClewProcess } from '../support/clew-process.ts'
import { connectorAt, connectorsFile, secrets } from './support.ts'

const seed = 20_260_101
const token = 'a-long-and-random-token'
let folder: string
let model: FakeOpenAi
let clew: ClewProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-connected-'))
  model = await startOpenAi({ remembers: false })
  model.answer(({ contract, prompt }) => {
    if (contract === 'plan') return value(plans('Look'))
    return value(
      contract === 'thought'
        ? closes('looked')
        : ends(`Done: ${/Part \d+ of \d+/.exec(prompt)?.[0]}`),
    )
  })
  const settings = {
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'fake',
    LOG_LEVEL: 'debug',
    WEB_TOKEN: token,
  }
  clew = await createClewProcess(join(folder, 'data'), {
    ...settings,
    CONNECTORS_FILE: await connectorsFile(),
  })
  await clew.start()
})
afterAll(async () => {
  await clew.stop()
  await model.close()
  await rm(folder, { recursive: true, force: true })
})

const groups = 3
const size = 3

it('what was acknowledged is done once and reported once, however it is killed with -9 (C120, C123, S20, P1)', async () => {
  const random = createRandom(seed)
  const ci = connectorAt(() => clew.url, secrets.ci)
  const send = (group: number, part: number) =>
    ci.start({
      ...{
        requestId: `${group}-${part}`,
        input: { goal: `Part ${part} of ${group}` },
        channel: 'web:local/web',
      },
      group: { id: `night-${group}`, size },
    })
  let output = ''
  for (let group = 1; group <= groups; group += 1) {
    const acknowledged = [await send(group, 1), await send(group, 2)]
    const wait = random() * 300
    await new Promise((resolve) => setTimeout(resolve, wait))
    const last = send(group, 3).catch(() => null)
    await clew.kill()
    await last
    output += clew.output()
    await clew.start()
    // A program that heard no answer sends it again, and so do queues that deliver at least once.
    const again = [await send(group, 1), await send(group, 2), await send(group, 3)]
    expect(again.slice(0, 2).map(({ body }) => body)).toEqual(
      acknowledged.map(({ body }) => ({ ...body, duplicate: true })),
    )
  }
  const person = { authorization: `Bearer ${token}` }
  const get = async (path: string) => (await ask(clew.url + path, 'GET', undefined, person)).body
  const runs = await vi.waitFor(
    async () => {
      const all = ((await get('/api/runs?limit=200')) as { runs: RunView[] }).runs
      expect(all.filter(({ status }) => status !== 'succeeded')).toEqual([])
      return all
    },
    { timeout: 60_000, interval: 100 },
  )
  expect(runs).toHaveLength(groups * (size + 1))
  const { conversations } = (await get('/api/conversations')) as {
    conversations: ConversationLine[]
  }
  expect(conversations).toHaveLength(groups)
  for (const { id, title } of conversations) {
    const { messages } = (await get(`/api/conversations/${id}`)) as ConversationView
    const group = /night-(\d)/.exec(title)?.[1]
    expect(messages).toHaveLength(1)
    for (let part = 1; part <= size; part += 1)
      expect(messages[0]?.text).toContain(`Done: Part ${part} of ${group}`)
  }
  for (const secret of Object.values(secrets)) expect(output + clew.output()).not.toContain(secret)
}, 180_000)
