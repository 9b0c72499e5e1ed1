import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readReport, readTaskFile } from '../src/adapters/coding/protocol.ts'
import { reportFile } from '../src/adapters/coding/report-file.ts'
import { Message as DiscordMessage } from '../src/adapters/discord/message.ts'
import { readMessage as readDiscord, readEdit } from '../src/adapters/discord/parse.ts'
import * as discord from '../src/adapters/discord/render.ts'
import { renderPlan as discordPlan } from '../src/adapters/discord/render-plan.ts'
import { readHead } from '../src/adapters/home/skills.ts'
import { lineInMrkdwn, readMessage as readSlack } from '../src/adapters/slack/markdown.ts'
import { MessageEvent } from '../src/adapters/slack/parse.ts'
import * as slack from '../src/adapters/slack/render.ts'
import { renderPlan as slackPlan } from '../src/adapters/slack/render-plan.ts'
import { addressing, textOf } from '../src/adapters/web/bodies.ts'
import { renderMarkdown } from '../src/adapters/web/markdown.ts'
import { renderConversation } from '../src/adapters/web/render.ts'
import { codeBlock } from '../src/agent/code-block.ts'
import { commandFrom } from '../src/agent/commands/command-from-table.ts'
import { createCommands } from '../src/agent/commands/registry.ts'
import { scheduleTable } from '../src/agent/commands/schedule-table.ts'
import { scopeBy } from '../src/agent/commands/scope.ts'
import { todoTable } from '../src/agent/commands/todo-table.ts'
import { readQuestion } from '../src/agent/contracts/calls.ts'
import { addressesIn, addressesKnown, foundBy } from '../src/agent/domain/address.ts'
import { newConversation, titleFrom } from '../src/agent/domain/conversation.ts'
import { cut } from '../src/agent/domain/cut.ts'
import type { InboundEvent } from '../src/agent/domain/event.ts'
import type { ProgressView } from '../src/agent/domain/progress.ts'
import type { Question } from '../src/agent/domain/question.ts'
import type { Run } from '../src/agent/domain/run.ts'
import { normalised } from '../src/agent/domain/same-item.ts'
import { runStrategies } from '../src/agent/domain/schedule.ts'
import { createIntake } from '../src/agent/intake.ts'
import { fence } from '../src/agent/model/fence.ts'
import { objectInText } from '../src/agent/model/json-text.ts'
import type { ConversationState } from '../src/agent/ports/store.ts'
import { choiceIn } from '../src/agent/said/choice.ts'
import { consentIn } from '../src/agent/said/consent.ts'
import { asksBack } from '../src/agent/said/question.ts'
import { stopOrderIn } from '../src/agent/said/stop.ts'
import { isNothing, plainGoal } from '../src/agent/schedules/nothing-to-report.ts'
import { chooseStrategy } from '../src/agent/strategies/choose.ts'
import { goesOn, marksIn, stepsIn, withoutMarks } from '../src/agent/strategies/markers.ts'
import { alignPlan, planChange } from '../src/agent/strategies/plan.ts'
import { bareLine } from '../src/agent/tools/command-tool.ts'
import { readableOf } from '../src/agent/tools/fetch/readable.ts'
import { targetOf } from '../src/agent/tools/fetch/target.ts'
import { answerHandler } from '../src/agent/turn/answer.ts'
import { type CancelDeps, cancelHandler } from '../src/agent/turn/cancel.ts'
import type { CarryOnDeps } from '../src/agent/turn/carry-on.ts'
import type { Handler, TurnContext } from '../src/agent/turn/context.ts'
import { editHandler } from '../src/agent/turn/edit.ts'
import { join } from '../src/agent/turn/join.ts'
import { sideTalk } from '../src/agent/turn/overheard.ts'
import { resumeOn, retryHandler } from '../src/agent/turn/resume.ts'
import { texts } from '../src/locales/texts.ts'
import { contextOf } from './agent/commands/context.ts'
import { noDocuments } from './fakes/documents.ts'
import { createFakeSchedules } from './fakes/schedules.ts'
import { createFakeTodos } from './fakes/todos.ts'
import { built, filled, mixtures, repeated } from './support/nasty.ts'
import { timeOf } from './support/processor-time.ts'
import { runs } from './support/runs.ts'
import { silent } from './support/silent.ts'

