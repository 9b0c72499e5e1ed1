import type { TeamWords } from '../contracts/input.ts'
import type { Usage } from '../domain/budget.ts'
import { personMessage } from '../domain/message.ts'
import type { Question } from '../domain/question.ts'
import { hasEnded, type Run } from '../domain/run.ts'
import type { RunInput } from '../domain/run-input.ts'
import type { Task } from '../domain/task.ts'
import type { UsageLimits } from '../domain/usage.ts'
import { type DriveDeps, lookedUp, type Session } from '../drive/session.ts'
import { driveTask } from '../drive/task-loop.ts'
import type { ChangePart } from '../kernel/change.ts'
import type { Work } from '../kernel/verb.ts'
import type { Clock } from '../ports/clock.ts'
import type { Model } from '../ports/model.ts'
import type { Tool } from '../ports/tool.ts'
import { nowhere, outside } from '../recording/player.ts'
import type { KeptTest } from './kept-test.ts'

export interface AgainDeps {
  model: Model
  clock: Clock
  /** The team's words; none where it is left out. */
  team?: (() => TeamWords) | undefined
}

export interface Again {
  run: Run
  task: Task | null
  /** Names of the tools that were called. */
  called: string[]
  /** Calls for which the test holds no answer. */
  unknownCalls: number
}

/** Waits for a model that does not answer, and questions beyond those that were kept. */
const most = { waits: 3, questions: 10 }

/**
 * Does the work of a kept test by the loop itself, in memory: its tools and its people answer from
 * the test.
 */
export async function runAgain(test: KeptTest, given: AgainDeps): Promise<Again> {
  const kept = toolsOf(test)
  const deps = depsFor(test, given, kept.get)
  const { session, asked } = sessionIn(test, deps)
  const people = peopleOf(test)
  let waits = 0
  let isNew = true
  while (!hasEnded(session.run.status)) {
    const idle = await driveTask(session, nowhere<Work>(), isNew)
    isNew = false
    const question = asked()
    if (question !== null && people.mayAnswer()) {
      session.run = { ...session.run, status: 'running' }
      session.inputs.push(people.answerTo(question))
      continue
    }
    if (idle.kind !== 'wakeAt' || waits++ >= most.waits || question !== null) break
    await given.clock.sleep(Math.max(0, idle.at - deps.clock.now()))
  }
  const { run, task } = session
  return { run, task, called: kept.called, unknownCalls: kept.unknown() }
}

const nothing = { tokens: null, cost: null }
const unlimited: UsageLimits = {
  day: { person: nothing, channel: nothing, team: nothing },
  month: { person: nothing, channel: nothing, team: nothing },
  timeZone: 'UTC',
  currency: 'USD',
}

/** Time in which no tool and no question ends by itself: they answer at once. */
const longMs = 24 * 60 * 60 * 1_000

function depsFor(test: KeptTest, given: AgainDeps, get: (name: string) => Tool | null): DriveDeps {
  const { limits, surroundings, tools, run } = test
  const { locale, timeZone, threadTokens, place, installation } = surroundings
  const settings = {
    defaults: { locale, timeZone },
    followUp: 0,
    installation,
    interrupt: false,
    planFirst: false,
    admins: [],
    limits,
    onPause: 'ask' as const,
    reminder: { afterMs: 0, hours: { fromHour: 0, toHour: 24, days: [] } },
    strategy: 'auto' as const,
    threadTokens,
    toolTimeoutMs: longMs,
    unattendedQuestionMs: longMs,
    usage: unlimited,
    whoMayAnswer: 'anyone' as const,
  }
  const { model, team } = given
  const kept = { settings, model, coding: undefined, library: undefined, hasTeam: false }
  const begun = given.clock.now()
  const ports = outside({ ...kept, layout: 'shared' })
  return {
    ...ports,
    team,
    model,
    clock: { ...given.clock, now: () => run.createdAt + given.clock.now() - begun },
    toolbox: {
      cards: () => tools.map(({ card }) => card),
      names: () => tools.map(({ card }) => card.name),
      get,
      hides: () => false,
    },
    recall: async () => [],
    placeOf: async () => place ?? { platform: '', channel: null, thread: run.title },
    timesIn: () => 'named',
    store: {
      ...ports.store,
      runs: {
        ...ports.store.runs,
        list: async () => [],
        trace: async () => [],
        spent: async () => [],
      },
      conversations: { ...ports.store.conversations, state: async () => null },
      approvals: { ...ports.store.approvals, list: async () => [] },
    },
  }
}

