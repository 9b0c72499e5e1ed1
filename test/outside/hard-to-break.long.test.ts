import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { keysOf } from '../../src/store/redis/keys.ts'
import { acts, closes, decides, ends, plans, task } from '../fakes/model.ts'
import { type BadReply, badReplies, badWords, endOf } from '../fakes/openai/bad-replies.ts'
import { type Reply, value } from '../fakes/openai/replies.ts'
import type { FakeRequest } from '../fakes/openai/request.ts'
import { type NativeRedis, startNativeRedis } from '../support/native-redis.ts'
import { bomb, docx, paragraph, pdf, sheetHead, sheetTail, xlsx } from '../support/office.ts'
import { describeWith } from '../support/programs.ts'
import { startWorld, token, type World } from './world.ts'

/*
 * One Clew on each store, started as people start it, and what is done to it from outside. README.md beside this file says which
 * other suites do the same, and what they show.
 */

const sheet = [sheetHead, ' ', sheetTail] as const
const ana = { id: 'ana', name: 'Ana' }
const right = {
  plan: plans('Find venues'),
  thought: closes('Three'),
  replan: ends('Booked.'),
  plan_tool_call: {
    steps: [{ tool: 'todo', arguments: 'list', purpose: null }],
    reasoning: null,
    estimated_steps: null,
  },
  think: {
    internal_analysis: null,
    user_summary: 'Booked.',
    task_completed: true,
    next_steps_preview: null,
  },
  act: { text: 'Booked.', calls: [] },
  summary: { content: 'Booked.' },
}

/** What a model answers that does everything right; its tasks have the whole message for a goal. */
function rightly({ contract, prompt }: FakeRequest, strategy: string): Reply {
  if (contract !== 'decision') return value(right[contract as keyof typeof right])
  if (prompt.includes('Are you there?')) return value(decides.reply('Still here.'))
  const goal = /Book the offsite \(thread \d+\)/.exec(prompt)?.[0]
  return value(decides.runs({ ...task('', 'Offsite'), input: JSON.stringify({ goal, strategy }) }))
}

/** A model that gives one bad reply each time, or once, and is right in everything else. */
function badly({ contract, reply, strategy, once }: BadReply) {
  let given = 0
  return (request: FakeRequest): Reply => {
    const isOver = (once && given > 0) || request.prompt.includes('Are you there?')
    if (request.contract !== contract || isOver) return rightly(request, strategy)
    given += 1
    return reply
  }
}

/** A model that uses one tool in a task, and then says that it is over. */
function using(tool: string, input: string) {
  let thoughts = 0
  return (request: FakeRequest): Reply => {
    if (request.contract !== 'thought') return rightly(request, 'step')
    return value(thoughts++ === 0 ? acts(input, tool, 'Find venues') : closes())
  }
}

function holdsOn(world: () => World, replies: readonly BadReply[]) {
  describe.concurrent('whatever a model answers, the thread has an end and goes on', () => {
    it.each(replies)('$kind (P11, P12, P17, P18)', async (row) => {
      const thread = await world().open('Book the offsite', badly(row))
      const { status, words } = endOf(row)
      const seen = await thread.shows(status, words)
      // Neither half of a character nor a control but line end and tab, which JSON would escape.
      expect(JSON.stringify(seen)).not.toMatch(/\\u(?:d[89a-f]|00)/)
      expect(thread.prompts().length).toBeLessThanOrEqual(7)
      const waits = status === 'awaiting_clarification' || status === 'paused'
      if (waits) {
        await thread.say('stop')
        await thread.shows('canceled', /Stopped by/)
      }
      await thread.say('Are you there?')
      await thread.shows(waits ? 'canceled' : status, /^Still here/)
    })
  })

  it('wrong tokens keep out the address that shows them, and nobody else (S14)', async () => {
    const { call } = world()
    const from = async (address: string, headers: Record<string, string>) =>
      (await call('/api/conversations', undefined, { 'x-forwarded-for': address, ...headers }))
        .status
    const right = { authorization: `Bearer ${token}` }
    for (let n = 0; n < 20; n++) {
      const guess: Record<string, string> =
        n % 2 === 0 ? { authorization: `Bearer guess-${n}` } : { cookie: `clew_session=${n}` }
      expect(await from('198.51.100.7', guess)).toBe(401)
    }
    expect(await from('198.51.100.7', right)).toBe(429)
    // What a client claims before the proxy's own word makes it nobody else.
    expect(await from('198.51.100.8, 198.51.100.7', right)).toBe(429)
    expect(await from('198.51.100.8', right)).toBe(200)
  })

  it('a tool of an MCP server that says it only reads is asked for (S16, S7)', async () => {
    const { open, call } = world()
    const thread = await open('Book the offsite', using('fake__look', '{"at":"Lisbon"}'))
    const { question } = await thread.shows(
      'awaiting_clarification',
      /May I use the tool \*\*fake__look\*\*/,
    )
    const seen = () =>
      thread.prompts().some((prompt) => prompt.includes('saw Lisbon; no secret; no token'))
    expect([question?.approval, seen()]).toEqual([true, false])
    await call(`/api/questions/${question?.id}/answer`, { choice: 'Approve', author: ana })
    await thread.shows('succeeded', /Booked/)
    expect(seen()).toBe(true)
  })

  it('a search finds neither secrets nor what a hard link leads to (S17)', async () => {
    const thread = await world().open('Book the offsite', using('repo_search', 'lighthouse'))
    await thread.shows('succeeded', /Booked/)
    const prompts = thread.prompts()
    expect(prompts.filter((prompt) => prompt.includes('lighthouse in welcome.txt'))).not.toEqual([])
    for (const prompt of prompts)
      expect(prompt).not.toMatch(/somebody else|lighthouse in (?!welcome)/)
  })

  it('none of it is an error in the log', () => {
    // A page instead of a model is the operator's to mend; a store may be slow where much else runs.
    const expected = /"kind":"wrong_address"|Command timed out/
    const lines = world().clew.output().split('\n')
    const odd = lines.filter((line) => !expected.test(line)).join('\n')
    expect(odd).not.toMatch(/"level":50|"stack"|^\s+at /m)
  })
}

