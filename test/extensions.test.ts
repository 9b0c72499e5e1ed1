import { defineChannel } from 'clew/channel'
import { type Command, defineCommand } from 'clew/command'
import { defineRunType } from 'clew/run-type'
import { defineStrategy } from 'clew/strategy'
import { defineTool } from 'clew/tool'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { oneByOne } from '../examples/strategy/one-by-one.ts'
import { runTypes } from '../src/agent/drive/run-types.ts'
import { type Around, startClew } from '../src/compose/clew.ts'
import { ConfigError, readConfig } from '../src/config.ts'
import { createFakeChannel } from './fakes/channel.ts'
import { value } from './fakes/openai/replies.ts'
import { silent } from './support/silent.ts'
import { decision, tell, useWholeClew, when } from './support/whole-clew.ts'

const start = useWholeClew()
const nothing = () => Promise.reject(new Error('the disk is on fire'))

describe('a part from outside', () => {
  it('may be a tool; one that throws answers its call as a failure (C67, C13)', async () => {
    const burn = defineTool({
      name: 'burn',
      effect: 'unkeyed',
      description: 'Burns a disk.',
      run: nothing,
    })
    const { server, url } = await start({ AGENT_STRATEGY: 'free' }, { tools: [burn] })
    server.on('decision', decision('Burn one disk'))
    const call = { tool: 'burn', input: 'one disk' }
    server.on(
      'act',
      value({ text: null, calls: [call] }),
      value({ text: 'It did not work.', calls: [] }),
    )
    const id = await tell(url, 'Burn one disk')
    await when(url, id, (shown) => shown.run?.status === 'succeeded')
    expect(JSON.stringify(server.requests.at(-1))).toContain('burn failed: the disk is on fire')
  })

  it('may be a command; what it throws is said in the thread (C67)', async () => {
    const hello = defineCommand({
      name: 'hello',
      summary: 'Greets.',
      run: async (args) => (args === '' ? await nothing() : { ok: true, text: `Hello, ${args}.` }),
    })
    const { url } = await start({}, { commands: [hello] })
    const says = async (text: string) => {
      const id = await tell(url, text)
      const { messages } = await when(url, id, (shown) => shown.messages.length === 2)
      return messages[1]?.text
    }
    expect(await says('/hello Ana')).toBe('Hello, Ana.')
    expect(await says('/hello')).toBe('`/hello` didn’t work: the disk is on fire')
    expect(await says('/help')).toContain('`/hello` · Greets.')
  })

  it('may be a run type: a Decision starts it, it waits without a worker and ends with its words or its failure (C67)', async () => {
    const begun: number[] = []
    const count = defineRunType({
      type: 'count',
      description: 'Counts. Input: {"to": number}.',
      input: z.object({ to: z.number() }),
      async run({ to }, { startedAt, now }) {
        begun.push(startedAt)
        if (to < 0) return await nothing()
        return begun.length === 1
          ? { kind: 'wait', until: now + 1 }
          : { kind: 'done', ok: true, text: `Counted to ${to}.` }
      },
    })
    const { server, url } = await start({}, { runTypes: [count] })
    const decided = (to: number) =>
      value({
        ...{ decision: 'run', reply: null, runs: null, confidence: 0.9, reason: 'work' },
        run: {
          type: 'count',
          title: 'Count',
          conversation_id: null,
          input: JSON.stringify({ to }),
        },
      })
    server.on('decision', decided(3), decided(-1))
    const counted = await tell(url, 'Count to three')
    const done = await when(url, counted, ({ messages }) =>
      messages.some(({ text }) => text.includes('Counted to 3.')),
    )
    expect(done.messages.length).toBeGreaterThan(1)
    expect(new Set(begun).size).toBe(1)
    expect(begun).toHaveLength(2)
    const broken = await tell(url, 'Count backwards')
    await when(url, broken, ({ messages }) =>
      messages.some(({ text }) =>
        text.includes('“Count” failed: the disk is on fire. Part of it may already have happened'),
      ),
    )
  })

  it('may be a strategy that is gone when its task goes on: the thread hears which one (C68)', async () => {
    const first = await start({ AGENT_STRATEGY: 'one-by-one' }, { strategies: [oneByOne] })
    first.server.on('decision', decision('Choose'))
    const question = { tool: 'ask_user', input: 'Which one?' }
    first.server.on('act', value({ text: null, calls: [question] }))
    const id = await tell(first.url, 'Choose')
    const { question: asked } = await when(first.url, id, (shown) => shown.question !== null)
    await first.clew.stop()
    const again = await startClew(readConfig(first.kept), { log: silent })
    try {
      const path = `${again.url}/api/questions/${asked?.id}/answer`
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ text: 'This one' })
      expect((await fetch(path, { method: 'POST', headers, body })).status).toBeLessThan(300)
      const { messages } = await when(
        again.url ?? '',
        id,
        (shown) => shown.run?.status === 'failed',
      )
      expect(messages.at(-1)?.text).toContain('I don’t have a way of working called “one-by-one”')
    } finally {
      await again.stop()
    }
  })
})

