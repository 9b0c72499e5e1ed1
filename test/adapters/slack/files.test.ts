import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ContractName } from '../../../src/agent/contracts.ts'
import type { Model } from '../../../src/agent/ports/model.ts'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { acts, closes, createFakeModel, decides, ends, plans } from '../../fakes/model.ts'
import { line, pdf } from '../../support/office.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

const report = pdf(line('Sign-ups fell by 12 %', 712) + line('in week \\(40\\)', 690))

describeWith('redis-server', 'files in Slack', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  const goals: string[] = []
  const messages: string[] = []
  const usage = { promptTokens: 0, completionTokens: 0 }
  const model: Model = {
    name: 'scripted',
    async call(contract, input) {
      if (contract === 'decision') {
        messages.push('message' in input ? String(input.message) : '')
        const run = {
          type: 'agent_task',
          title: 'T',
          conversation_id: null,
          input: '{"goal":"look at the numbers"}',
        }
        const value = { decision: 'run', reply: null, run, runs: null, confidence: 1, reason: 'r' }
        return { ok: true, value, usage }
      }
      if (contract === 'plan') {
        goals.push('goal' in input ? String(input.goal) : '')
        return { ok: true, value: { status: 'planned', plan: ['look'] }, usage }
      }
      return { ok: false, code: 'not_configured', usage }
    },
    sight: {
      estimate: usage,
      look: async ({ type, bytes }) => ({
        words: bytes.length === 3 ? `A chart of sign-ups in ${type}` : null,
        usage,
      }),
    },
  }
  beforeAll(async () => {
    server = await startRedis(program)
    whole = await startWhole(server.url, 'socket', { around: { model } })
  })
  afterAll(async () => {
    await whole.stop()
    await server.stop()
  })

  it('gives the task what people attach: text, tables, PDF, images that the model can see; says of each other file why not', async () => {
    const { people } = whole.slack
    people.mention('C1', 'UANA', 'why did sign-ups drop?', {
      files: [
        { name: 'weeks.csv', mimetype: 'text/csv', content: Buffer.from('week,sign-ups\n40,88\n') },
        {
          name: 'notes.md',
          mimetype: 'text/plain',
          content: Buffer.from('# Notes\n```\ncode\n```\n'),
        },
        { name: 'report.pdf', mimetype: 'application/pdf', content: report },
        { name: 'chart.png', mimetype: 'image/png', content: Buffer.from([1, 2, 3]) },
        { name: 'blank.png', mimetype: 'image/png', content: Buffer.from([1]) },
        { name: 'song.mp3', mimetype: 'audio/mpeg', content: Buffer.from([1, 2, 3]) },
        {
          name: 'huge.json',
          mimetype: 'application/json',
          content: Buffer.from('{}'),
          size: 50_000_000,
        },
      ],
    })
    const goal = await until(() => goals[0])
    expect(messages[0]).toMatch(/^why did sign-ups drop\?/)
    for (const text of [goal, messages[0] ?? '']) {
      expect(text).toContain('40,88')
      expect(text).toContain('Sign-ups fell by 12 %')
      expect(text).toContain('# Notes')
      expect(text).toContain('A chart of sign-ups in image/png')
      expect(text).toMatch(/blank\.png.*can’t read.*image\/png/)
      expect(text).toMatch(/song\.mp3.*haven’t listened to it/)
      expect(text).toMatch(/huge\.json.*larger than 5 MB/)
    }
    expect(goal).toMatch(/^look at the numbers/)
  })

  const table = {
    type: 'table',
    rows: [
      ['Venue', 'Seats'],
      ['Dock hall', '140'],
    ].map((row) => row.map((text) => ({ type: 'raw_text', text }))),
  }

  it('reads pasted tables, asks for files of other workspaces and names those that are gone (C393, C394)', async () => {
    const { people } = whole.slack
    people.mention('C1', 'UANA', 'which has more seats, by the files?', {
      blocks: [],
      attachments: [{ id: 1, fallback: '[no preview available]', blocks: [table] }],
      files: [
        {
          name: 'connect.txt',
          mimetype: 'text/plain',
          content: Buffer.from('seats of the hall'),
          access: 'check_file_info',
        },
        { name: 'old.txt', mimetype: 'text/plain', content: Buffer.from(''), mode: 'tombstone' },
        {
          name: 'far.txt',
          mimetype: 'text/plain',
          content: Buffer.from(''),
          mode: 'hidden_by_limit',
        },
      ],
    })
    const text = await until(() => messages.find((one) => one.includes('Dock hall')))
    expect(text).toContain('| Dock hall | 140 |')
    expect(text).toContain('File connect.txt:\n```\nseats of the hall')
    expect(text).toMatch(/old\.txt: I couldn’t read it because it was deleted/)
    expect(text).toMatch(/far\.txt: I couldn’t read it because Slack hides/)
  })

  it('takes no page on which people sign in for a file that it may not read (C394)', async () => {
    const { people, state } = whole.slack
    const file = { name: 'plan.txt', mimetype: 'text/plain', content: Buffer.from('gamma') }
    state.bot.scopes.delete('files:read')
    people.mention('C1', 'UANA', 'what does the plan say?', { files: [file] })
    const text = await until(() => messages.find((one) => one.includes('does the plan say')))
    expect(text).toMatch(/plan\.txt.*couldn’t fetch it/)
    expect(text).not.toContain('Sign in')
    state.bot.scopes.add('files:read')
  })

  it('takes a file without a word in a direct message, and says so when one cannot be fetched', async () => {
    const { people, state } = whole.slack
    people.direct('UBEN', '', {
      files: [{ name: 'a.txt', mimetype: 'text/plain', content: Buffer.from('alpha') }],
    })
    await until(() => messages.find((text) => text.includes('alpha')))
    const gone = people.direct('UBEN', 'and this', {
      files: [{ name: 'b.txt', mimetype: 'text/plain', content: Buffer.from('beta') }],
    })
    const message = state.channels.get(gone.channel)?.messages.find(({ ts }) => ts === gone.ts)
    if (message?.files !== undefined) message.files = []
    await until(() => messages.find((text) => text.includes('couldn’t fetch it')))
  })
})