/** Session of a run that is nowhere but in memory; `asked` takes its open question. */
function sessionIn({ run, surroundings, answers }: KeptTest, deps: DriveDeps) {
  const { locale, timeZone, overheard } = surroundings
  const address = { workspace: run.workspace, channel: run.channel, thread: null }
  const goal = String(run.input.goal ?? run.title)
  let open: Question | null = null
  function take(change: ChangePart) {
    for (const { id, patch } of change.runs ?? [])
      if (id === session.run.id) session.run = { ...session.run, ...patch }
    if (change.task !== undefined) session.task = change.task.after
    session.inputs = session.inputs.slice(change.consume ?? 0)
    open = change.ask ?? open
  }
  const session: Session = {
    deps,
    signal: new AbortController().signal,
    run,
    task: null,
    isUnseen: true,
    inputs: answers.flatMap(({ question, text }, at): RunInput[] =>
      question === null
        ? [{ kind: 'joined', entryId: `e_joined_${at}`, text, author: authorOf(run) }]
        : [],
    ),
    heard: async () => session.inputs,
    async commit(change) {
      take(change)
      return 'committed'
    },
    thread: async () => null,
    surroundings: async () => ({ locale, timeZone, address, title: run.title }),
    overheard: async () => overheard,
    facts: async () => [],
    said: async () => [personMessage(run.requestId, authorOf(run), goal, run.createdAt)],
    lookUp: (call) => lookedUp(session, call),
    meter: { reached: async () => null, takes: async () => () => true },
    spent: (_: Usage) => ({}),
  }
  return {
    session,
    asked() {
      const question = open
      open = null
      return question
    },
  }
}

/**
 * The tools of a test: the same call has the same answer. One that acts and was not made then is
 * taken for done.
 */
function toolsOf({ tools, calls }: KeptTest) {
  const called: string[] = []
  const left = Map.groupBy(calls, ({ tool, input }) => keyOf(tool, input))
  let unknown = 0
  function answerTo(name: string, input: string, acts: boolean) {
    called.push(name)
    const same = left.get(keyOf(name, input)) ?? []
    // The last answer stays.
    const kept = same.length > 1 ? same.shift() : same[0]
    if (kept !== undefined) return { ok: kept.ok, text: kept.result }
    unknown += 1
    return acts
      ? { ok: true, text: 'done' }
      : { ok: false, text: 'nothing is known of this in a test: do with what is known' }
  }
  return {
    called,
    unknown: () => unknown,
    get(name: string): Tool | null {
      const found = tools.find(({ card }) => card.name === name)
      if (found === undefined) return null
      const { card, effect, approval } = found
      return {
        ...card,
        effect,
        approval,
        run: async (input) => answerTo(name, input, effect !== 'none'),
      }
    },
  }
}

const keyOf = (tool: string, input: string) =>
  `${tool} ${input.replace(/\s+/g, ' ').trim().toLowerCase()}`

const authorOf = ({ requestedBy }: Run) => requestedBy ?? { id: 'person-1', name: 'Person 1' }

/**
 * People of a test: they answer what they answered then, in its order; else with the first choice.
 */
function peopleOf({ answers, run }: KeptTest) {
  const left = answers.filter(({ question }) => question !== null).map(({ text }) => text)
  const author = authorOf(run)
  let given = 0
  return {
    mayAnswer: () => given < most.questions,
    answerTo(question: Question) {
      given += 1
      const [first] = question.choices
      const said = question.approval === true ? undefined : left.shift()
      const text = said ?? first ?? 'Decide that yourself.'
      return { kind: 'answer' as const, entryId: `e_test_${given}`, question, text, author }
    },
  }
}