/** How long one call may keep everybody waiting, in milliseconds. */
const most = 50

const ana = { id: 'ana', name: 'Ana' }
const none = () => false
const all = () => true

const message = (text: string): InboundEvent => ({
  workspace: 'test:team',
  channel: 'general',
  thread: 't',
  keys: ['k'],
  author: { ...ana, bot: false },
  whose: { way: 'typed' as const, by: 'member' as const },
  at: 1,
  content: { kind: 'message', text, addressed: true, forSomeoneElse: false },
})
const run = (status: Run['status']): Run => ({
  ...{
    version: 1,
    id: 'r_1',
    workspace: 'test:team',
    conversationId: 'c_1',
    channel: 'general',
    type: 'agent_task',
  },
  ...{
    title: 'The offsite',
    input: { goal: 'The offsite' },
    status,
    requestedBy: ana,
    requestId: 'e_1',
  },
  ...{
    parentRunId: null,
    afterRunId: null,
    createdAt: 1,
    startedAt: 1,
    endedAt: null,
    error: null,
    result: null,
  },
  attempts: 0,
})
const question = (text: string, choices: string[], approval = false): Question => ({
  ...{ version: 1, id: 'q_1', runId: 'r_1', text, choices, askedAt: 1, askedOf: 'Ana', approval },
})
const answered = (text: string) => ({
  question: question(text, [text]),
  answer: text,
  author: ana,
  at: 1,
})

function stateOf(
  text: string,
  foreground: Run | null,
  questions: Question[] = [],
): ConversationState {
  return {
    conversation: newConversation({
      id: 'c_1',
      address: { workspace: 'test:team', channel: 'general', thread: 't' },
      title: 'A',
      at: 1,
    }),
    messages: [
      {
        version: 1,
        id: 'm_1',
        role: 'user',
        author: ana,
        text,
        at: 1,
        source: { kind: 'event', refId: 'e_1' },
        questionId: null,
      },
    ],
    outcomes: { m_1: { kind: 'started', runId: 'r_1' } },
    ...{
      questions,
      answered: [answered('Lisbon?')],
      overheardCount: 0,
      inbox: [],
      foreground,
      damaged: [],
      broken: null,
    },
  }
}

/** A turn in each of the states of a thread in which a text may mean something. */
function turns(text: string, event: InboundEvent = message(text)): TurnContext[] {
  const states = [
    stateOf(text, null),
    stateOf(text, run('paused')),
    stateOf(text, run('queued')),
    stateOf(text, run('awaiting_clarification'), [question('Which?', ['Lisbon', 'Porto'])]),
    stateOf(text, run('awaiting_clarification'), [question('May I?', ['Approve', 'Refuse'], true)]),
  ]
  return states.map((state) => ({
    ...{
      entry: { version: 1, id: 'e_1', messageId: 'm_1', event },
      state,
      text,
      attachments: '',
      now: 2,
    },
    passed: [],
    imagesForTask: () => [],
    attachmentsOf: async () => '',
    meant: event.content.kind === 'message' ? 'unclear' : 'clew',
    words: texts('en'),
    overheard: async () => [],
    reminder: { afterMs: 1, hours: { fromHour: 9, toHour: 18, days: [1] } },
    ...{ namedRun: null, runs: state.foreground === null ? [] : [state.foreground] },
    isTried: async () => false,
    ...{ signal: new AbortController().signal, onNudge: () => () => {} },
  }))
}

/** Nothing goes on and nothing is kept. */
const nothing = {
  store: {
    runs: { list: async () => [], state: async () => null },
    conversations: { list: async () => [], state: async () => null },
  },
  toolbox: { get: () => null },
} as unknown as CancelDeps & CarryOnDeps

const handlers: Record<string, Handler> = {
  ...{
    cancel: cancelHandler(nothing),
    sideTalk,
    answer: answerHandler({
      ...{ whoMayAnswer: 'anyone', admins: [], timesIn: () => 'named' },
      approvals: { list: async () => [] },
    }),
    retry: retryHandler(nothing),
    resume: resumeOn('ask', nothing),
    join,
  },
}