describeWith('redis-server', 'long files in Slack (C790)', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  const model = createFakeModel()
  beforeAll(async () => {
    server = await startRedis(program)
    whole = await startWhole(server.url, 'socket', { around: { model } })
  })
  afterAll(async () => {
    await whole.stop()
    await server.stop()
  })

  it('are searched by a model that does as the request says', async () => {
    const { people } = whole.slack
    const filler = 'The parties agree on the terms of this clause. '.repeat(1_500)
    const text = `${filler}The notice period is seven weeks. ${filler}`
    let told = ''
    model.answer(({ contract, input }) => {
      const seen = JSON.stringify(input)
      if (contract === 'decision') return decides.run('What is the notice period?')
      if (contract === 'plan') {
        told = /“search (.*?) WORDS”/.exec(seen)?.[1] ?? ''
        return plans('Search')
      }
      const [found] = /period is \w+ weeks/.exec(seen) ?? []
      if (contract === 'replan') return ends(found ?? 'Not found.')
      return found === undefined ? acts(`search ${told} notice period`, 'files') : closes(found)
    })
    const content = Buffer.from(text)
    const said = people.mention('C1', 'UANA', 'what is the notice period?', {
      files: [{ name: 'The contract.txt', mimetype: 'text/plain', content }],
    })
    await threadOf(whole.slack, 'C1', said.ts).saying(/period is seven weeks/)
    expect(told).toBe('The contract.txt')
  })
})

describeWith('redis-server', 'files that a task makes', (program) => {
  it('are in their thread once, whatever happens on the way, and hold nothing up where Slack refuses them (P2)', async () => {
    const server = await startRedis(program)
    const chart = {
      name: 'sign ups.png',
      type: 'image/png',
      base64: Buffer.from([7, 7, 7]).toString('base64'),
    }
    const tools: Tool[] = [
      {
        ...{ name: 'chart', effect: 'none', description: 'Draws a chart.' },
        run: async () => ({ ok: true, text: 'A chart was made.', files: [chart] }),
      },
    ]
    const whole = await startWhole(server.url, 'socket', { around: { model: drawing, tools } })
    try {
      const { slack } = whole
      const filesIn = (ts: string) =>
        threadOf(slack, 'C1', ts)
          .own()
          .flatMap((message) => message.files ?? [])
      for (const fault of ['lost_before', 'lost_after'] as const) {
        slack.fail('files.completeUploadExternal', fault)
        const said = slack.people.mention('C1', 'UANA', 'Draw the weeks')
        await threadOf(slack, 'C1', said.ts).saying(/: done\./)
        const [file, ...others] = filesIn(said.ts)
        expect(others).toEqual([])
        expect(file?.name).toMatch(/^sign-ups-\w{12}\.png$/)
        expect(file?.content).toEqual(Buffer.from([7, 7, 7]))
      }
      slack.state.bot.scopes.delete('files:write')
      const said = slack.people.mention('C1', 'UANA', 'Draw the weeks')
      await threadOf(slack, 'C1', said.ts).saying(/: done\./)
      await threadOf(slack, 'C1', said.ts).saying(/^I made/)
      expect(filesIn(said.ts)).toEqual([])
    } finally {
      await whole.stop()
      await server.stop()
    }
  })
})

/** Draws once, and is done. */
const drawing: Model = {
  name: 'scripted',
  async call(contract, input) {
    const usage = { promptTokens: 0, completionTokens: 0 }
    const nothing = { question: null, choices: null, response: null, next_action: null }
    const done = 'observations' in input && input.observations.length > 0
    const act = {
      ...nothing,
      status: 'continue',
      current_step: 'Draw',
      next_action: { tool: 'chart', input: 'weeks' },
    }
    const answers: Partial<Record<ContractName, unknown>> = {
      decision: {
        ...{ decision: 'run', reply: null, runs: null, confidence: 1, reason: 'asked for' },
        run: { type: 'agent_task', title: 'Draw', conversation_id: null, input: '{"goal":"draw"}' },
      },
      plan: { status: 'planned', plan: ['Draw'] },
      thought: done ? { ...nothing, status: 'done', current_step: 'Draw', response: 'drawn' } : act,
      replan: { status: 'done', plan: [], response: 'Here it is.' },
    }
    return { ok: true, value: answers[contract], usage }
  },
}