describe('on the embedded store', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world.stop())
  holdsOn(() => world, [...badReplies, ...badWords])

  it('while a page is read that never ends, others are answered, and its task goes on with a sentence (S13, C62)', async () => {
    const { publish, open, call } = world
    const endless = publish('<div><p>x'.repeat(1_600))
    const reading = await open('Book the offsite', using('fetch_web', endless.url))
    await vi.waitFor(() => expect(endless.isVisited()).toBe(true), 20_000)

    const other = await open('Hello', () => value(decides.reply('Hello, Ana.')))
    await other.shows(null, /Hello, Ana/)
    expect((await call('/healthz')).status).toBe(200)
    expect((await reading.view()).run?.status).toBe('running')
    await reading.shows('succeeded', /Booked/)
    expect(reading.prompts().at(-1)).toContain('The page: I couldn’t read it within 20 seconds.')
  })

  it('pages and attached documents that hold nothing to read are said to be so (S13, C61, C62)', async () => {
    const { publish, open, slack, marked } = world
    const doctypes = await open(
      'Book the offsite',
      using('fetch_web', publish('<!doctype'.repeat(18_000)).url),
    )
    const files: readonly [name: string, content: Buffer, said: string][] = [
      ['nested.docx', docx('<w:tbl><w:tr><w:tc>'.repeat(20_000)), ': I couldn’t read it'],
      [
        'cut.xlsx',
        xlsx('A', '<row r="1"/>').subarray(0, 300),
        ': I couldn’t read it. It’s damaged',
      ],
      [
        'huge.xlsx',
        xlsx('A', bomb('xl/worksheets/sheet1.xml', 1_000, sheet)),
        ': I couldn’t read it',
      ],
      ['nested.pdf', pdf(`${'['.repeat(500_000)} TJ`), ': I found no text in it'],
      ['whole.docx', docx(paragraph('Sign-ups fell')), ':\n  ```\n  Sign-ups fell'],
    ]
    const { text, prompts } = marked('why did sign-ups drop?', () =>
      value(decides.reply('I cannot tell.')),
    )
    const attached = files.map(([name, content]) => ({
      name,
      mimetype: 'application/octet-stream',
      content,
    }))
    slack.people.mention('C1', 'UANA', text, { files: attached })
    const said = () => slack.state.channels.get('C1')?.messages.at(-1)?.text
    await vi.waitFor(() => expect(said()).toBe('I cannot tell.'), 60_000)
    // On a busy machine the bomb and the nested tables run out of time before memory or the stack ends.
    for (const [name, , words] of files) expect(prompts()[0]).toContain(`File ${name}${words}`)
    await doctypes.shows('succeeded', /Booked/)
    expect(doctypes.prompts().at(-1)).toContain('There is no text at that address.')
  })
})

describeWith('redis-server', 'on a redis-server', (program) => {
  let redis: NativeRedis
  let world: World
  beforeAll(async () => {
    redis = await startNativeRedis(program)
    world = await startWorld({ REDIS_URL: redis.url() })
  })
  afterAll(async () => {
    await world.stop()
    await redis.stop()
  })
  // What a store may stumble over are words; nothing of a reply with a wrong shape comes there.
  holdsOn(
    () => world,
    badWords.filter(({ contract }) => contract === 'replan'),
  )

  it('a row of an outbox that nobody can read keeps nothing back, and people hear of it (P18)', async () => {
    const thread = await world.open('Are you there?', (request) => rightly(request, 'step'))
    await thread.shows(null, /^Still here/)
    await redis.connect().rpush(keysOf('web:local').conversation(thread.id).outbox, 'half a row {')
    await thread.say('Are you there?')
    const { messages } = await thread.shows(null, /^I couldn’t post one of my messages here/)
    expect(messages.filter(({ text }) => text === 'Still here.')).toHaveLength(2)
    expect((await world.call('/metrics')).body).toMatch(/^clew_set_aside_total\{.*outbox.*\} 1$/m)
  })
})
