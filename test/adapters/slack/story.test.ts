import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { conversationIdOf, isUnread } from '../../../src/agent/domain/conversation.ts'
import { createRehearsalModel } from '../../../src/agent/model/rehearsal.ts'
import type { Model } from '../../../src/agent/ports/model.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { buttonsOf } from '../../fakes/slack/people.ts'
import { directChannel } from '../../fakes/slack/state.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { createLeapingClock, until } from './support.ts'
import { type Mode, openTask, startWhole, threadOf, type Whole } from './whole.ts'

const modes: { mode: Mode; name: string }[] = [
  { mode: 'socket', name: 'Socket Mode' },
  { mode: 'http', name: 'HTTP mode' },
]
const rehearsal = createRehearsalModel({ clock: createSystemClock(), paceMs: 0 })
/** What the model was asked about as another person's words. */
const handedTo = (input: object): { text: string } | undefined =>
  z
    .object({ recentMessages: z.array(z.looseObject({ text: z.string() })) })
    .safeParse(input)
    .data?.recentMessages.findLast(({ where }) => where === 'linked')
const offsite = 'Compare the three venues and book a date for the offsite'

describeWith('redis-server', 'the story in Slack', (program) => {
  describe.each(modes)('in $name', ({ mode }) => {
    let server: Awaited<ReturnType<typeof startRedis>>
    let whole: Whole
    const clock = createLeapingClock()
    const asked: { contract: string; input: object }[] = []
    /** The rehearsal, with what it was asked. */
    const model: Model = {
      ...rehearsal,
      call(contract, input, signal) {
        asked.push({ contract, input })
        return rehearsal.call(contract, input, signal)
      },
    }
    beforeAll(async () => {
      server = await startRedis(program)
      whole = await startWhole(server.url, mode, { around: { clock, model } })
    })
    afterAll(async () => {
      await whole.stop()
      await server.stop()
    })
    const thread = (channel: string, ts: string) => threadOf(whole.slack, channel, ts)

    it('goes from a mention over a plan, a question and a click to the report (R38, R41, R141, R145, R146)', async () => {
      const { people, state } = whole.slack
      const said = people.mention('C1', 'UANA', offsite)
      expect((await said.delivered).every(({ acked }) => acked)).toBe(true)
      const { own, question, plan, saying, reactions } = thread('C1', said.ts)
      await until(() => reactions(said.ts).includes('eyes'))
      const asked = await question()
      const [first] = buttonsOf(asked.blocks)
      await until(plan)
      await people.click('C1', 'UANA', asked.ts, first?.text ?? '')
      await until(() => asked.text.startsWith('✅ Ana: '))
      expect(asked.text).toContain(first?.text)
      expect(buttonsOf(asked.blocks)).toEqual([])
      await saying(/: done\./)
      await until(() => plan()?.text.endsWith(': Done'))
      expect(JSON.stringify(plan()?.blocks)).toContain('Ana changed the request')
      expect(own().filter(({ text }) => text.includes(': done.'))).toHaveLength(1)
      expect(own().every(({ unfurl }) => !unfurl.links && !unfurl.media)).toBe(true)
      expect(state.sessions.map(({ status }) => status)).toContain('suspended')
    })

    it('takes a plain reply as the answer, and tells a late click privately (C47, R146)', async () => {
      const { people, state } = whole.slack
      const said = people.mention('C1', 'UANA', offsite)
      const { question, saying } = thread('C1', said.ts)
      const asked = await question()
      const [first, second] = buttonsOf(asked.blocks)
      people.say('C1', 'UBEN', 'Porto, please', { thread: said.ts })
      await until(() => asked.text.startsWith('✅ Ben: '))
      await people.press('C1', 'UANA', asked, second?.actionId ?? '', first?.value ?? '')
      await until(() =>
        state.ephemerals.find(
          ({ user, text }) => user === 'UANA' && text.includes('already answered'),
        ),
      )
      await saying(/: done\./)
    })

    it('offers commands as buttons; a press is answered where it was made, and once (F30, C166)', async () => {
      const { people, state } = whole.slack
      const said = people.mention('C1', 'UANA', '/memory add We meet in Lisbon --key city')
      const { saying } = thread('C1', said.ts)
      const kept = await saying(/^Remembered: /)
      const [first] = buttonsOf(kept.blocks)
      const labels = () => buttonsOf(kept.blocks).map(({ text }) => text)
      expect(labels()).toEqual(['Forget it'])
      await people.click('C1', 'UBEN', kept.ts, 'Forget it')
      await until(() => labels().includes('Undo'))
      expect(JSON.stringify(kept.blocks)).toMatch(/Remembered: .*Forgotten, as Ben asked: /)
      await people.press('C1', 'UANA', kept, first?.actionId ?? '', first?.value ?? '')
      await until(() =>
        state.ephemerals.find(
          ({ user, text }) => user === 'UANA' && /Ben has already taken care/.test(text),
        ),
      )
      await people.click('C1', 'UANA', kept.ts, 'Undo')
      await until(() => labels().includes('Forget it'))
      expect(
        state.channels.get('C1')?.messages.filter(({ thread_ts: in_ }) => in_ === said.ts),
      ).toHaveLength(1)
    })

    it('works in direct messages, where every message is a thread, and in the language of the person', async () => {
      const { people } = whole.slack
      const said = people.direct('ULI', '比较三个场地，并为团建定一个日期')
      const { question } = thread(said.channel, said.ts)
      const asked = await question()
      expect(asked.text).toContain('请确认')
      people.direct('ULI', '停止', { thread: said.ts })
      await thread(said.channel, said.ts).saying(/任务已取消/)
    })

    it('answers commands privately in channels and openly in threads (C44, C45)', async () => {
      const { people, state } = whole.slack
      const added = await people.command('C2', 'UANA', '/todo', 'add send the invoice')
      expect(added.acked).toBe(true)
      expect(JSON.stringify(added.reply)).toContain('send the invoice')
      expect(added.reply).toMatchObject({ response_type: 'ephemeral' })
      const said = people.mention('C2', 'UBEN', 'todo list')
      await thread('C2', said.ts).saying(/send the invoice/)
      people.say('C2', 'UBEN', '!todo add book the room', { thread: said.ts })
      await thread('C2', said.ts).saying(/book the room/)
      const view = await people.command('C2', 'UANA', '/view', 'all')
      expect(JSON.stringify(view.reply)).toContain('book the room')
      expect(
        state.channels
          .get('C2')
          ?.messages.some(({ text }) => text.includes('#1') && text.includes('invoice')),
      ).toBe(true)
    })

    it('opens a thread for /task and lists the open tasks without words', async () => {
      const { people, state } = whole.slack
      const opened = await people.command('C2', 'UANA', '/task', offsite)
      expect(JSON.stringify(opened.reply)).toContain('opened a thread')
      const root = await until(() =>
        state.channels
          .get('C2')
          ?.messages.find(
            (one) => one.thread_ts === undefined && one.text.startsWith('*Ana* asked'),
          ),
      )
      const { question, saying } = thread('C2', root.ts)
      await question()
      await until(async () =>
        JSON.stringify((await people.command('C2', 'UANA', '/task')).reply).includes(
          'Waiting for an answer',
        ),
      )
      // A reply in the thread that Clew opened goes on in it.
      people.say('C2', 'UANA', 'Lisbon', { thread: root.ts })
      await saying(/: done\./)
      const away = await people.command('C404', 'UANA', '/task', 'anything')
      expect(JSON.stringify(away.reply)).toContain('/invite')
    })

    it('shows a person their own things on the Home tab, with buttons that work, no marks, and what came of a press (C114, C165)', async () => {
      const { people, state } = whole.slack
      const said = people.mention('C1', 'UBEN', offsite.replace('three', '**three**'))
      await thread('C1', said.ts).question()
      await people.openHome('UBEN')
      const view = await until(() => state.views.get('UBEN'))
      expect(JSON.stringify(view)).toContain('America/New_York')
      expect(JSON.stringify(view)).toContain('Waiting for your answer')
      expect(JSON.stringify(view)).not.toContain('**')
      expect(JSON.stringify(view)).toContain('the three venues')
      // C447: it leads to its thread, and says where that is.
      expect(JSON.stringify(view)).toMatch(/<https:[^|>]*C1[^|>]*\|[^>]*the three venues/)
      expect(JSON.stringify(view)).toContain('<#C1>')
      const tasks = JSON.stringify((await people.command('C1', 'UBEN', '/task', '')).reply)
      expect(tasks).toMatch(/https:[^"\s]*C1/)
      for (const title of ['Your to-dos', 'Your schedules'])
        expect(JSON.stringify(view)).toContain(title)
      await people.clickHome('UBEN', 'Stop')
      await thread('C1', said.ts).saying(/Stopped by/)
      await until(
        () => !JSON.stringify(state.views.get('UBEN')).includes('Waiting for your answer'),
      )
    })

    it('lists to-dos, schedules and the time zone on the Home tab, each with its buttons (C45, C185)', async () => {
      const { people, state } = whole.slack
      const home = () => JSON.stringify(state.views.get('UBEN') ?? '')
      const note = people.direct('UBEN', 'todo add *water* the <plants>')
      await thread(note.channel, note.ts).saying(/water/)
      await people.command('C2', 'UBEN', '/schedule', 'add every weekday at 9:00 Count the orders')
      await people.command('C2', 'UANA', '/schedule', 'add every weekday at 9:00 Not of Ben')
      // What is his to do in a channel is his too (C447).
      await people.command('C2', 'UBEN', '/todo', 'add call the hotel --priority 9')
      await people.command('C2', 'UANA', '/todo', 'add of nobody but Ana')
      await people.openHome('UBEN')
      await until(
        () => home().includes('*water* the &lt;plants&gt;') && home().includes('Count the orders'),
      )
      expect(home()).toContain('call the hotel')
      expect(home()).not.toMatch(/Not of Ben|of nobody/)

      await people.clickHome('UBEN', 'Pause')
      await until(() => home().includes('Resume'))
      expect(
        JSON.stringify((await people.command('C2', 'UBEN', '/schedule', 'list')).reply),
      ).toContain('paused')
      await people.clickHome('UBEN', 'Resume')
      await until(() => home().includes('Pause'))
      await people.clickHome('UBEN', 'Done')
      await until(() => !home().includes('water'))

      // C185: a new one is filled into a form, in their own channel with Clew.
      await people.clickHome('UBEN', 'New schedule')
      await until(() => state.forms.has('UBEN'))
      await people.submit('UBEN', { when: 'every friday at 16:00', what: 'Say what was done' })
      await until(() => home().includes('Say what was done'))

      const ben = state.users.get('UBEN')
      if (ben !== undefined) ben.tz = 'Asia/Tokyo'
      await people.clickHome('UBEN', 'Refresh')
      await until(() => home().includes('Asia/Tokyo'))
    })

    it('says hello to a person who opens their messages with it for the first time, in their language', async () => {
      const { people, state } = whole.slack
      await people.openMessages('UWEI')
      await people.openMessages('UWEI')
      const direct = directChannel(state, 'UWEI').messages
      await until(() => direct[0])
      expect(JSON.stringify(direct[0]?.blocks)).toContain('你好')
      expect(direct).toHaveLength(1)
    })

    it('greets a channel that it was invited to, once', async () => {
      const { people, state } = whole.slack
      await people.invite('C9', 'UANA')
      await people.invite('C9', 'UANA')
      const greeting = await until(() => state.channels.get('C9')?.messages[0])
      expect(JSON.stringify(greeting.blocks)).toContain('plan the first week')
      expect(state.channels.get('C9')?.messages).toHaveLength(1)
    })

    it('stops by the native button, by the shortcut and by its own button (R104, R151)', async () => {
      const { people } = whole.slack
      const stops = [
        (ts: string) => people.stopSession('C1', 'UANA', ts),
        (ts: string) => people.shortcut('C1', 'UANA', ts, 'clew_stop'),
        (ts: string) => people.click('C1', 'UANA', thread('C1', ts).plan()?.ts ?? '', 'Stop'),
      ]
      for (const stop of stops) {
        const said = people.mention('C1', 'UANA', offsite)
        await thread('C1', said.ts).question()
        await until(() => buttonsOf(thread('C1', said.ts).plan()?.blocks ?? []).length > 0)
        await stop(said.ts)
        await thread('C1', said.ts).saying(/Stopped by/)
        await until(() => thread('C1', said.ts).plan()?.text.endsWith(': Stopped'))
      }
    })

    it('starts a stopped task over with the Retry button (F27)', async () => {
      const { people } = whole.slack
      const said = people.mention('C1', 'UANA', offsite)
      const { question, saying, plan } = thread('C1', said.ts)
      await question()
      people.say('C1', 'UANA', 'stop', { thread: said.ts })
      await saying(/Stopped by/)
      await until(() => plan()?.text.endsWith(': Stopped'))
      await people.click('C1', 'UANA', (await saying(/Stopped by/)).ts, 'Retry')
      await saying(/where it stopped/)
      await until(
        () =>
          thread('C1', said.ts)
            .messages()
            .filter(({ metadata }) => metadata?.event_type === 'clew_plan').length === 2,
      )
    })

    it('takes a message that somebody hands over with the shortcut', async () => {
      const { people, state } = whole.slack
      const said = people.say(
        'C1',
        'UBEN',
        'We should compare the three venues and book a date for the offsite',
      )
      await openTask(whole.slack, 'UANA', said)
      await thread('C1', said.ts).question()
      expect(
        state.ephemerals.some(({ user, thread_ts: at }) => user === 'UANA' && at === said.ts),
      ).toBe(true)
    })

    it('reads a message that is handed over as people do', async () => {
      const { people } = whole.slack
      const said = people.say(
        'C1',
        'UBEN',
        'Tell <@UANA> about R&amp;D: is 3 &lt; 4? see <https://a.example/x|the page>',
      )
      await openTask(whole.slack, 'UANA', said)
      const message = 'Tell @Ana about R&D: is 3 < 4? see the page (https://a.example/x)'
      await until(() => asked.some(({ input }) => handedTo(input)?.text === message))
    })

    it('reads an alert that is handed over, whose words stand beside its text', async () => {
      const { people } = whole.slack
      const alert = people.write('C1', 'UBEN', '', { bot: true })
      alert.attachments = [{ fallback: 'R&amp;D is down', text: 'R&amp;D is down since 9' }]
      await openTask(whole.slack, 'UANA', alert)
      await until(() => asked.some(({ input }) => handedTo(input)?.text === 'R&D is down since 9'))
    })

    it('says directly that it cannot open a task where it is not', async () => {
      const { people, state } = whole.slack
      await people.invite('C9', 'UANA')
      state.channels.get('C9')?.members.delete(state.bot.user)
      const said = people.say('C9', 'UANA', 'hello')
      await people.shortcut('C9', 'UANA', said.ts, 'clew_open_task')
      const directly = () =>
        [...state.channels.values()].flatMap(({ kind, messages }) =>
          kind === 'im' ? messages : [],
        )
      await until(() => directly().some(({ text }) => text.startsWith('I’m not in that channel.')))
    })

    it('leaves talk alone that is not for it: channels, other bots, other people, deletions, edits (R146, R149, S9)', async () => {
      const { people } = whole.slack
      const chatter = people.say('C1', 'UANA', 'lunch?')
      await people.edit('C1', chatter.ts, 'lunch at one?')
      const bot = people.mention('C1', 'UBEN', 'hello there', { bot: true })
      await Promise.all([chatter.delivered, bot.delivered])
      const said = people.mention('C1', 'UANA', 'todo list')
      await until(() => thread('C1', said.ts).own().length === 1)
      const aside = people.say('C1', 'UBEN', '<@UANA> did you see this?', { thread: said.ts })
      const botInThread = people.say('C1', 'UBEN', 'beep', { thread: said.ts, bot: true })
      await Promise.all([aside.delivered, botInThread.delivered])
      const last = people.say('C1', 'UBEN', '!todo list', { thread: said.ts })
      await last.delivered
      await until(() => thread('C1', said.ts).own().length === 2)
      expect(thread('C1', chatter.ts).own()).toEqual([])
      expect(thread('C1', bot.ts).own()).toEqual([])
    })

    it('keeps quiet where people talk to each other in its thread, and marks there only what it works on (C76, C77)', async () => {
      const { people } = whole.slack
      const said = people.mention('C1', 'UANA', 'todo list')
      const { own, question, reactions } = thread('C1', said.ts)
      await until(() => own().length === 1)
      const talk = [
        'Did you see the game?',
        'Ana, lunch later?',
        'thanks!',
        'and <@UANA> knows the place',
      ].map((text) => people.say('C1', 'UBEN', text, { thread: said.ts }))
      const work = people.say('C1', 'UBEN', offsite, { thread: said.ts })
      await question()
      await until(() => reactions(work.ts).includes('eyes'))
      // The list and the question.
      expect(thread('C1', said.ts).said()).toHaveLength(2)
      const marked = () => whole.slack.calls.filter(({ method }) => method.startsWith('reactions.'))
      for (const { ts } of talk)
        expect(JSON.stringify(marked().map(({ args }) => args))).not.toContain(ts)
      people.say('C1', 'UBEN', 'stop', { thread: said.ts })
      await thread('C1', said.ts).saying(/Stopped by/)
    })

    it('takes a person’s reaction for a sign that its thread is read up to there, and does nothing else (C51, C115)', async () => {
      const { people, calls } = whole.slack
      const rows = createRedisStore({ redis: server.connect(), clock, worker: 'test' })
      const said = people.mention('C1', 'UANA', 'todo list')
      const { own, messages } = thread('C1', said.ts)
      const first = await until(() => own()[0])
      const aside = people.say('C1', 'UBEN', '!todo list', { thread: said.ts })
      const second = await until(() => own()[1])
      await aside.delivered
      const conversation = async () =>
        (await rows.conversations.state('slack:T1', conversationIdOf('slack:T1', 'C1', said.ts), 0))
          ?.conversation
      const marked = async () => {
        const { lastReadAt = null, updatedAt = 0 } = (await conversation()) ?? {}
        return { lastReadAt, unread: isUnread({ lastReadAt, updatedAt }) }
      }
      const before = await marked()
      expect(before.unread).toBe(true)
      const asked = calls.filter(({ method }) => method === 'conversations.replies').length
      const others = [
        await people.react('C1', 'UANA', first.ts),
        await people.react('C1', 'UBEN', said.ts),
        await people.react('C1', 'UOTHERBOT', second.ts),
      ]
      expect(others.flat().map(({ acked }) => acked)).toEqual([true, true, true])
      // What people wrote is not even asked for.
      expect(calls.filter(({ method }) => method === 'conversations.replies')).toHaveLength(
        asked + 2,
      )
      expect(await marked()).toEqual(before)
      await people.react('C1', 'UBEN', second.ts)
      const after = await marked()
      expect(after).toEqual({ lastReadAt: Math.floor(Number(second.ts) * 1_000), unread: false })
      await people.react('C1', 'UANA', first.ts, 'heart')
      expect(await marked()).toEqual(after)
      expect(messages()).toHaveLength(4)
      expect(
        await rows.runs.list('slack:T1', 9, conversationIdOf('slack:T1', 'C1', said.ts)),
      ).toEqual([])
    })

    it('takes an edit that adds a mention for a message to it, in a channel and in its thread (C78)', async () => {
      const { people, state } = whole.slack
      const us = `<@${state.bot.user}>`
      const first = people.say('C1', 'UBEN', 'todo add buy bread')
      await first.delivered
      await people.edit('C1', first.ts, `${us} todo add buy bread`)
      const { own, saying } = thread('C1', first.ts)
      await saying(/buy bread/)
      const aside = people.say('C1', 'UBEN', '<@UANA> todo add buy milk', { thread: first.ts })
      await aside.delivered
      await people.edit('C1', aside.ts, `${us} todo add buy milk`)
      await saying(/buy milk/)
      await people.edit('C1', aside.ts, `${us} todo add buy milk!`)
      people.say('C1', 'UBEN', '!todo get 1', { thread: first.ts })
      await saying(/#1/)
      await until(() => own().length === 3)
    })

    it('stops the newest task of a direct message by a “stop” at its top (C170)', async () => {
      const { people } = whole.slack
      const said = people.direct('UDAN', offsite)
      const { question, saying } = thread(said.channel, said.ts)
      const asked = await question()
      const stop = people.direct('UDAN', 'Stop.')
      await saying(/Stopped by/)
      await until(() => buttonsOf(asked.blocks).length === 0)
      expect(thread(stop.channel, stop.ts).own()).toEqual([])
      const again = people.direct('UDAN', 'stop')
      await thread(again.channel, again.ts).saying(/Nothing is running/i)
    })

    it('takes a bare line in a direct message for the answer to its open question there, and a command for one (C79)', async () => {
      const { people } = whole.slack
      const said = people.direct('UDAN', offsite)
      const { question, saying } = thread(said.channel, said.ts)
      const asked = await question()
      const listed = people.direct('UDAN', 'todo list')
      await thread(listed.channel, listed.ts).saying(/to-dos/i)
      const other = people.direct('UDAN', 'What can you do for us?')
      await thread(other.channel, other.ts).saying(/./)
      const [first] = buttonsOf(asked.blocks)
      people.direct('UDAN', first?.text.toLowerCase() ?? '')
      await until(() => asked.text.startsWith('✅ '))
      await saying(/: done\./)
    })

    it('opens a thread for a schedule when it is due, where a reply goes on with a Clew that knows the report (R122, R147, R148)', async () => {
      const { people, state } = whole.slack
      const minute = 60_000
      // Just before the next minute: a schedule is due at a full one.
      clock.leap(minute - (clock.now() % minute) - 1_500)
      const due = new Date(Math.ceil(clock.now() / minute) * minute)
        .toISOString()
        .slice(0, 16)
        .replace('T', ' ')
      const title = 'List what is still to do'
      const made = await people.command(
        'C2',
        'ULI',
        '/schedule',
        `add ${due} ${title} --timezone UTC`,
      )
      expect(JSON.stringify(made.reply)).toContain(title)
      const root = await until(() =>
        state.channels
          .get('C2')
          ?.messages.find((one) => one.thread_ts === undefined && one.text.includes(title)),
      )
      const said = people.say('C2', 'UANA', 'What did you find out?', { thread: root.ts })
      await said.delivered
      await until(() => thread('C2', root.ts).said().length > 1)
      const decision = asked.findLast(({ contract }) => contract === 'decision')
      expect(JSON.stringify(decision?.input)).toContain(root.text.split('\n', 1)[0])
    })

    it('has posted and published nothing that Slack would not take', () => {
      const refused = whole.slack.calls.filter(({ outcome }) =>
        /blocks|invalid|too_long|no_text/.test(outcome),
      )
      expect(refused.map(({ method, outcome }) => `${method}: ${outcome}`)).toEqual([])
    })
  })
})
