import type { Context } from 'hono'
import { z } from 'zod'
import type { CommandContext, CommandResult } from '../../../agent/commands/command.ts'
import { anyFrame, type Frame } from '../../../agent/commands/grammar.ts'
import {
  type Decision,
  decideFact,
  decisionCommand,
  decisions,
  editFact,
  type FactName,
  keepFact,
  showFact,
} from '../../../agent/commands/memory.ts'
import { addForm, factName, memoryTable } from '../../../agent/commands/memory-table.ts'
import { type Fact, MemoryEvent, type Proposal } from '../../../agent/domain/fact.ts'
import { asOf, type Memory, ownerOf, threadOf } from '../../../agent/domain/memory.ts'
import { memoryHere, memoryName } from '../../../agent/recall.ts'
import { MemoryBody, MemoryPress, type WorkFields } from '../bodies.ts'
import { addressOf, takeRefusals, type Web } from '../context.ts'
import { conversationIn, sees, workspaceIn } from '../permissions.ts'
import { refuse } from '../problems.ts'
import { forMembers, type Route } from '../route.ts'
import { MemoryView } from '../views.ts'
import { contextFor, understood, unreadable } from './command-context.ts'

const { route, bodyRoute } = forMembers
const TextAnswer = z.object({ text: z.string() })

/**
 * Memory over the API: the grammar of `/memory`, and every fact that the viewer may see and
 * withdraw.
 */
export const memoryRoutes = [
  route('get', '/api/memory', {
    summary:
      'What is remembered and proposed: of this person, the channel, the team and every thread',
    query: ['author'],
    answer: z.object({ memory: z.array(MemoryView) }),
    handle: async ({ c, web }) => ({
      memory: await web.reach(() => viewsFor(web, c, contextFor(web, c))),
    }),
  }),

  bodyRoute('post', '/api/memory', {
    summary: 'Remembers something',
    body: MemoryBody,
    status: 201,
    answer: TextAnswer,
    refusals: ['unreadable', 'unknown_conversation'],
    async handle({ c, web, body }) {
      const context = await contextIn(web, c, body)
      const { scope, ...fact } = understood(memoryTable, addForm, body.text, context)
      const asked = { ...fact, scope: scope ?? ('thread' as const) }
      return said(await web.reach(() => keepFact('add', asked, context, web.work.memory)))
    },
  }),

  route('get', '/api/memory/:name/history', {
    summary: 'What happened to it, newest first',
    query: ['conversation', 'author'],
    refusals: ['unreadable', 'unknown_conversation'],
    answer: z.object({ events: z.array(MemoryEvent) }),
    async handle({ c, web }) {
      const context = await contextIn(web, c, { conversationId: c.req.query('conversation') })
      const { scope, id } = nameIn(c, context)
      const owner = ownerOf(scope, context) ?? refuse('unknown_memory')
      const all = await web.reach(() =>
        web.work.memory.memories.history(context.workspace, owner, 1_000),
      )
      const events = all.filter((event) => event.id === id || event.factId === id)
      return events.length === 0 ? refuse('unknown_memory') : { events }
    },
  }),

  bodyRoute('patch', '/api/memory/:name', {
    summary: 'Changes the words of a fact',
    body: MemoryBody,
    answer: TextAnswer,
    refusals: ['unreadable', 'unknown_conversation'],
    async handle({ c, web, body }) {
      const context = await contextIn(web, c, body)
      const { text } = understood(memoryTable, addForm, '', context, [body.text])
      const name = nameIn(c, context)
      const edited = await web.reach(() => editFact({ ...name, text }, context, web.work.memory))
      const isThere =
        edited.ok || (await web.reach(() => showFact(name, context, web.work.memory))).ok
      return isThere ? said(edited) : refuse('unknown_memory')
    },
  }),

  ...decisions.map(decide),
]

function decide(verb: Decision): Route {
  return bodyRoute('post', `/api/memory/:name/${verb}`, {
    summary: `What \`/memory ${verb}\` does; in the thread where it was said, if a workspace is named`,
    query: ['workspace'],
    body: MemoryPress,
    answer: TextAnswer,
    refusals: [...takeRefusals, 'unreadable', 'unknown_conversation'],
    async handle({ c, web, body }) {
      if (c.req.query('workspace') !== undefined) return await sayIn(web, c, body, verb)
      const context = await contextIn(web, c, body)
      const name = nameIn(c, context)
      const [here] = (await memoryHere(web.work.memory.memories, context)).filter(
        ({ scope }) => scope === name.scope,
      )
      const proposal = here?.memory.proposals.find(({ id }) => id === name.id)
      if (proposal !== undefined && !(await isSeen(web, c, proposal)))
        return refuse('unknown_memory')
      return said(await web.reach(() => decideFact(verb, name, context, web.work.memory)))
    },
  })
}

