import { expect, it } from 'vitest'
import { writtenIn } from '../../../src/agent/domain/written-in.ts'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { acts, asks, closes, decides, ends, plans } from '../../fakes/model.ts'
import { ana, ben, type TestClew, useClew } from '../../support/agent.ts'
import { unattended } from '../drive/story.ts'

const start = useClew()
const hour = 3_600_000

/** Whom each delivery calls, by what it is. */
const calls = (clew: TestClew) =>
  clew.channel.shown.flatMap(({ delivery: { body, to, notify } }) =>
    notify ? [`${body.kind} ${to?.id}`] : [],
  )

async function asking(): Promise<TestClew> {
  const clew = await start({ whoMayAnswer: 'owner' })
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues'))
  clew.model.on('thought', asks('Which city?'))
  await clew.say('Book the offsite')
  await clew.idle()
  return clew
}

it('a question, its reminder and the report call the person who asked; an answer, a mark and progress call nobody (C82)', async () => {
  const clew = await asking()
  await clew.advance(5 * hour)
  await clew.idle()
  clew.model.on('replan', ends('Booked.'))
  await clew.say('Lisbon')
  await clew.idle()
  expect(calls(clew)).toEqual(['question ana', 'message ana', 'final ana'])
})

it('an approval, a pause and its reminder call the person who asked (C82)', async () => {
  const mail: Tool = {
    ...{ name: 'mail', effect: 'unkeyed', approval: 'always', description: 'Sends mail.' },
    run: async () => ({ ok: true, text: 'Sent.' }),
  }
  const clew = await start({ tools: [mail], limits: { maxSteps: 2 } })
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Mail', 'Book'))
  clew.model.on('thought', acts('to Ben', 'mail'), closes())
  await clew.say('Book the offsite')
  await clew.idle()
  expect(calls(clew)).toEqual(['question ana'])
  await clew.say('yes')
  await clew.idle()
  expect((await clew.run()).status).toBe('paused')
  await clew.advance(5 * hour)
  await clew.idle()
  expect(calls(clew)).toEqual(['question ana', 'message ana', 'message ana'])
})

it('a stop calls the person who asked, unless they stopped it themselves, and closes the question (C82, C84)', async () => {
  for (const [by, called] of [
    [ana, ['question ana']],
    [ben, ['question ana', 'final ana']],
  ] as const) {
    const clew = await asking()
    await clew.say('stop', { by })
    await clew.idle()
    expect(calls(clew)).toEqual(called)
    const closed = clew.channel.shown.flatMap(({ delivery: { body } }) =>
      body.kind === 'closed' ? [body] : [],
    )
    expect(closed).toMatchObject([{ question: { text: 'Which city?' }, status: 'canceled' }])
  }
})

it('a question says that only its owner may answer where the setting says so (C87)', async () => {
  const clew = await asking()
  expect((await clew.state()).questions).toMatchObject([{ ownerOnly: true, owner: ana }])
})

it('scheduled work calls the person who made the schedule, and its thread begins with what it is about (C82, C83)', async () => {
  const clew = await start()
  clew.model.on('plan', plans('Write'))
  clew.model.on('thought', asks('For which team?'))
  const place = { channel: 'general', conversationId: null, locale: 'en', timeZone: 'UTC' }
  const schedule = { scope: 'channel:general', id: 1, slot: 0, allow: [], place, createdBy: ben }
  await unattended(clew, { schedule })
  await clew.idle()
  expect(calls(clew)).toEqual(['question ben'])
  const [root] = clew.channel.shown.flatMap(({ delivery: { body } }) =>
    body.kind === 'message' ? [body.text] : [],
  )
  expect(root).toBe('**Weekly report**, scheduled by Ben. I need an answer to go on:')
})

it('the thread of a scheduled report begins with who scheduled what, and that no answer is needed (C83)', async () => {
  const clew = await start()
  clew.model.on('plan', plans())
  clew.model.on('thought', {
    decision: 'done',
    current_step: 'x',
    next_action: null,
    question: null,
    response: 'ok',
  })
  clew.model.answer(({ contract }) => (contract === 'replan' ? ends('42 orders.') : null))
  await unattended(clew)
  await clew.idle()
  const [report] = clew.channel.shown.map(({ delivery: { body } }) => body)
  expect(report).toMatchObject({
    kind: 'final',
    brief: expect.stringMatching(/^42 orders\.\n\n\*Weekly report\*$/),
  })
})

it('the reminder of a to-do calls the person who set it (C82)', async () => {
  const clew = await start()
  await clew.say('/todo add Call Bob --due 2026-03-05 10:00 --remind 2026-03-05 09:00', { by: ben })
  await clew.idle()
  await clew.advance(24 * hour)
  await clew.idle()
  expect(calls(clew)).toEqual(['message ben'])
})

it('people are answered in the language that they write, whatever their platform speaks (C88)', async () => {
  const clew = await start()
  await clew.say('停止')
  await clew.idle()
  expect(clew.texts()).toEqual(['当前没有进行中的任务。'])
  expect((await clew.state()).conversation.locale).toBe('zh')
  await clew.say('Stop', { thread: 'other', locale: 'zh' })
  await clew.idle()
  expect(clew.texts('other')).toEqual(['当前没有进行中的任务。'])
  clew.model.on('decision', decides.reply('Fine.'))
  await clew.say('How are you all today', { thread: 'other', locale: 'zh' })
  await clew.idle()
  expect((await clew.state('other')).conversation.locale).toBe('en')
})

it('a command, a short word and other languages say nothing about a language (C88)', () => {
  for (const [text, locale, found] of [
    ['/schedule add every weekday at nine the count of orders', 'zh-CN', 'zh-CN'],
    ['ok thanks', 'zh', 'zh'],
    ['今日の予定を教えてください', 'ja', 'ja'],
    ['请比较三个场地 Lisbon and Porto', 'en-US', 'zh'],
    ['Vergleiche bitte die drei Orte', 'de', 'de'],
    ['Please compare the three venues', 'zh-CN', 'en'],
  ] as const)
    expect(writtenIn(text, locale)).toBe(found)
})
