import { describe, expect, it } from 'vitest'
import { lastOf } from '../../../src/adapters/web/page/calendar-entries.ts'
import { hashOf, type Route, routeOf, routeTo } from '../../../src/adapters/web/page/route.ts'
import { timelineOf } from '../../../src/adapters/web/page/timeline.ts'
import type {
  ConversationView,
  MessageView,
  QuestionView,
  RunView,
} from '../../../src/adapters/web/views.ts'

const ana = { id: 'ana', name: 'Ana' }
const minute = 60_000

const said = (id: string, at: number, more: Partial<MessageView> = {}): MessageView => ({
  id,
  role: 'user',
  author: ana,
  text: id,
  html: `<p>${id}</p>`,
  offers: [],
  files: [],
  at,
  editedAt: null,
  outcome: null,
  runId: null,
  questionId: null,
  ...more,
})
const answer = (id: string, at: number, more: Partial<MessageView> = {}): MessageView =>
  said(id, at, { role: 'assistant', author: null, ...more })
const question: QuestionView = {
  id: 'q',
  text: 'Which city?',
  choices: ['Lisbon'],
  html: '',
  askedAt: 5,
  askedOf: null,
  approval: false,
  mine: true,
  input: null,
  runId: 'r',
}
const run = (id: string, createdAt: number): RunView => ({
  id,
  type: 'agent_task',
  title: id,
  status: 'running',
  conversationId: 'c',
  parentRunId: null,
  createdAt,
  startedAt: null,
  endedAt: null,
  error: null,
  result: null,
  requestedBy: ana,
})
const view = (more: Partial<ConversationView>): ConversationView => ({
  id: 'c',
  title: 'A thread',
  link: null,
  ...{ unread: false, pinned: false, archived: false },
  readAt: null,
  messages: [],
  more: false,
  plan: null,
  question: null,
  answered: [],
  run: null,
  runs: [],
  files: [],
  ...more,
})
const keys = (given: ConversationView): string[] =>
  timelineOf(given, [], (a, b) => Math.floor(a / 1e8) === Math.floor(b / 1e8))
    .filter(({ kind }) => kind !== 'day')
    .map(({ key }) => key)

describe('the timeline of a thread', () => {
  it('asks for an opinion below the report of a run that ended by itself, and below nothing else (C147)', () => {
    const ended = (id: string, status: RunView['status']): RunView => ({ ...run(id, 1), status })
    const messages = ['r', 's', 't', 'u'].flatMap((runId) => [
      answer(`${runId}1`, 2, { runId }),
      answer(`${runId}2`, 3, { runId }),
    ])
    const given = [
      ended('r', 'succeeded'),
      ended('s', 'failed'),
      ended('t', 'canceled'),
      ended('u', 'running'),
    ]
    const entries = timelineOf(view({ messages, runs: given }), [], () => true)
    const reports = entries.flatMap((one) =>
      one.kind === 'message' && one.report !== null ? [one.key, one.report] : [],
    )
    expect(reports).toEqual(['r2', 'r', 's2', 's'])
  })

  it('puts what happened in one instant in the order in which it makes sense', () => {
    const messages = [said('asked', 10), answer('started', 10), answer('done', 20)]
    expect(keys(view({ messages, runs: [run('r', 10)] }))).toEqual([
      'asked',
      'r',
      'started',
      'done',
    ])
  })

  it('shows a question once, on its card, open or answered', () => {
    const messages = [said('asked', 1), answer('question line', 5, { questionId: 'q' })]
    expect(keys(view({ messages, question }))).toEqual(['asked', 'q'])
    const answered = [{ ...question, answer: 'Lisbon', edited: null, author: ana, at: 6 }]
    expect(keys(view({ messages, answered }))).toEqual(['asked', 'q'])
  })

  it('shows an open question whose message is too old to be listed', () => {
    expect(keys(view({ messages: [said('later', 9)], question, more: true }))).toContain('q')
  })

  it('leaves a clicked choice to the card, and keeps an answer in own words', () => {
    const outcome = { kind: 'answer' as const, questionId: 'q' }
    const of = (text: string) => ({
      messages: [said(text, 6, { outcome })],
      answered: [{ ...question, answer: text, edited: null, author: ana, at: 6 }],
    })
    expect(keys(view(of('Lisbon')))).toEqual([])
    expect(keys(view(of('Somewhere warm')))).toEqual(['Somewhere warm'])
  })

  it('names a person again only after a while or after somebody else', () => {
    const messages = [
      said('a', 0),
      said('b', minute),
      answer('c', 2 * minute),
      said('d', 3 * minute),
      said('e', 9 * minute),
    ]
    const entries = timelineOf(view({ messages }), [], () => true)
    const follows = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.follows] : []))
    expect(follows).toEqual([false, true, false, false, false])
  })

  it('begins every day with its name', () => {
    const messages = [said('a', 1), said('b', 2), said('c', 2e8)]
    const kinds = timelineOf(
      view({ messages }),
      [],
      (a, b) => Math.floor(a / 1e8) === Math.floor(b / 1e8),
    )
    expect(kinds.map(({ kind }) => kind)).toEqual(['day', 'message', 'message', 'day', 'message'])
  })
})

describe('the address of the page', () => {
  it.each<[string, Route]>([
    ['#/', { view: 'list' }],
    ['#/new', { view: 'new' }],
    ['#/t/c_0123', { view: 'thread', id: 'c_0123' }],
  ])('says what is shown: %s', (hash, route) => {
    expect(routeOf(hash)).toEqual(route)
    expect(hashOf(route)).toBe(hash)
  })

  it('names the workspace of a thread that is not the page’s own (C190)', () => {
    const route = { view: 'thread' as const, id: 'c_1', workspace: 'slack:T1' }
    expect(routeOf(hashOf(route))).toEqual(route)
  })

  it('names a message of a thread (C206)', () => {
    for (const route of [routeTo('slack:T1', 'c_1', 'm_2'), routeTo('web:local', 'c_1', 'm_2')])
      expect(routeOf(hashOf(route))).toEqual(route)
    expect(hashOf(routeTo('web:local', 'c_1', 'm_2'))).toBe('#/t/c_1/m_2')
  })

  it.each(['', '#', '#/t/', '#/t/<script>', '#/t/../x', '#main'])(
    'shows the list for anything else: %s',
    (hash) => {
      expect(routeOf(hash)).toEqual({ view: 'list' })
    },
  )
})

it('the calendar names no last time of more than are counted (C223, C237)', () => {
  const day = { until: Date.UTC(2026, 10, 24, 0, 24) }
  const show = (at: number) => new Date(at).toISOString().slice(11, 16)
  expect(lastOf({ ...day, count: 25 }, show)).toBe('00:24')
  expect(lastOf({ ...day, count: null }, show)).toBe('…')
})
