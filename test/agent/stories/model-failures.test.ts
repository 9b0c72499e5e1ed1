import { describe, expect, it, onTestFinished } from 'vitest'
import { passesByItself } from '../../../src/agent/domain/model-failure.ts'
import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import { texts, worded } from '../../../src/locales/texts.ts'
import { decides, plans } from '../../fakes/model.ts'
import { providerErrors } from '../../fakes/openai/provider-errors.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { useClew } from '../../support/agent.ts'
import { unattended } from '../drive/story.ts'
import { knowing } from '../model/support.ts'

const start = useClew()

/** Clew with the real client before an endpoint that answers as a provider does. */
async function atProvider() {
  const server = await startOpenAi()
  onTestFinished(() => server.close())
  const model = createOpenAiModel({
    ...{
      apiKey: 'sk-test',
      baseURL: server.url,
      model: 'm',
      timeoutMs: 10_000,
    },
    remembered: knowing('function', 0),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    clock: { now: () => 0 },
  })
  return { server, clew: await start({ model }) }
}

const lasting = providerErrors.filter(
  ([kind]) => !passesByItself(kind) && kind !== 'reply_unusable',
)
const words = texts('en').core.modelFailed

describe.each(lasting)('%s (%s)', (kind, _, reply) => {
  // A request that is too long is folded and asked once more (C100).
  const answers = kind === 'context_too_long' ? [reply, reply] : [reply]

  it('at the Decision is an apology with the cause (C91, R99)', async () => {
    const { server, clew } = await atProvider()
    server.on('decision', ...answers)
    await clew.say('Book the offsite')
    await clew.idle()
    expect(clew.texts()).toEqual([`Sorry, I couldn’t answer that. ${worded(words[kind], null)}`])
    expect(await clew.outcomes()).toEqual(['failed'])
    server.assertDone()
  })

  it('pauses a task at once, with the cause (C91)', async () => {
    const { server, clew } = await atProvider()
    server.on('decision', fake.value(decides.run('Book the offsite')))
    server.on('plan', fake.value(plans('Find venues')))
    server.on('thought', ...answers)
    await clew.say('Book the offsite')
    await clew.idle()
    expect((await clew.run()).status).toBe('paused')
    expect(clew.texts().at(-1)).toContain(worded(words[kind], null))
    server.assertDone()
  })

  it('ends a run that nobody watches, with the cause (C91, C35)', async () => {
    const { server, clew } = await atProvider()
    server.on('plan', ...answers)
    const { id } = await unattended(clew)
    await clew.idle()
    const state = await clew.store.runs.state('test:team', id)
    expect(state?.run).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(worded(words[kind], null)),
    })
    server.assertDone()
  })
})