const progress = (text: string): ProgressView => ({
  ...{ runId: 'r_1', title: text, status: 'running', index: 1, done: 1 },
  items: [
    { text, done: true },
    { text, done: false },
  ],
  ...{ now: { kind: 'acting', tool: 'files', input: text }, lastResult: null },
  lastChange: {
    added: [text],
    dropped: [text],
    because: { step: 1, question: null, text, author: ana },
  },
})

const discordMessage = (content: string) =>
  DiscordMessage.parse({
    ...{
      id: '123456789012345678',
      channel_id: '123456789012345679',
      guild_id: '123456789012345670',
      type: 0,
      content,
    },
    author: { id: '123456789012345671', username: 'ana' },
    edited_timestamp: '2026-01-01T00:00:00Z',
  })
const place = { id: '123456789012345679', type: 0, guild_id: '123456789012345670' }
const reader = { botId: '123456789012345672', botOfRole: () => null, nameOf: () => null, now: 2 }
const slackEvent = (text: string) => ({
  type: 'message',
  channel: 'C1',
  user: 'U1',
  ts: '1.1',
  text,
})

const intake = createIntake({
  inbox: {
    knows: async () => null,
    accept: async (event) => ({
      kind: 'accepted',
      entry: { version: 1, id: 'e_1', messageId: 'm_1', event },
      conversationId: 'c_1',
    }),
  },
  rates: { take: async () => true },
  messagesPerMinute: 0,
  wakeups: { wake: async () => {} },
  log: silent,
  access: { users: [], channels: [], outsiders: [] },
  defaults: { locale: 'en', timeZone: 'UTC' },
})

const command = { name: 'todo', aliases: ['待办'] }
const rendering = { locale: 'en', mayLink: none }

/** Says a text to every command that has a grammar of its own, and as a command itself. */
async function asCommand(text: string): Promise<void> {
  const scopeOf = scopeBy('channel')
  const schedules = {
    schedules: createFakeSchedules(),
    runs: { state: async () => null },
    allowable: ['todo'],
    ways: runStrategies,
  }
  const { parse } = createCommands([
    commandFrom(todoTable, { todos: createFakeTodos(), scopeOf }),
    commandFrom(scheduleTable, { ...schedules, scopeOf }),
  ])
  for (const opening of [
    '/',
    '/todo add ',
    '/schedule add tomorrow 9am ',
    '/schedule ',
    'todo ',
    '',
  ])
    await parse(opening + text, { addressed: true })?.run(contextOf())
}

