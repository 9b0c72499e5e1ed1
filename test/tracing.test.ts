import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { Conversation } from '../src/agent/domain/conversation.ts'
import type { Delivery } from '../src/agent/domain/delivery.ts'
import type { InboxEntry } from '../src/agent/domain/event.ts'
import type { Run } from '../src/agent/domain/run.ts'
import type { Channel } from '../src/agent/ports/channel.ts'
import type { Committed } from '../src/agent/ports/store.ts'
import { untraced } from '../src/agent/ports/tracer.ts'
import { createToolbox } from '../src/agent/tools/registry.ts'
import { createSystemClock } from '../src/clock.ts'
import { type Clew, startClew } from '../src/compose/clew.ts'
import { readConfig } from '../src/config.ts'
import { openTracing } from '../src/tracing/tracing.ts'
import { listenTo } from './adapters/web/event-stream.ts'
import { ask } from './adapters/web/support.ts'
import { type CollectedSpan, type Collector, startCollector } from './fakes/collector.ts'
import { acts, asks, createFakeModel, decides, ends, fails, plans } from './fakes/model.ts'
import { value } from './fakes/openai/replies.ts'
import { startOpenAi } from './fakes/openai/server.ts'
import { ownDatabase } from './support/own-database.ts'
import { describeWith } from './support/programs.ts'
import { silent } from './support/silent.ts'
import { tell, when } from './support/whole-clew.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function collecting(...statuses: number[]): Promise<Collector> {
  const collector = await startCollector(...statuses)
  closers.push(() => collector.close())
  return collector
}

/** Each span with those that it is a part of, from the outermost: `turn > invoke_agent Clew > step > chat fake`. */
function pathsOf(spans: readonly CollectedSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const path = (span: CollectedSpan): string => {
    const { parentSpanId = '' } = span
    const parent = byId.get(parentSpanId)
    if (parentSpanId !== '' && parent === undefined) return `(missing) > ${span.name}`
    return parent === undefined ? span.name : `${path(parent)} > ${span.name}`
  }
  return spans.map(path)
}

describeWith('redis-server', 'a task that three processes work on', () => {
  it('is one trace, with the answer to its question as another one that it links to (C188)', async () => {
    const collector = await collecting()
    const server = await startOpenAi()
    const folder = await mkdtemp(join(tmpdir(), 'clew-traces-'))
    closers.push(
      () => server.close(),
      () => rm(folder, { recursive: true, force: true }),
    )
    const env = {
      ...{ PORT: '0', REDIS_URL: (await ownDatabase()) ?? '', LOG_LEVEL: 'silent' },
      ...{ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'k', OPENAI_MODEL: 'fake' },
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b' },
    }
    const start = async (role: string): Promise<Clew> => {
      const config = readConfig({
        AGENT_STRATEGY: 'step',
        AGENT_REPLAN_SKIPS: '0',
        ...env,
        ROLES: role,
        DATA_DIR: join(folder, role),
      })
      const clew = await startClew(config, { clock: createSystemClock(), log: silent })
      closers.push(() => clew.stop())
      return clew
    }
    const goal = 'Book the offsite in the secret place'
    server.on('decision', value(decides.run(goal)))
    server.on('plan', value(plans('Book it')))
    server.on(
      'thought',
      value(acts('add Call the venue')),
      value(asks('Which city?', ['Lisbon', 'Porto'])),
    )
    server.on('replan', value(ends('Booked for May.')))

    const web = await start('web')
    const first = await start('worker')
    const url = web.url ?? ''
    const id = await tell(url, goal)
    const { question } = await when(url, id, (shown) => shown.question !== null)
    await first.stop()
    const second = await start('worker,scheduler')
    const tab = await listenTo(url, '?after=0-0')
    await ask(`${url}/api/questions/${question?.id}/answer`, 'POST', { choice: 'Lisbon' })
    await tab.next(
      ({ event, data }) => event === 'delivery' && JSON.stringify(data).includes('"kind":"final"'),
    )
    tab.close()
    await second.stop()
    await web.stop()
    server.assertDone()

    const turns = collector.spans.filter(({ name }) => name === 'turn')
    const own = collector.spans.filter(({ traceId }) => traceId === turns[0]?.traceId)
    const paths = pathsOf(own)
    const run = 'turn > invoke_agent Clew'
    for (const path of [
      ...['turn', 'turn > chat fake', 'turn > commit', 'turn > commit > send web'],
      ...[
        run,
        `${run} > step > chat fake`,
        `${run} > step > execute_tool todo`,
        `${run} > step > commit > send web`,
      ],
    ])
      expect(paths).toContain(path)
    expect(paths.join('\n')).not.toContain('missing')
    const counted = (name: string) => own.filter((span) => span.name === name).length
    expect([counted('turn'), counted('invoke_agent Clew'), counted('chat fake')]).toEqual([1, 1, 5])
    expect(new Set(own.map(({ resource }) => resource['service.instance.id'])).size).toBe(3)

    const [asked, answered] = turns
    expect(answered?.traceId).not.toBe(asked?.traceId)
    expect(own.flatMap(({ links = [] }) => links)).toEqual([
      expect.objectContaining({ traceId: answered?.traceId, spanId: answered?.spanId }),
    ])
    const whole = own.find(({ name }) => name === 'invoke_agent Clew')
    expect(whole?.attributes).toMatchObject({
      ...{
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': id,
        'clew.run.status': 'succeeded',
      },
    })
    expect(own.find(({ name }) => name === 'chat fake')?.attributes).toMatchObject({
      ...{
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'fake',
      },
      'gen_ai.conversation.id': id,
      'gen_ai.usage.input_tokens': expect.any(Number),
    })
    expect(collector.requests.every((headers) => headers['x-team'] === 'a b')).toBe(true)
    expect(JSON.stringify(collector.spans), 'no contents').not.toMatch(
      /secret place|Call the venue|Booked|Lisbon/,
    )
  })
})