/** C190: decides like a button in the thread, so that the thread says who did. */
async function sayIn(web: Web, c: Context, body: z.infer<typeof MemoryPress>, verb: Decision) {
  const name = nameIn(c, { ...anyFrame, locale: body.locale ?? web.locale(c) })
  const workspace = await workspaceIn(web, c)
  const { conversation } = await conversationIn(web, c, body.conversationId ?? '', {
    messages: 0,
    workspace,
  })
  const author = web.speaker(c, body.author)
  await web.take({
    conversation: addressOf(conversation),
    keys: [
      `web:memory:${conversation.id}:${memoryName(name)}:${verb}:${author.id}:${body.clientMessageId ?? ''}`,
    ],
    author,
    way: 'pressed',
    content: {
      kind: 'message',
      text: decisionCommand(verb, name),
      addressed: true,
      forSomeoneElse: false,
    },
  })
  return { text: '' }
}

const said = ({ ok, text }: CommandResult) => (ok ? { text } : refuse('unreadable', { text }))

/** Context of a command about memory. `conversationId` is the thread of the scope `thread`. */
async function contextIn(
  web: Web,
  c: Context,
  body: WorkFields & { conversationId?: string | undefined },
) {
  const { conversationId = '' } = body
  if (conversationId !== '') await conversationIn(web, c, conversationId, { messages: 0 })
  return { ...contextFor(web, c, body), conversationId }
}

/** Name of a fact in the path, such as `thread-3`. */
function nameIn(c: Context, frame: Frame): FactName {
  const typed = c.req.param('name') ?? ''
  const example = { name: 'show', example: () => 'thread-1' }
  return factName.read(typed, frame) ?? unreadable(memoryTable, 'bad_name', typed, frame, example)
}

/** Memory of this person, the channel, the workspace and of every thread that they see. */
async function viewsFor(web: Web, c: Context, context: CommandContext) {
  const { workspace } = context
  const may = sees(web, c)
  const { memories } = web.work.memory
  const here = await memoryHere(memories, context)
  const owners = await memories.owners(workspace)
  const known = owners
    .flatMap((owner) => threadOf(owner) ?? [])
    .map(async (id) => {
      const state = await web.store.conversations.state(workspace, id, 0)
      const isSeen =
        may === undefined || (state !== null && (await may(state.conversation.address)))
      return isSeen ? [{ id, title: state?.conversation.title ?? '' }] : []
    })
  const threads = (await Promise.all(known)).flat()
  const read = await memories.read(
    workspace,
    threads.map(({ id }) => `thread:${id}`),
  )
  const shown = await Promise.all(
    here.map(async ({ memory }) => {
      const seen = await Promise.all(memory.proposals.map((one) => isSeen(web, c, one)))
      return { ...memory, proposals: memory.proposals.filter((_, at) => seen[at]) }
    }),
  )
  return [
    ...shown.flatMap((memory) => viewsOf(memory, context.now, null)),
    ...read.flatMap((memory, index) => viewsOf(memory, context.now, threads[index] ?? null)),
  ]
}

/**
 * S53: true if the viewer may see a proposal. It may quote a private message to Clew, so only those
 * who see its thread do.
 */
async function isSeen(web: Web, c: Context, { source, scope }: Proposal): Promise<boolean> {
  const may = sees(web, c)
  if (may === undefined || scope === 'me' || source.kind === 'person') return true
  if (source.conversationId === null) return true
  const { workspace } = contextFor(web, c)
  const state = await web.store.conversations.state(workspace, source.conversationId, 0)
  return state !== null && (await may(state.conversation.address))
}

function viewsOf(
  { facts, proposals }: Memory,
  now: number,
  thread: { id: string; title: string } | null,
): MemoryView[] {
  const shared = (one: Fact | Proposal) => ({
    name: memoryName(one),
    scope: one.scope,
    key: one.key,
    text: one.text,
    conversationId: thread?.id ?? null,
    thread: thread?.title ?? null,
    sourceId: one.source.kind === 'person' ? null : one.source.conversationId,
  })
  const pending = proposals.filter((one) => asOf(one, now).status === 'pending')
  return [
    ...pending.map((one) => ({
      ...shared(one),
      status: 'pending' as const,
      revision: 0,
      at: one.proposedAt,
      expiresAt: one.expiresAt,
      by: null,
    })),
    ...facts.map((one) => ({
      ...shared(one),
      status: one.status,
      revision: one.revision,
      at: one.updatedAt,
      expiresAt: null,
      by: one.acceptedBy?.name ?? null,
    })),
  ]
}
