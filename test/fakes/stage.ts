import { conversationIdOf } from '../../src/agent/domain/conversation.ts'
import { deriveId } from '../../src/agent/domain/id.ts'
import { type Author, assistantMessage, type Outcome } from '../../src/agent/domain/message.ts'
import { type Question, questionIdOf } from '../../src/agent/domain/question.ts'
import type { Run, RunStatus } from '../../src/agent/domain/run.ts'
import type { StepTask } from '../../src/agent/domain/task.ts'
import type { TraceEvent } from '../../src/agent/domain/trace.ts'
import type { Change, Store } from '../../src/agent/ports/store.ts'
import { step } from '../../src/agent/strategies/step.ts'
import { limits } from '../support/limits.ts'

/**
 * Plays the core for one thread of the web channel: every call is one commit to a real store, as the core would write it.
 * For tests and demonstrations of what a channel shows, without a model or a worker.
 */
export function createStage(
  store: Store,
  place: { workspace: string; channel: string; thread: string },
) {
  const { workspace, channel, thread } = place
  const conversationId = conversationIdOf(workspace, channel, thread)
  const runId = deriveId('r', conversationId)
  let task: StepTask | null = null
  let commits = 0
  let asked = 0

  async function commit(kind: 'conversation' | 'run', change: Omit<Change, 'id'>): Promise<void> {
    const item = { kind, workspace, id: kind === 'run' ? runId : conversationId }
    const lease = await store.leases.claim(item, 60_000)
    if (lease === null) throw new Error(`${item.id} is not there or somebody works on it`)
    commits += 1
    const result = await store.commits.commit(lease, {
      ...change,
      conversationId,
      id: `${conversationId}:${commits}`,
    })
    if (result.kind !== 'committed') throw new Error(`the commit was ${result.kind}`)
    await store.leases.park(lease, 0)
  }

  return {
    conversationId,
    runId,

    /** A person says something; it is stored as intake stores it. */
    async hear(
      text: string,
      author: Author,
      at: number,
      outcome: Outcome | null = null,
    ): Promise<string> {
      const event = {
        workspace,
        channel,
        thread,
        keys: [`${thread}:${at}:${text.length}`],
        author: { ...author, bot: false },
        whose: { way: 'typed' as const, by: 'member' as const },
        at,
        content: { kind: 'message' as const, text, addressed: true, forSomeoneElse: false },
      }
      const { entry } = await store.inbox.accept(event, { locale: 'en', timeZone: 'UTC' })
      const messageId = entry.messageId ?? ''
      await commit('conversation', {
        at,
        consume: 1,
        ...(outcome && { outcomes: [{ messageId, outcome }] }),
      })
      return messageId
    },

    async say(text: string, at: number, purpose = `line:${at}`): Promise<void> {
      const message = assistantMessage({ kind: 'turn', refId: conversationId }, purpose, text, at)
      await commit('conversation', {
        at,
        messages: [message],
        conversation: { id: conversationId, patch: { updatedAt: at } },
      })
    },

    async begin(title: string, requestedBy: Author, at: number): Promise<void> {
      const run: Run = {
        version: 1,
        id: runId,
        workspace,
        conversationId,
        channel,
        type: 'agent_task',
        title,
        input: { goal: title },
        status: 'queued',
        requestedBy,
        requestId: runId,
        parentRunId: null,
        afterRunId: null,
        createdAt: at,
        startedAt: null,
        endedAt: null,
        error: null,
        result: null,
        attempts: 0,
      }
      const trace = [
        {
          of: runId,
          entry: {
            at,
            what: { kind: 'created', runId, type: run.type, parentRunId: null } as const,
          },
        },
      ]
      const conversation = { id: conversationId, patch: { foreground: runId } }
      await commit('conversation', { at, create: [run], trace, conversation })
    },

    /** The run moves on: its task and status, and what it says in the thread. */
    async move(
      at: number,
      patch: Partial<StepTask>,
      status: RunStatus,
      say: string | null = null,
      ...what: TraceEvent[]
    ) {
      const before = task
      const after: StepTask = { ...(task ?? step.start('', limits, false)), ...patch }
      task = after
      const ended = ['succeeded', 'failed', 'canceled'].includes(status)
      const line =
        say === null ? null : assistantMessage({ kind: 'run', refId: runId }, `line:${at}`, say, at)
      await commit('run', {
        at,
        task: { before, after },
        runs: [{ id: runId, patch: { status, startedAt: at, endedAt: ended ? at : null } }],
        messages: line === null ? [] : [line],
        conversation: { id: conversationId, patch: line === null ? {} : { updatedAt: at } },
        trace: what.map((one) => ({ of: runId, entry: { at, what: one } })),
      })
    },

    async ask(text: string, choices: string[], of: Author, at: number): Promise<Question> {
      asked += 1
      const question: Question = {
        version: 1,
        id: questionIdOf(runId, asked),
        runId,
        text,
        choices,
        askedAt: at,
        askedOf: of.id,
      }
      const message = assistantMessage(
        { kind: 'run', refId: runId },
        `question:${asked}`,
        text,
        at,
        question.id,
      )
      await commit('run', {
        at,
        ask: question,
        messages: [message],
        conversation: { id: conversationId, patch: { updatedAt: at } },
        trace: [{ of: runId, entry: { at, what: { kind: 'asked', questionId: question.id } } }],
      })
      return question
    },

    async answer(question: Question, answer: string, author: Author, at: number): Promise<void> {
      await commit('run', { at, answered: { question, answer, author, at } })
    },
  }
}
