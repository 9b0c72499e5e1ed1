import type { Context } from 'hono'
import type { CommandContext } from '../../../agent/commands/command.ts'
import { decideFact, decisions, type FactName, keepFact, type MemoryDeps } from '../../../agent/commands/memory.ts'
import { addForm, factName, memoryTable } from '../../../agent/commands/memory-table.ts'
import type { Fact, MemoryEvent, MemoryScope, Proposal } from '../../../agent/domain/fact.ts'
import { asOf, ownerOf, threadOf } from '../../../agent/domain/memory.ts'
import { memoryHere, memoryName } from '../../../agent/recall.ts'
import { MemoryBody, MemoryPress } from '../bodies.ts'
import type { App, Web } from '../context.ts'
import { webWorkspace } from '../deps.ts'
import { describedBody, describedRoute } from '../described-route.ts'
import { memory as fact, object, text as string } from '../openapi.ts'
import { refuse } from '../problems.ts'
import { contextFor, understood, unreadable, type WorkFields } from './command-context.ts'

/** Something remembered, or proposed, as the API answers it. */
export interface MemoryView {
  /** `thread-3`; a thread's own names count within it. */
  name: string
  scope: MemoryScope
  /** Of the scope `thread`: which one, and what it is called. */
  conversationId: string | null
  thread: string | null
  key: string | null
  text: string
  status: Fact['status'] | Proposal['status']
  revision: number
  /** When it was proposed or last changed. */
  at: number
  expiresAt: number | null
  /** The thread in which it was said, where it can be looked up. */
  sourceId: string | null
  by: string | null
}

/** What is remembered, over the API: the grammar of `/memory`, and every fact that whoever asks may see and take back. */
export function addMemoryRoutes(app: App, web: Web, memory: MemoryDeps): void {
  const { reach } = web
  const { memories } = memory
  const { conversations } = web.deps.store

  async function placed(
    c: Context,
    body: WorkFields & { conversationId?: string | undefined },
  ): Promise<CommandContext> {
    const { conversationId = '' } = body
    const known =
      conversationId === '' || (await reach(() => conversations.state(webWorkspace, conversationId, 0))) !== null
    if (!known) refuse({ code: 'unknown_conversation' })
    return { ...contextFor(web, c, body), conversationId }
  }

  /** The memory of this person, the channel, the workspace and of every thread: the page shows all threads to everyone. */
  async function views(context: CommandContext): Promise<MemoryView[]> {
    const here = await memoryHere(memories, context)
    const threads = (await memories.owners(webWorkspace)).flatMap((owner) => threadOf(owner) ?? [])
    const [read, states] = await Promise.all([
      memories.read(
        webWorkspace,
        threads.flatMap((id) => ownerOf('thread', { ...context, conversationId: id }) ?? []),
      ),
      Promise.all(threads.map((id) => conversations.state(webWorkspace, id, 0))),
    ])
    const shown = [
      ...here.map((one) => ({ memory: one.memory, thread: null })),
      ...read.map((one, index) => ({
        memory: one,
        thread: { id: threads[index] ?? '', title: states[index]?.conversation.title ?? '' },
      })),
    ]
    return shown.flatMap(({ memory: { facts, proposals }, thread }) => {
      const where = { conversationId: thread?.id ?? null, thread: thread?.title ?? null }
      return [
        ...proposals
          .filter((one) => asOf(one, context.now).status === 'pending')
          .map((one) => ({ ...viewOfProposal(one), ...where })),
        ...facts.map((one) => ({ ...viewOfFact(one), ...where })),
      ]
    })
  }

  describedRoute(
    app,
    'get',
    '/api/memory',
    {
      summary: 'What is remembered and proposed: of this person, the channel, the team and every thread',
      query: ['author'],
      answers: { 200: object({ memory: { type: 'array', items: fact } }) },
    },
    async (c) => {
      const context = contextFor(web, c, {})
      return c.json({ memory: await reach(() => views(context)) })
    },
  )

  describedBody(
    app,
    'post',
    '/api/memory',
    {
      body: MemoryBody,
      summary: 'Remembers something',
      answers: { 201: object({ text: string }) },
      refusals: [400, 404, 413, 415],
    },
    async (c, body) => {
      const context = await placed(c, body)
      const asked = understood(memoryTable, addForm, body.text, context)
      const result = await reach(() => keepFact('add', asked, context, memory))
      return result.ok ? c.json({ text: result.text }, 201) : refuse({ code: 'unreadable', text: result.text })
    },
  )

  describedRoute(
    app,
    'get',
    '/api/memory/:name/history',
    {
      summary: 'What happened to it, newest first',
      query: ['conversation', 'author'],
      answers: { 200: object({ events: { type: 'array', items: { type: 'object' } } }) },
      refusals: [400, 404],
    },
    async (c) => {
      const conversationId = c.req.query('conversation')
      const context = await placed(c, conversationId === undefined ? {} : { conversationId })
      const named = nameIn(c, context)
      const owner = ownerOf(named.scope, context)
      if (owner === null) return refuse({ code: 'unknown_memory' })
      const events = await reach(() => memories.history(webWorkspace, owner, 1_000))
      const own: MemoryEvent[] = events.filter(({ id, factId }) => id === named.id || factId === named.id)
      return own.length === 0 ? refuse({ code: 'unknown_memory' }) : c.json({ events: own })
    },
  )

  for (const verb of decisions) {
    const operation = {
      summary: `What \`/memory ${verb}\` does`,
      body: MemoryPress,
      answers: { 200: object({ text: string }) },
      refusals: [400, 404, 415],
    }
    describedBody(app, 'post', `/api/memory/:name/${verb}`, operation, async (c, body) => {
      const context = await placed(c, body)
      const result = await reach(() => decideFact(verb, nameIn(c, context), context, memory))
      return result.ok ? c.json({ text: result.text }) : refuse({ code: 'unreadable', text: result.text })
    })
  }
}

/** What the path names, as `thread-3`. */
function nameIn(c: Context, context: CommandContext): FactName {
  const typed = c.req.param('name') ?? ''
  return (
    factName.read(typed, context) ??
    unreadable(memoryTable, 'bad_name', typed, context, { name: 'show', example: () => 'thread-1' })
  )
}

type Viewed = Omit<MemoryView, 'conversationId' | 'thread'>

const sourceIdOf = ({ source }: Pick<Fact, 'source'>): string | null =>
  source.kind === 'person' ? null : source.conversationId

function viewOfFact(fact: Fact): Viewed {
  const { scope, key, text, status, revision, updatedAt, acceptedBy } = fact
  const own = { name: memoryName(fact), scope, key, text, status, revision }
  return { ...own, at: updatedAt, expiresAt: null, sourceId: sourceIdOf(fact), by: acceptedBy?.name ?? null }
}

function viewOfProposal(proposal: Proposal): Viewed {
  const { scope, key, text, status, proposedAt, expiresAt } = proposal
  const own = { name: memoryName(proposal), scope, key, text, status, revision: 0 }
  return { ...own, at: proposedAt, expiresAt, sourceId: sourceIdOf(proposal), by: null }
}