/** Every place where a text of people, models or others is read or shown. */
const calls: Record<string, (text: string) => unknown> = {
  'the intake': (text) => intake(message(text)),
  ...Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      `the turn: ${name}`,
      async (text: string) => {
        for (const turn of turns(text)) await handler.take(turn)
      },
    ]),
  ),
  'the turn: edit': async (text) => {
    const event: InboundEvent = { ...message(text), content: { kind: 'edited', key: 'k', text } }
    for (const turn of turns('before', event)) await editHandler(nothing).take(turn)
  },
  'a command': asCommand,
  'an order to stop': (text) => stopOrderIn(text, [text]),
  'an approval in words': consentIn,
  'a question back': asksBack,
  'a choice in words': (text) => choiceIn(['Lisbon', '2 seats', text], text),
  'a title': titleFrom,
  'the choice of a strategy': (text) =>
    chooseStrategy('auto', text, { strategy: text, reason: text }),

  'steps of a reply': stepsIn,
  'the end of a step': marksIn,
  'the beginning of another': goesOn,
  'a reply without marks': withoutMarks,
  'an object in a reply': objectInText,
  'an object in a block of a reply': (text) => objectInText(`\`\`\`json\n${text}\n\`\`\``),
  'a question of the model': readQuestion,
  'a plan of many items': (text) => {
    // A contract lets no blank item through.
    const list = text.split(/[^\S]|[.,;|>]/u).filter((item) => item.trim() !== '')
    const items = list.map((item) => ({ text: item, done: true }))
    return planChange(items, alignPlan(items, [...list, 'x'], []).items, null)
  },
  'an item of a plan': normalised,
  'a fence': (text) => cut(fence('person', { text }), 10_000),
  'what an approval shows': (text) => codeBlock(text, String),
  'a quiet report': (text) => isNothing(text) || plainGoal(text),
  'the line of a tool': (text) => bareLine(command, text),
  'an address': targetOf,
  'a text from the internet': (text) =>
    readableOf(
      { type: 'text/plain', body: Buffer.from(text) },
      {
        url: new URL('https://example.com/a'),
        documents: noDocuments,
        signal: AbortSignal.abort(),
      },
    ),

  'a message from Slack': (text) => readSlack(text, 'U0', () => null),
  'an event from Slack': (text) => MessageEvent.parse(slackEvent(text)),
  'a message from Discord': (text) => readDiscord(discordMessage(text), place, reader),
  'an edit from Discord': (text) => readEdit(discordMessage(text), place, reader),
  'a message from the page': (text) => {
    try {
      return addressing(textOf(text))
    } catch (error) {
      // A blank text is refused.
      return error
    }
  },
  'a report of a coding agent': (text) => readReport(text) ?? readTaskFile(text),
  'the output of a coding agent': (text) =>
    reportFile({
      end: { why: 'ended', exitCode: 0, output: text, ms: 1 },
      ...{ sessionId: 's', at: '2026-01-01', argv: [], changes: '', written: text },
    }),
  'the head of a skill': readHead,

  'a message on the page': (text) => renderMarkdown(text, all),
  'a thread on the page': (text) =>
    renderConversation({
      state: stateOf(text.slice(0, text.length / 2), null),
      ...{ runs: [], earlier: [], limit: 10, linkHosts: [], files: [] },
    }),
  'addresses of a text': (text) => [
    addressesIn(text),
    foundBy([{ input: text, result: text }], addressesKnown([{ role: 'user', text }])),
  ],
  'a message in Slack': (text) =>
    slack.renderParts({ kind: 'message', messageId: 'm_2', runId: null, text }, rendering),
  'a message in Slack without blocks': (text) => slack.renderPlain([{ text, blocks: [] }]),
  'a question in Slack': (text) =>
    slack.renderParts(
      { kind: 'question', runId: 'r_1', question: question(text, [text, 'b']) },
      rendering,
    ),
  'an answer in Slack': (text) => slack.renderAnswered(answered(text), rendering),
  'a line in Slack': lineInMrkdwn,
  'a plan in Slack': (text) => slackPlan(progress(text), 'en'),
  'a message in Discord': (text) => discord.renderText(text, 'en', none),
  'a question in Discord': (text) =>
    discord.renderQuestion(question(text, [text, 'b']), {
      locale: 'en',
      mention: null,
      mayLink: none,
    }),
  'an answer in Discord': (text) => discord.renderAnswered(answered(text), 'en', none),
  'a form in Discord': (text) => discord.renderModal(question(text, []), texts('en')),
  'a plan in Discord': (text) => discordPlan(progress(text), 'en'),
  "a thread's name in Discord": discord.threadName,
}

/** @param givenTo the texts for a call, by its place among them. */
async function slowCalls(givenTo: (place: number) => readonly string[]): Promise<string[]> {
  const slow: string[] = []
  for (const [place, [name, call]] of Object.entries(calls).entries())
    for (const text of givenTo(place)) {
      const time = await timeOf(() => call(text), most)
      if (time > most)
        slow.push(`${name}: ${Math.round(time)} ms for ${JSON.stringify(text.slice(0, 20))}…`)
    }
  return slow
}

describe('a text of 40,000 characters', () => {
  it('keeps nobody waiting, whatever it repeats (S11)', async () => {
    // Every call has every unit, alone or between others by turns; the soak has both.
    const inTurn = (place: number) =>
      repeated.filter((_, at) => runs() > 50 || (at >> 1) % 2 === (at + place) % 2)
    expect(await slowCalls((place) => [...built, ...inTurn(place)])).toEqual([])
  })

  it('keeps nobody waiting, whatever it mixes (S11)', async () => {
    await fc.assert(
      fc.asyncProperty(mixtures, async (mixture) => {
        expect(await slowCalls(() => [filled(mixture)])).toEqual([])
      }),
      { numRuns: runs(0.1) },
    )
  })
})
