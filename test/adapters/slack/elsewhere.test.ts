import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buttonsOf } from '../../fakes/slack/people.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { createElsewhereModel } from '../twin-models.ts'
import { until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

describeWith('redis-server', 'what Clew says elsewhere in Slack', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  const { model, call } = createElsewhereModel()

  beforeAll(async () => {
    server = await startRedis(program)
    whole = await startWhole(server.url, 'http', {
      around: { model },
      slack: { minuteMs: null },
    })
    const { channels, bot } = whole.slack.state
    const members = new Set(['UBEN', bot.user])
    channels.set('G7', { id: 'G7', kind: 'group', members, archived: false, messages: [] })
  })
  afterAll(async () => {
    await whole.stop()
    await server.stop()
  })
  beforeEach(() => {
    call.seen = ''
    call.count += 1
  })

  const said = (channel: string) =>
    (whole.slack.state.channels.get(channel)?.messages ?? []).filter(
      ({ user }) => user === whole.slack.state.bot.user,
    )
  const saying = (channel: string, text: RegExp) =>
    said(channel).filter((one) => text.test(one.text))

  /** Ana asks for it in C1. */
  function asked(input: string, user = 'UANA') {
    call.next = input
    const { ts } = whole.slack.people.mention('C1', user, `Say it elsewhere, ${call.count}`)
    const thread = threadOf(whole.slack, 'C1', ts)
    const report = () => thread.saying(new RegExp(`Over ${call.count}`))
    const approve = async (label = 'Approve') => {
      const question = await thread.question()
      await whole.slack.people.click('C1', user, question.ts, label)
      return question
    }
    return { ts, thread, report, approve }
  }

  it('is shown with its place to who asks, approved, and posted once in their name (C840, S87)', async () => {
    const task = asked('tell #c2\nVersion 2 is out. <!channel> @here <@UBEN>')
    const question = await task.thread.question()
    expect(JSON.stringify(question.blocks)).toMatch(
      /post this in #c2 \(C2\)[\s\S]*Version 2 is out/,
    )
    expect(said('C2')).toEqual([])
    await task.approve()
    await task.report()
    const [posted, ...more] = await until(() => {
      const all = saying('C2', /Version 2 is out/)
      return all.length > 0 ? all : undefined
    })
    expect(more).toEqual([])
    await task.thread.saying(/^Posted in \[?#c2/)
    expect(posted?.text).toContain('Ana')
    expect(posted?.thread_ts).toBeUndefined()
    expect(JSON.stringify(posted?.blocks)).not.toMatch(/"broadcast"|"type":"user"/)
  })

  it('is linked where it stands, and deleted there once who asked takes it back (C940)', async () => {
    const task = asked('tell #c2\nToo early to tell.')
    await task.approve()
    await task.report()
    const posted = await until(() => saying('C2', /Too early/)[0])
    const note = await task.thread.saying(/^Posted in/)
    expect(note.text).toContain(`https://app.slack.com/client/T1/C2/thread/C2-${posted.ts}`)
    await whole.slack.people.click('C1', 'UANA', note.ts, 'Take it back')
    await until(() => saying('C2', /Too early/).length === 0 || undefined)
    await task.thread.saying(/deleting it there/)
  })

  it('is not deleted where somebody has answered it unheard, and who asked is told (C940)', async () => {
    const task = asked('tell #c2\nDoors open at nine.')
    await task.approve()
    await task.report()
    const posted = await until(() => saying('C2', /Doors open/)[0])
    const note = await task.thread.saying(/^Posted in/)
    const place = whole.slack.state.channels.get('C2')
    place?.messages.push({ ...posted, ts: `${posted.ts}1`, thread_ts: posted.ts, user: 'UBEN' })
    await whole.slack.people.click('C1', 'UANA', note.ts, 'Take it back')
    const direct = () =>
      [...whole.slack.state.channels.values()].filter(
        ({ kind, members }) => kind === 'im' && members.has('UANA'),
      )
    await until(() => direct().flatMap(({ id }) => saying(id, /could not delete/))[0])
    expect(saying('C2', /Doors open/).length).toBeGreaterThan(0)
  })

  it('goes nowhere that who asks cannot write, at the approval and at the post (S86)', async () => {
    const closed = asked('tell #g7\nThe board said no.')
    await closed.report()
    expect(call.seen).toContain('“#g7”')
    expect(said('G7')).toEqual([])

    const left = asked('tell #c2\nShe has left.')
    await left.thread.question()
    whole.slack.state.channels.get('C2')?.members.delete('UANA')
    await left.approve()
    await left.report()
    whole.slack.state.channels.get('C2')?.members.add('UANA')
    expect(call.seen).toContain('can’t write there')
    expect(saying('C2', /She has left/)).toEqual([])
  })

  it('a reply of who is asked comes back once, and nothing else of theirs (C843, S87)', async () => {
    const task = asked('ask @Ben\nHow many seats are sold?')
    await task.approve()
    const waits = await task.thread.saying(/I asked .{0,9}@Ben/)
    const { id: direct } = await until(() =>
      [...whole.slack.state.channels.values()].find(
        ({ kind, members }) => kind === 'im' && members.has('UBEN'),
      ),
    )
    const [question] = await until(() => {
      const all = saying(direct, /How many seats/)
      return all.length > 0 ? all : undefined
    })
    if (question === undefined) throw new Error('nothing was asked')
    expect(waits.text).toContain(`[@Ben](https://app.slack.com/client/T1/${direct})`)
    expect(question.text).toMatch(/Ana[\s\S]*asks you[\s\S]*first reply/)
    const { people } = whole.slack
    await people.direct('UBEN', 'remind me of the doctor tomorrow').delivered
    const answer = people.direct('UBEN', '42 of 60 <@UANA>', { thread: question.ts })
    await answer.delivered
    const written = whole.slack.state.channels
      .get(direct)
      ?.messages.find(({ ts }) => ts === answer.ts)
    const place = whole.slack.state.channels.get(direct)
    if (written === undefined || place === undefined) throw new Error('it was not written')
    for (let again = 0; again < 3; again++) await people.send(people.eventsOf(place, written))
    await task.report()
    expect(call.seen).toMatch(/^Ben answered: 42 of 60/)
    const edited = threadOf(whole.slack, 'C1', task.ts).messages()
    const there = JSON.stringify(edited)
    expect(there).not.toContain('doctor')
    expect(there).toContain('42 of 60')
    expect(edited.find(({ ts }) => ts === waits.ts)?.text).toMatch(/Ben/)
    await until(() => saying(direct, /passed it on to Ana/)[0])
    expect(saying(direct, /passed it on/)).toHaveLength(1)
    expect(saying(direct, /How many seats/)).toHaveLength(1)
    expect(buttonsOf(question.blocks)).toEqual([])
  })

  it('a question that was withdrawn takes no answer any more (C844)', async () => {
    const task = asked('ask @Ben\nIs the hall free?')
    await task.approve()
    const question = await until(() =>
      threadOf(whole.slack, 'C1', task.ts)
        .own()
        .find(({ blocks }) => buttonsOf(blocks).some(({ text }) => /without/.test(text))),
    )
    await whole.slack.people.click('C1', 'UANA', question.ts, 'Go on without the answer')
    await task.report()
    expect(call.seen).toContain('Ana withdrew the question to Ben')
    const place = [...whole.slack.state.channels.values()].find(
      ({ kind, members }) => kind === 'im' && members.has('UBEN'),
    )
    const asking = await until(() => saying(place?.id ?? '', /Is the hall free/)[0])
    await whole.slack.people.direct('UBEN', 'Yes it is', { thread: asking.ts }).delivered
    await until(() => saying(place?.id ?? '', /doesn’t need the answer any more/)[0])
    expect(JSON.stringify(task.thread.messages())).not.toContain('Yes it is')
  })
})
