import { writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type {
  ConversationLine,
  ConversationView,
  MessageView,
} from '../../src/adapters/web/views.ts'
import type { Slot } from '../../src/agent/domain/schedule.ts'
import type { Store } from '../../src/agent/ports/store.ts'
import { createCodingAgent, mendsAndNames } from '../fakes/coding-agent.ts'
import { type Api, createApi } from './api.ts'
import type { Host } from './host.ts'
import { codingFolder, gateFile } from './instance.ts'
import type { Gate } from './model.ts'
import { openTab, type Tab } from './tab.ts'

/** Where a story is looked at from outside. */
export interface World {
  folder: string
  rows: Store
  /** What waits to be done. */
  leftovers(): Promise<string[]>
  /** The id of the last event that there is. */
  newest(): Promise<string>
}

/** What people did and saw in one story, to be judged by `history.ts`. */
export interface Told {
  /** The threads of the offsite, of a schedule, the one that its run opened, of everything else, and of the mission. */
  conversations: { offsite: string; schedule: string; report: string; other: string; code: string }
  /** What became of the schedule's slots. */
  slots: string[]
  /** What the coding agent was given, in order. */
  tasks: readonly string[]
  tab: Tab
  /** Messages that were acknowledged, by id. */
  accepted: string[]
}

const ana = { id: 'ana', name: 'Ana' }
const ben = { id: 'ben', name: 'Ben' }
const patienceMs = 120_000

/**
 * Plays the people of four threads and a coding agent, one step after the other, each step when the thread has come far
 * enough. Whatever happens to Clew meanwhile, they do the same.
 */
export async function playStory(host: Host, world: World): Promise<Told> {
  const tab = openTab(host)
  try {
    const people = createPeople(host, tab, world)
    const [offsite, scheduled, other, code] = await Promise.all([
      offsiteThread(people),
      scheduleThread(people),
      otherThread(people),
      codeThread(people, world.folder),
    ])
    await people.lookAround(offsite)
    await host.bounce()
    await people.quiet()
    const { schedule, report, slots } = scheduled
    const { id, tasks } = code
    const conversations = { offsite, schedule, report, other, code: id }
    return { conversations, slots, tasks, tab, accepted: people.accepted }
  } catch (error) {
    await tab.close()
    throw error
  }
}

/** Decision, plan, to-do, a message while it works, a question, its answer by two people at once, a booking, the report. */
async function offsiteThread(people: People): Promise<string> {
  await people.api.get('/healthz')
  const opened = await people.api.post('/api/conversations', {})
  const id = String(opened.body.id)
  await people.api.get('/api/conversations')

  await people.say(id, 'Organise the offsite in Lisbon or Porto', ana, 'started')
  await people.say(id, 'Keep it cheap, please', ben, 'joined')
  people.unlock('joined')
  const asked = await people.until(id, (view) => view.question?.text.includes('Which city?'))
  await people.say(id, '/todo add Buy stamps --tag post', ana, 'command')
  await people.say(id, '/todo update 2 Buy two stamps', ana, 'command')
  await people.overhear(id, '@ben are you there?')
  const question = asked.question?.id ?? ''
  await people.answerAtOnce(question, 'Lisbon', [ana, ben])
  await people.until(
    id,
    (view) => view.run?.status === 'succeeded',
    (view) => people.reassure(view),
  )
  await people.say(id, '/todo delete 2', ana, 'command')
  await people.say(id, '/todo list', ana, 'command')
  await people.answerLate(id, question)
  await people.say(id, 'Thank you! And who was there?', ana, 'answered')
  return id
}

/** A schedule whose run, started by hand, opens a thread of its own; in the end it is deleted. */
async function scheduleThread(
  people: People,
): Promise<{ schedule: string; report: string; slots: string[] }> {
  const schedule = await people.open('/schedule add 2099-01-01 09:00 Look back', 'command')
  await people.say(schedule, '/schedule run 1', ana, 'command')
  const report = await people.opened('Look back · ')
  const { slots } = (await people.api.get('/api/schedules/1/slots')).body as { slots: Slot[] }
  await people.say(schedule, '/schedule delete 1', ana, 'command')
  return { schedule, report, slots: slots.map(({ outcome, reason }) => `${outcome} ${reason}`) }
}

/** A pause at a ceiling and its continue, a sleep, a cancel by click and the retry of what was canceled. */
async function otherThread(people: People): Promise<string> {
  const id = await people.open('Grind through it', 'started')
  const paused = await people.until(id, (view) => view.run?.status === 'paused')
  await people.press(paused.run?.id ?? '', 'continue')
  await people.until(id, (view) => view.run?.status === 'succeeded')

  await people.say(id, 'Wait a moment', ana, 'started')
  await people.until(id, (view) =>
    view.runs.some((run) => run.type === 'sleep' && run.status === 'succeeded'),
  )

  await people.say(id, 'Dig a hole', ana, 'started')
  const digging = await people.until(
    id,
    (view) => view.run?.title === 'Dig' && view.run.status === 'running',
  )
  await people.press(digging.run?.id ?? '', 'cancel')
  await people.until(id, (view) => view.run?.status === 'canceled')
  people.unlock('canceled')
  await people.press(digging.run?.id ?? '', 'retry')
  await people.until(
    id,
    (view) => view.run?.parentRunId !== null && view.run?.status === 'succeeded',
  )
  return id
}

/** A mission: a step that is mended at the second attempt, one whose agent asks for a name, and its end. */
async function codeThread(
  people: People,
  folder: string,
): Promise<{ id: string; tasks: string[] }> {
  const agent = createCodingAgent(codingFolder(folder))
  const working = setInterval(() => agent.work(mendsAndNames), 10)
  try {
    const opened = await people.api.post('/api/conversations', {})
    const id = String(opened.body.id)
    await people.say(id, 'Code it', ana, 'started')
    await people.until(id, (view) => view.question?.text.includes('Which name?'))
    await people.say(id, 'adder', ana, 'answer')
    await people.until(id, (view) => view.run?.status === 'succeeded')
    // The agent is told of the end after the people are.
    const end = Date.now() + patienceMs
    while (!agent.taken.some(({ command }) => command === 'end')) {
      if (Date.now() > end) throw new Error('the coding agent was not told of the end')
      await wait(20)
    }
    return { id, tasks: agent.taken.map(({ command, sessionId }) => `${command} ${sessionId}`) }
  } finally {
    clearInterval(working)
  }
}

type People = ReturnType<typeof createPeople>
type Person = typeof ana
type Outcome = NonNullable<MessageView['outcome']>['kind']

function createPeople(host: Host, tab: Tab, world: World) {
  const { folder, rows } = world
  const api: Api = createApi(host)
  const accepted: string[] = []
  const reassured = new Set<string>()

  /** Looks at a thread whenever something happens, until it is as it should be. */
  async function until(
    id: string,
    holds: (view: ConversationView) => boolean | undefined,
    meanwhile: (view: ConversationView) => Promise<void> = async () => {},
  ): Promise<ConversationView> {
    const end = Date.now() + patienceMs
    for (;;) {
      const happened = tab.next(250)
      const view = await api.conversation(id)
      if (holds(view)) return view
      await meanwhile(view)
      // Several things that happen at once are looked at once.
      await wait(10)
      if (Date.now() > end)
        throw new Error(`the thread does not come to: ${holds} — ${JSON.stringify(brief(view))}`)
      await happened
    }
  }
  const outcomeOf = (view: ConversationView, messageId: string) =>
    view.messages.find((message) => message.id === messageId)?.outcome?.kind

  async function taken(id: string, messageId: string, outcome: Outcome) {
    accepted.push(messageId)
    const view = await until(id, (seen) => outcomeOf(seen, messageId) !== undefined)
    const became = outcomeOf(view, messageId)
    if (became !== outcome)
      throw new Error(
        `${messageId} became ${became}, not ${outcome}: ${JSON.stringify(brief(view))}`,
      )
  }

  return {
    api,
    accepted,
    until,
    /** Says something in a thread of its own. */
    async open(text: string, outcome: Outcome): Promise<string> {
      const { body } = await api.post('/api/conversations', {
        text,
        clientMessageId: text,
        author: ana,
      })
      const id = String(body.id)
      await taken(id, String(body.messageId), outcome)
      return id
    },
    /** The thread that Clew opens under a title that begins so; the day stands behind it. */
    async opened(title: string): Promise<string> {
      for (const end = Date.now() + patienceMs; Date.now() < end; ) {
        const happened = tab.next(250)
        const { conversations } = (await api.get('/api/conversations')).body as {
          conversations: ConversationLine[]
        }
        const found = conversations.find((line) => line.title.startsWith(title))
        if (found !== undefined) return found.id
        await happened
      }
      throw new Error(`no thread comes under the title ${title}`)
    },
    /** Says something and waits until it is seen what became of it. */
    async say(id: string, text: string, author: Person, outcome: Outcome) {
      const { body } = await api.post(`/api/conversations/${id}/messages`, {
        text,
        clientMessageId: text,
        author,
      })
      await taken(id, String(body.messageId), outcome)
    },
    /** Something said in the thread to somebody else, as platforms hand over what does not mention Clew. */
    async overhear(id: string, text: string) {
      const { conversation, event } = await this.eventIn(id)
      const overheard = {
        ...event,
        keys: [`overheard:${id}`],
        content: { kind: 'message' as const, text, addressed: false, forSomeoneElse: true },
      }
      const taken = await persist(() => host.intake(overheard))
      if (taken.kind === 'ignored' || taken.messageId === null)
        throw new Error(`intake ignored it: ${JSON.stringify(taken)}`)
      const { messageId } = taken
      // It is kept as something overheard (C71), no longer as something said.
      await until(conversation, (view) => view.messages.every((one) => one.id !== messageId))
    },
    /** What an adapter makes of something in a thread; the thread is found as the web adapter names it. */
    async eventIn(id: string) {
      const thread = await threadOf(id)
      return {
        conversation: id,
        event: {
          workspace: 'web:local',
          channel: 'web',
          thread,
          author: { ...ana, bot: false },
          whose: { way: 'typed' as const, by: 'member' as const },
          at: Date.now(),
        },
      }
    },
    async answerAtOnce(question: string, choice: string, authors: readonly Person[]) {
      const answers = await Promise.all(
        authors.map((author) => api.post(`/api/questions/${question}/answer`, { choice, author })),
      )
      for (const { status, body } of answers)
        if (status !== 202 && status !== 409)
          throw new Error(`an answer got ${status}: ${JSON.stringify(body)}`)
    },
    /** A click that comes after the answer, as from a tab that did not know of it. */
    async answerLate(id: string, question: string) {
      const { status } = await api.post(`/api/questions/${question}/answer`, {
        choice: 'Porto',
        author: ben,
      })
      if (status !== 409) throw new Error(`a late answer got ${status}`)
      const { event } = await this.eventIn(id)
      const content = { kind: 'answer' as const, questionId: question, text: 'Porto' }
      await persist(() => host.intake({ ...event, keys: [`late:${question}`], content }))
    },
    /** An unkeyed call that a crash cut off is asked about; somebody looked, and it worked. */
    async reassure(view: ConversationView) {
      const { question } = view
      if (question === null || question.text.includes('Which city?') || reassured.has(question.id))
        return
      if (!question.text.includes('interrupted'))
        throw new Error(`an unexpected question: ${question.text}`)
      reassured.add(question.id)
      await api.post(`/api/questions/${question.id}/answer`, {
        choice: question.choices[0] ?? '',
        author: ana,
      })
    },
    async press(run: string, action: 'cancel' | 'continue' | 'retry') {
      const { status, again, body } = await api.post(`/api/runs/${run}/${action}`, { author: ana })
      if (status !== 202 && !(again && status === 409))
        throw new Error(`${action} got ${status}: ${JSON.stringify(body)}`)
    },
    unlock: (gate: Gate) => writeFileSync(gateFile(folder, gate), ''),
    /** What else the page asks for. */
    async lookAround(id: string) {
      const { runs } = (await api.get('/api/runs')).body as { runs: { id: string }[] }
      await api.get(`/api/runs/${runs[0]?.id}/trace`)
      await api.post(`/api/conversations/${id}/read`)
      await api.get('/healthz')
    },
    /** Waits until nothing is left to be done and the page has seen it all. */
    async quiet() {
      const end = Date.now() + patienceMs
      for (let left = await world.leftovers(); left.length > 0; left = await world.leftovers()) {
        if (Date.now() > end) throw new Error(`this stays undone: ${left.join(', ')}`)
        await tab.next(20)
      }
      for (
        let newest = await world.newest();
        tab.last() !== newest;
        newest = await world.newest()
      ) {
        if (Date.now() > end) throw new Error(`the page has seen ${tab.last()} of ${newest}`)
        await tab.next(20)
      }
    },
  }

  async function threadOf(id: string): Promise<string> {
    const state = await rows.conversations.state('web:local', id, 0)
    return state?.conversation.address.thread ?? ''
  }
}

async function persist<T>(work: () => Promise<T>): Promise<T> {
  const end = Date.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

const brief = (view: ConversationView) => ({
  run: view.run && { title: view.run.title, status: view.run.status, error: view.run.error },
  question: view.question?.text,
  messages: view.messages.map(({ role, text, outcome }) => [role, text, outcome?.kind]),
})
