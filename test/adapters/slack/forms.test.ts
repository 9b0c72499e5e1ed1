import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { acts, asks, closes, createFakeModel, decides, ends, plans } from '../../fakes/model.ts'
import { buttonsOf } from '../../fakes/slack/people.ts'
import { freePort } from '../../support/free-port.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { ask } from '../web/support.ts'
import { until } from './support.ts'
import { joinWhole, startWhole, threadOf, type Whole } from './whole.ts'

describeWith('redis-server', 'buttons and forms in Slack', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  let question: string | null
  /** True while the inbox takes nothing in, as in a process that is about to be killed. */
  let hangs = false
  beforeAll(async () => {
    server = await startRedis(program)
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    question = null
    hangs = false
    const model = createFakeModel()
    model.answer(({ contract, input }) => {
      if (contract === 'decision') return decides.run('Note it', 'Note it')
      if (contract === 'plan') return plans('Note')
      if (contract !== 'thought') return ends('It is noted.')
      if (question !== null && 'clarifications' in input && input.clarifications.length === 0)
        return asks(question)
      const isDone = question !== null || ('observations' in input && input.observations.length > 0)
      return isDone ? closes() : acts('add Book the room')
    })
    whole = await startWhole(server.url, 'socket', {
      around: { model, wrap: hanging },
      settings: { AGENT_TOOL_APPROVAL: 'todo=always' },
    })
  })
  afterEach(async () => {
    await whole.stop()
    await server.connect().flushall()
  })
  function hanging<P extends object>(_name: string, port: P): P {
    if (!('accept' in port) || typeof port.accept !== 'function') return port
    const accept = port.accept.bind(port)
    const slow = (...args: unknown[]) => (hangs ? new Promise(() => {}) : accept(...args))
    return Object.assign({ ...port }, { accept: slow })
  }
  const thread = (ts: string) => threadOf(whole.slack, 'C1', ts)
  const privately = () => whole.slack.state.ephemerals.map(({ user, text }) => [user, text])
  async function approval() {
    const said = whole.slack.people.mention('C1', 'UANA', 'note it')
    return { said, asked: await thread(said.ts).question() }
  }

  it('keep what people think of a report with its run; a second click changes it (C182, C730, C731)', async () => {
    const { people } = whole.slack
    const { said, asked } = await approval()
    await people.click('C1', 'UANA', asked.ts, 'Approve')
    const report = await thread(said.ts).saying(/It is noted/)
    expect(buttonsOf(report.blocks).map(({ text }) => text)).toEqual(['👍', '👎'])
    expect((await people.click('C1', 'UANA', report.ts, '👍')).acked).toBe(true)
    await people.click('C1', 'UBEN', report.ts, '👍')
    await until(() => privately().length === 2)
    await people.click('C1', 'UANA', report.ts, '👎')
    await until(() => privately().some(([user, text]) => user === 'UANA' && text?.includes('👎')))
    // C730: they alone are asked why, by buttons and in a form.
    const why = whole.slack.state.ephemerals.findLast(({ user }) => user === 'UANA')
    const [wrong, , , own] = buttonsOf(why?.blocks ?? [])
    const at = { ts: '1.1', thread_ts: said.ts }
    await people.press('C1', 'UANA', at, wrong?.actionId ?? '', wrong?.value ?? '')
    await until(() => privately().at(-1)?.[1] === 'Thanks, noted. 👎')
    await people.press('C1', 'UANA', at, own?.actionId ?? '', own?.value ?? '')
    await until(() => whole.slack.state.forms.size === 1)
    await people.submit('UANA', { text: 'It was Porto.' })
    await until(() => privately().filter(([, text]) => text === 'Thanks, noted. 👎').length === 2)
    // Nothing of it stands in the thread.
    expect(thread(said.ts).said()).toHaveLength(2)
    const port = await freePort()
    const page = await joinWhole(server.url, 'socket', whole.slack, port, {
      settings: { ROLES: 'web' },
    })
    const { body } = await ask(`http://127.0.0.1:${port}/api/feedback`)
    await page.stop()
    expect(body).toMatchObject({
      feedback: [
        {
          workspace: 'slack:T1',
          title: 'Note it',
          status: 'succeeded',
          author: { id: 'UANA', name: 'Ana' },
          good: false,
          reason: 'wrong',
          words: 'It was Porto.',
        },
        { author: { id: 'UBEN' }, good: true },
      ],
    })
  })

  it('take a long answer in a form; handed in twice it is one, and a late one is told so (C183)', async () => {
    const { people, state } = whole.slack
    question = 'Which city?'
    const said = people.mention('C1', 'UANA', 'book a date')
    const asked = await until(() =>
      thread(said.ts)
        .own()
        .find(({ blocks }) => buttonsOf(blocks).some(({ actionId }) => actionId === 'clew:words')),
    )
    await people.click('C1', 'UANA', asked.ts, 'In my own words')
    await people.click('C1', 'UBEN', asked.ts, 'In my own words')
    await until(() => state.forms.size === 2)
    const long = `Lisbon.\n${'By the river, with a room for twelve. '.repeat(60)}`
    const { acked, form } = await people.submit('UANA', { text: long })
    expect(acked).toBe(true)
    await people.submit('UANA', { text: long }, form)
    await until(() => asked.text.includes('Ana: Lisbon.'))
    await thread(said.ts).saying(/It is noted/)
    await people.submit('UBEN', { text: 'Porto' })
    await until(() =>
      privately().some(([user, text]) => user === 'UBEN' && /already answered/.test(text ?? '')),
    )
    expect(whole.slack.calls.filter(({ method }) => method === 'views.open')).toHaveLength(2)
  })

  it('are not acknowledged before they are stored, so that they can be handed in again (C183)', async () => {
    const { people, state } = whole.slack
    question = 'Which city?'
    const said = people.mention('C1', 'UANA', 'book a date')
    const asked = await until(() =>
      thread(said.ts)
        .own()
        .find(({ blocks }) => buttonsOf(blocks).some(({ actionId }) => actionId === 'clew:words')),
    )
    await people.click('C1', 'UANA', asked.ts, 'In my own words')
    const form = await until(() => state.forms.get('UANA'))
    hangs = true
    expect((await people.submit('UANA', { text: 'Lisbon, by the river' }, form)).acked).toBe(false)
    expect(asked.text).not.toContain('Lisbon')
    hangs = false
    expect((await people.submit('UANA', { text: 'Lisbon, by the river' }, form)).acked).toBe(true)
    await until(() => asked.text.includes('Ana: Lisbon, by the river'))
    await thread(said.ts).saying(/It is noted/)
  })

  it('approve for good by a button, which /approvals shows, and a plan before it is acted on (C764, C770, C773)', async () => {
    const { people } = whole.slack
    const { said, asked } = await approval()
    await people.click('C1', 'UANA', asked.ts, 'Always here')
    await thread(said.ts).saying(/From now on I won’t ask again/)
    await thread(said.ts).saying(/It is noted/)
    const again = people.mention('C1', 'UANA', 'note it, plan first')
    const plan = await thread(again.ts).question()
    expect(plan.text).toContain('Here’s my plan')
    expect(buttonsOf(plan.blocks).map(({ text }) => text)).toEqual(['Approve', 'Change'])
    await people.click('C1', 'UANA', plan.ts, 'Approve')
    await thread(again.ts).saying(/It is noted/)
    const approvals = async (line: string) =>
      JSON.stringify((await people.command('C1', 'UANA', '/approvals', line)).reply)
    expect(await approvals('list')).toMatch(/add Book the room.*Used once/)
    expect(await approvals('revoke 1')).toContain('ask again')
    expect(await approvals('list')).toContain('ended by Ana')
  })

  it('change a call before it is approved: it is made as it was changed, and the log says by whom (C184)', async () => {
    const { people, state } = whole.slack
    const { said, asked } = await approval()
    expect(buttonsOf(asked.blocks).map(({ text }) => text)).toEqual([
      'Approve',
      'Refuse',
      'Always here',
      'Edit, then approve',
    ])
    // Somebody who may not approve can look, but what they hand in changes nothing.
    await people.click('C1', 'UBEN', asked.ts, 'Edit, then approve')
    await until(() => state.forms.has('UBEN'))
    await people.submit('UBEN', { text: 'add Book the yacht' })
    await until(() => privately().some(([user, text]) => user === 'UBEN' && /Ana/.test(text ?? '')))
    await people.click('C1', 'UANA', asked.ts, 'Edit, then approve')
    const form = await until(() => state.forms.get('UANA'))
    expect(JSON.stringify(form.view.blocks)).toContain('add Book the room')
    await people.submit('UANA', { text: 'add Book the large room' })
    await thread(said.ts).saying(/It is noted/)
    expect(JSON.stringify(asked.blocks)).toContain('Ana edited the request and approved it')
    expect(JSON.stringify(asked.blocks)).toContain('add Book the large room')
    const list = await people.command('C1', 'UANA', '/todo', 'list')
    expect(JSON.stringify(list.reply)).toContain('Book the large room')
    expect(JSON.stringify(list.reply)).not.toMatch(/yacht|Book the room/)
    const redis = server.connect()
    const rows = (
      await Promise.all((await redis.keys('*trace*')).map((key) => redis.lrange(key, 0, -1)))
    ).flat()
    expect(rows.find((row) => row.includes('"approval"'))).toContain(
      '"by":{"id":"UANA","name":"Ana"},"edited":{"from":"add Book the room","to":"add Book the large room"}',
    )
  })

  it('check a changed call as any other: what the tool does not take is not made (C184)', async () => {
    const { people, state } = whole.slack
    const { said, asked } = await approval()
    await people.click('C1', 'UANA', asked.ts, 'Edit, then approve')
    await until(() => state.forms.has('UANA'))
    await people.submit('UANA', { text: 'sing a song' })
    await thread(said.ts).saying(/It is noted/)
    const list = await people.command('C1', 'UANA', '/todo', 'list')
    expect(JSON.stringify(list.reply)).toContain('No to-dos here yet')
  })

  it('say so to who pressed when Slack does not open them (C185)', async () => {
    const { people, fail, state } = whole.slack
    fail('views.open', 'refused')
    await people.command('C2', 'UANA', '/schedule', 'new')
    await until(() =>
      privately().some(([user, text]) => user === 'UANA' && /once more/.test(text ?? '')),
    )
    await people.command('C2', 'UANA', '/schedule', 'new')
    await until(() => state.forms.has('UANA'))
  })

  it('make a schedule from a form, which says what is wrong with it and stays (C185, C315)', async () => {
    const { people, state } = whole.slack
    await people.command('C2', 'UANA', '/schedule', 'new')
    await until(() => state.forms.has('UANA'))
    const wrong = await people.submit('UANA', {
      when: 'whenever it suits me',
      what: 'List what is due',
    })
    expect(wrong.reply).toMatchObject({
      response_action: 'errors',
      errors: { when: expect.any(String) },
    })
    const right = await people.submit('UANA', {
      when: 'every weekday at 9:00 and 18:00 until 31 december 2099',
      what: 'List what is due "today"',
    })
    expect(right.reply).toMatchObject({ response_action: 'update', view: { type: 'modal' } })
    await people.submit(
      'UANA',
      {
        when: 'every weekday at 9:00 and 18:00 until 31 december 2099',
        what: 'List what is due "today"',
      },
      right.form,
    )
    const list = await people.command('C2', 'UANA', '/schedule', 'list')
    expect(JSON.stringify(list.reply)).toMatch(
      /#1\b.*List what is due.*at 09:00 and 18:00 until 2099-12-31/,
    )
    expect(JSON.stringify(list.reply)).not.toContain('#2')

    for (const when of [
      'mon, wed and fri at 9:00 and 18:00 until 1 may 2099',
      'every 2nd tuesday',
    ]) {
      await people.command('C2', 'UANA', '/schedule', 'new')
      await until(() => state.forms.has('UANA'))
      await people.submit('UANA', { when, what: 'Count the orders' })
    }
    const shown = async () =>
      JSON.stringify((await people.command('C2', 'UANA', '/schedule', 'list')).reply)
    const before = await shown()
    expect(before).toMatch(/#2.*Monday, Wednesday and Friday at 09:00 and 18:00 until 2099-05-01/)
    expect(before).toMatch(/#3.*every 2 weeks from /)
    for (const id of [2, 3])
      await people.command('C2', 'UANA', '/schedule', `update ${id} Count the orders`)
    expect(await shown()).toBe(before)
  })
})
