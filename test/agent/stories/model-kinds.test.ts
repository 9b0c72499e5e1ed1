import { expect, it, onTestFinished } from 'vitest'
import { examine, printed } from '../../../scripts/doctor.ts'
import {
  FailureKind,
  isOfOneRequest,
  passesByItself,
} from '../../../src/agent/domain/model-failure.ts'
import { adviceFor } from '../../../src/agent/model/advice.ts'
import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import { openModel } from '../../../src/compose/model.ts'
import { readConfig } from '../../../src/config.ts'
import { createHealth, watchModel } from '../../../src/health.ts'
import { texts, worded } from '../../../src/locales/texts.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { closes, decides, ends, plans } from '../../fakes/model.ts'
import { providerErrors } from '../../fakes/openai/provider-errors.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { type FakeOpenAiOptions, startOpenAi } from '../../fakes/openai/server.ts'
import { type TestClew, useClew, workspace } from '../../support/agent.ts'
import { silent } from '../../support/silent.ts'
import { unattended } from '../drive/story.ts'

/*
 * Each of the ten kinds (C91) at the Decision, in a task, in work that nobody watches and at the start: the words, what health and the
 * doctor say, and what happens next. `model-failures.test.ts` and `failures.test.ts` have every provider's own way to say each.
 */

const start = useClew()
const kinds = FailureKind.options
const replyOf = (kind: FailureKind) =>
  providerErrors.find(([one]) => one === kind)?.[2] ?? fake.httpError(500)
const said = texts('en').core.modelFailed

async function serve(options: FakeOpenAiOptions = {}) {
  const server = await startOpenAi(options)
  onTestFinished(() => server.close())
  return server
}

/** A real client before an endpoint that fails so, until it is mended. */
async function failing(kind: FailureKind) {
  const server = await serve()
  const state = { isMended: false }
  server.answer((request) => {
    if (!state.isMended) return replyOf(kind)
    if (request.contract === 'decision') return fake.value(decides.reply('Lisbon'))
    if (request.contract === 'plan') return fake.value(plans('Look'))
    return fake.value(request.contract === 'thought' ? closes('ok') : ends('It is done.'))
  })
  const clock = createManualClock()
  const model = createOpenAiModel({
    ...{
      apiKey: 'sk-test',
      baseURL: server.url,
      model: 'm',
      timeoutMs: 10_000,
    },
    ...{ form: 'function', log: silent, clock: { now: () => 0 } },
  })
  const watched = watchModel(model, clock)
  const well = { health: async () => ({ ok: true, detail: 'well' }) }
  const health = createHealth({ store: well, wakeups: well, channels: [], model: watched, clock })
  return {
    server,
    clew: await start({ model: watched.part }),
    health,
    mend: () => void Object.assign(state, { isMended: true }),
  }
}

async function later(clew: TestClew, ms = 60_000) {
  for (let left = ms; left > 0; left -= 5_000) {
    await clew.advance(5_000)
    await clew.idle()
  }
}

it.each(kinds)(
  '%s at the Decision: waited for or an apology with the cause, and health says why (C91, C92, R99)',
  async (kind) => {
    const { clew, health, mend } = await failing(kind)
    await clew.say('Where?')
    await clew.idle()
    const { does, mend: advice } = adviceFor(kind)
    const { detail, ok } = (await health(500)).model
    const listed = kind === 'unknown_model' ? ' The endpoint lists: fake-large.' : ''
    expect(detail).toBe(`the endpoint ${does}. ${advice}${listed}`)
    expect(ok).toBe(isOfOneRequest(kind))
    if (!passesByItself(kind)) {
      expect(clew.texts()).toEqual([`Sorry, I couldn’t answer that. ${worded(said[kind], null)}`])
      return
    }
    await later(clew)
    mend()
    await later(clew)
    expect(clew.texts()).toEqual([expect.stringContaining('isn’t answering right now'), 'Lisbon'])
  },
)

it.each(kinds)(
  '%s in a task: goes on by itself, or pauses with the cause and goes on when it is told (C91, C93)',
  async (kind) => {
    const { server, clew, mend } = await failing(kind)
    server.on('decision', fake.value(decides.run('Book the offsite')))
    await clew.say('Book the offsite')
    await clew.idle()
    await later(clew)
    if (!passesByItself(kind)) {
      expect((await clew.run()).status).toBe('paused')
      expect(clew.texts().at(-1)).toContain(worded(said[kind], null))
    }
    mend()
    if (!passesByItself(kind)) await clew.say('continue')
    await clew.idle()
    await later(clew)
    expect((await clew.run()).status).toBe('succeeded')
    expect(clew.texts().filter((text) => text.includes('It is done.'))).toHaveLength(1)
  },
)

it.each(kinds)(
  '%s in work that nobody watches: goes on by itself, or ends with the cause (C91, C93, C35)',
  async (kind) => {
    const { clew, mend } = await failing(kind)
    const { id } = await unattended(clew)
    await clew.idle()
    await later(clew)
    mend()
    await later(clew)
    const run = (await clew.store.runs.state(workspace, id))?.run
    if (passesByItself(kind)) expect(run).toMatchObject({ status: 'succeeded' })
    else
      expect(run).toMatchObject({
        status: 'failed',
        error: expect.stringContaining(worded(said[kind], null)),
      })
  },
)

it.each(kinds)(
  '%s at the start and at the doctor: named with what to change (C91, C94)',
  async (kind) => {
    const reply =
      kind === 'reply_unusable'
        ? fake.httpError(400)
        : kind === 'filtered'
          ? filtered
          : replyOf(kind)
    const server = await serve({ models: reply })
    server.answer(() => reply)
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-x' }
    const { mend, does, afterTrial } = adviceFor(kind)
    const { line } = await openModel(readConfig(env), { clock: createManualClock(), log: silent })
    expect(line).toContain(mend)
    const lines = (await examine({ ...env, OPENAI_MODEL: 'm' }, [])).map(printed)
    const told = lines.find((one) => one.includes('Model:'))
    expect(told).toContain(does)
    expect(told).toContain(afterTrial)
  },
)

const filtered = fake.httpError(400, { code: 'content_filter' })