const run: Run = {
  ...{
    version: 1,
    id: 'r_1',
    workspace: 'test:traces',
    conversationId: 'c_1',
    channel: 'general',
    type: 'agent_task',
  },
  ...{
    title: 'Book',
    input: { goal: 'Book' },
    status: 'running',
    requestedBy: null,
    requestId: 'schedule:1',
  },
  ...{ parentRunId: null, afterRunId: null, createdAt: 1_000, startedAt: 2_000, endedAt: null },
  ...{ error: null, result: null, attempts: 0 },
}
const step = { kind: 'step', came: () => true } as const
const stop = new AbortController().signal
const chat = {
  message: 'The secret place?',
  author: { name: 'Ana' },
  recentMessages: [],
  locale: 'en',
} as never
const note = createToolbox([
  {
    ...{ name: 'note', effect: 'none', description: 'Notes.' },
    run: async (input) => ({ ok: input !== 'bad', text: `noted ${input}` }),
  },
])
const open = async (collector: Collector, env: Record<string, string> = {}, log = silent) =>
  await openTracing(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, ...env }), log)

it('exports what was said where it is asked for, and why something failed in one word (C188)', async () => {
  const collector = await collecting()
  const tracing = await open(collector, {
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
  })
  const fake = createFakeModel()
  fake.on('chat', { content: 'The answer' }, fails('unavailable'))
  const tool = tracing.toolbox(note).get('note', { source: 'interactive' })
  await tracing.tracer({ kind: 'run', run }, async () => {
    await tracing.model(fake).call('chat', chat, stop)
    await tracing.model(fake).call('chat', chat, stop)
    await tool?.run('bad', { effectId: 'x_1' } as never)
  })
  await tracing.stop()
  const [answered, failed, called] = collector.spans
  expect(answered?.attributes['gen_ai.input.messages']).toMatch(
    /^\[{"role":"user","parts":\[.*secret place/,
  )
  expect(answered?.attributes['gen_ai.output.messages']).toContain('The answer')
  expect(failed).toMatchObject({
    status: { code: 2, message: 'unreachable' },
    attributes: { 'error.type': 'unreachable' },
  })
  expect(called).toMatchObject({
    name: 'execute_tool note',
    status: { code: 2 },
    attributes: {
      'gen_ai.tool.call.arguments': 'bad',
      'gen_ai.tool.call.result': 'noted bad',
      'gen_ai.tool.call.id': 'x_1',
    },
  })
})

it('says of a run that a commit ended when it began and how, and nothing of one that the store refused (C188)', async () => {
  const collector = await collecting()
  const tracing = await open(collector)
  const lease = { item: { kind: 'run', workspace: run.workspace, id: run.id }, fence: 1 } as const
  const patch = { status: 'failed' as const, endedAt: 9_000 }
  const ended = { id: 'k_1', at: 9_000, runs: [{ id: run.id, patch }], ended: [run] }
  await tracing.commits({ commit: async () => ({ kind: 'fenced' }) }).commit(lease, ended)
  await tracing
    .commits({ commit: async () => ({ kind: 'committed', waiting: 0 }) })
    .commit(lease, ended)
  await tracing.stop()
  expect(collector.spans).toEqual([
    expect.objectContaining({
      ...{
        name: 'invoke_agent Clew',
        startTimeUnixNano: '2000000000',
        endTimeUnixNano: '9000000000',
      },
      status: { code: 2, message: 'run_failed' },
    }),
  ])
  expect(collector.spans[0]?.parentSpanId ?? '').toBe('')
})

it('makes one span of an input that is taken again after a conflict, with no commit of other items below it (C188)', async () => {
  const collector = await collecting()
  const tracing = await open(collector)
  const item = { kind: 'conversation', workspace: run.workspace, id: 'c_1' } as const
  const event = { workspace: run.workspace, content: { kind: 'message' } }
  const turn = {
    kind: 'turn',
    conversationId: item.id,
    entry: { id: 'e_1', event } as InboxEntry,
  } as const
  const came: Committed[] = [{ kind: 'conflict' }, { kind: 'committed', waiting: 0 }]
  const commits = tracing.commits({
    commit: async () => came.shift() ?? { kind: 'committed', waiting: 0 },
  })
  const change = { id: 'k_1', at: 1, consume: 1 }
  await tracing.tracer(turn, () => commits.commit({ item, fence: 1 }, change))
  await tracing.tracer(turn, async () => {
    await commits.commit({ item, fence: 1 }, change)
    await commits.commit({ item: { ...item, kind: 'outbox', id: 'c_2' }, fence: 1 }, change)
  })
  await tracing.stop()
  expect(pathsOf(collector.spans)).toEqual(['turn > commit', 'turn > commit', 'turn'])
})

it('makes no span of a step that only waits, but of one that was cut off in a call (C188)', async () => {
  const collector = await collecting()
  const tracing = await open(collector)
  const fake = createFakeModel()
  fake.on('chat', { content: 'cut off' })
  const nothing = { kind: 'step', came: () => false } as const
  await tracing.tracer(nothing, async () => {})
  await tracing.tracer(nothing, () => tracing.model(fake).call('chat', chat, stop))
  await tracing.stop()
  expect(pathsOf(collector.spans)).toEqual([`step > chat ${fake.name}`, 'step'])
})

it('has the delivery, too, at which a channel from outside throws (C188)', async () => {
  const collector = await collecting()
  const tracing = await open(collector)
  const send = () => Promise.reject(new TypeError('secret'))
  const channel = tracing.channel({ platform: 'own', send } as unknown as Channel)
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const delivery = { id: 'd_1', traceparent, body: { kind: 'message' } } as Delivery
  await expect(channel.send(delivery, { id: 'c_1' } as Conversation)).rejects.toThrow('secret')
  await tracing.stop()
  expect(collector.spans).toMatchObject([
    { name: 'send own', status: { code: 2, message: 'TypeError' } },
  ])
})

it('drops what an endpoint does not take, says so once and again when it is back, and keeps nothing waiting (C188)', async () => {
  const collector = await collecting(400, 400)
  const lines: string[] = []
  const said = (_: object, line: string) => void lines.push(line)
  const tracing = await open(collector, {}, { ...silent, warn: said, info: said })
  const batches = async (count: number) => {
    const before = collector.requests.length
    for (let spans = 0; spans < 512 * count; spans++) await tracing.tracer(step, async () => {})
    await expect.poll(() => collector.requests.length).toBe(before + count)
  }
  await batches(3)
  await tracing.stop()
  expect(collector.spans).toHaveLength(512)
  expect(lines).toEqual([
    expect.stringContaining('refuses spans'),
    expect.stringContaining('accepts spans again'),
  ])
})

it('waits at the end for an endpoint that does not answer, but not as long as a request may take (C188)', async () => {
  const collector = await collecting(0)
  const tracing = await open(collector)
  await tracing.tracer(step, async () => {})
  await tracing.stop()
  // The collector hears of a request that was given up before it hears of a new one.
  await fetch(collector.url)
  expect(collector.waiting()).toBe(1)
})

it('keeps as many of the traces as it is told, the same in every process (C188)', async () => {
  const collector = await collecting()
  const env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' }
  for (let process = 0; process < 2; process++) {
    const tracing = await open(collector, env)
    for (let n = 0; n < 40; n++) {
      const one = { ...run, requestId: `schedule:${n}` }
      await tracing.tracer({ kind: 'run', run: one }, () => tracing.tracer(step, async () => {}))
    }
    await tracing.stop()
  }
  const traces = collector.spans.map(({ traceId }) => traceId)
  expect(new Set(traces).size).toBe(traces.length / 2)
  expect(traces.length).toBeGreaterThan(0)
  expect(traces.length).toBeLessThan(80)
})

it('puts nothing around anything where no endpoint is set, or all of it is switched off (C188)', async () => {
  for (const env of [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' },
  ]) {
    const tracing = await openTracing(readConfig(env), silent)
    expect(tracing.tracer).toBe(untraced)
    expect(tracing.toolbox(note)).toBe(note)
  }
})