describe('a name', () => {
  const config = (env: Record<string, string> = {}, around: Around = {}) =>
    readConfig({ PORT: '0', DATA_DIR: '/nowhere', ...env }, [], around)
  const command: Command = defineCommand({ name: 'todo', summary: '', run: nothing })
  const sleep = defineRunType({ type: 'sleep', description: '', input: z.object({}), run: nothing })
  const { start: begin, ...fake } = createFakeChannel('pigeon')
  const pigeon = defineChannel({ ...fake, start: begin })

  it('in the settings is one that is registered; any other is refused with those that there are (C68)', () => {
    expect(
      config({ AGENT_STRATEGY: 'one-by-one' }, { strategies: [oneByOne] }).AGENT_STRATEGY,
    ).toBe('one-by-one')
    expect(() => config({ AGENT_STRATEGY: 'one-by-one' })).toThrow(
      'is none of step, batch, free, auto',
    )
    expect(() => config({ AGENT_ALLOWED_RUN_TYPES: 'count' })).toThrow('AGENT_ALLOWED_RUN_TYPES')
    expect(config().AGENT_ALLOWED_RUN_TYPES).toEqual(runTypes.map(({ type }) => type))
  })

  it('in settings that were read with other parts ends the start (C68)', async () => {
    const read = config({ AGENT_STRATEGY: 'one-by-one' }, { strategies: [oneByOne] })
    await expect(startClew(read, { log: silent })).rejects.toThrow(ConfigError)
  })

  it.each<[string, Around]>([
    ['a strategy', { strategies: [oneByOne, oneByOne] }],
    ['a run type', { runTypes: [sleep] }],
    ['a channel', { channels: [pigeon, pigeon] }],
  ])('of %s that is taken ends the start (C68)', async (_, around) => {
    await expect(startClew(config(), { ...around, log: silent })).rejects.toThrow(/there cannot be/)
  })

  it('of a command that is taken ends the start (C68)', async () => {
    await expect(start({}, { commands: [command] })).rejects.toThrow('two commands are called todo')
  })

  it.each([
    [
      'a tool',
      () => defineTool({ name: 'no name', effect: 'none', description: 'd', run: nothing }),
    ],
    ['a channel', () => defineChannel({ ...pigeon, platform: 'slack' })],
    ['a command', () => defineCommand({ name: 'Hello!', summary: '', run: nothing })],
    [
      'a run type',
      () => defineRunType({ type: '', description: '', input: z.object({}), run: nothing }),
    ],
    [
      'a strategy',
      () =>
        defineStrategy({
          ...{ name: 'No', description: '', state: z.null(), start: () => null },
          next: () => ({ kind: 'call_model', contract: 'act' }),
          replied: (task) => task,
          view: () => {
            throw new Error('never asked')
          },
        }),
    ],
  ])('that is none is refused where %s is defined (C68)', (_, define) => {
    expect(define).toThrow(/cannot be called|is not a tool/)
  })

  it('of a channel keeps its word where the channel throws: it may or may not have arrived (P2)', async () => {
    const broken = defineChannel({ ...pigeon, send: nothing, show: nothing })
    const [delivery, conversation, view] = [{}, {}, {}] as unknown as [never, never, never]
    expect(await broken.send(delivery, conversation)).toEqual({ kind: 'unknown' })
    expect(await broken.show(view, conversation)).toEqual({ kind: 'unknown' })
  })
})
