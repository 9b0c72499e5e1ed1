import { z } from 'zod'
import { Artifact } from '../../agent/domain/artifact.ts'
import { Conversation, titleFrom } from '../../agent/domain/conversation.ts'
import { InboxEntry } from '../../agent/domain/event.ts'
import { KeptDocument } from '../../agent/domain/kept-document.ts'
import { type Author, Message } from '../../agent/domain/message.ts'
import { Overheard } from '../../agent/domain/overheard.ts'
import { present } from '../../agent/domain/present.ts'
import { withoutPerson } from '../../agent/domain/privacy.ts'
import { encode, readFields, readGood, readOne } from './codec.ts'
import { isStale } from './indexed-words.ts'
import { keysOf, uploadKeys } from './keys.ts'
import { combine, fields, hash, list, look, lookThrough, strings } from './look.ts'
import { amend, erase, type PersonalTrace, partsOf, type Search } from './privacy-search.ts'
import { AskedQuestion } from './states.ts'

/** Conversations that one round trip reads. */
const batch = 50
const Unanswered = z.array(InboxEntry)

/** A stored text with its parsed value. */
interface Row<T> {
  name?: string
  was: string
  is: T
}

/** Traces of a person in a workspace's conversations, and all authors there. */
export async function readThreads(search: Search) {
  const { redis } = search.client
  const keys = keysOf(search.workspace)
  const ids = await redis.zrange(keys.conversations, '0', '-1')
  const all = {
    found: [] as PersonalTrace[],
    authors: [] as Author[],
    messageIds: new Set<string>(),
  }
  const read = (id: string) => rowsOf(keys.conversation(id), keys.trace(id))
  for await (const [id, rows] of lookThrough(redis, ids, batch, read)) {
    const thread = await readThread(search, id, rows)
    all.found.push(...thread.found)
    all.authors.push(...thread.authors)
    for (const id of thread.messageIds) all.messageIds.add(id)
  }
  return all
}

const rowsOf = (places: ReturnType<ReturnType<typeof keysOf>['conversation']>, trace: string) =>
  combine(
    hash(places.row),
    list(places.messages, 0, -1),
    hash(places.overheard),
    list(places.answered, 0, -1),
    list(places.inbox, 0, -1),
    hash(places.files),
    list(trace, 0, 0),
    strings('SMEMBERS', places.words),
    hash(places.documents),
  )
type Rows = ReturnType<ReturnType<typeof rowsOf>['take']>

/** Contents of one thread; `questions` are the rows of its answered questions. */
function threadFrom(
  id: string,
  [row, said, overheard, asked, inbox, files, trace, words, documents]: Rows,
  questions: readonly (string | null)[],
) {
  return {
    id,
    row,
    words,
    isTraced: trace.length > 0,
    messages: readRows(Message, said),
    heard: readRows(Overheard, overheard),
    answered: readRows(
      AskedQuestion,
      Object.fromEntries(asked.map((name, at) => [name, questions[at] ?? ''])),
    ),
    unanswered: readOne(Unanswered, row.unanswered ?? null) ?? [],
    waiting: readGood(InboxEntry, inbox),
    files: readRows(Artifact, files),
    documents: readRows(KeptDocument, documents),
  }
}
type Thread = ReturnType<typeof threadFrom>

async function readThread(search: Search, id: string, rows: Rows) {
  const { client, workspace, person } = search
  const [, , , asked] = rows
  const thread = threadFrom(
    id,
    rows,
    await look(client.redis, fields(keysOf(workspace).questions, asked)),
  )
  const mine = thread.messages.filter(({ is }) => is.author?.id === person)
  const waiting = thread.waiting.filter(({ event }) => event.author.id === person)
  const authors = authorsIn(thread)
  const isAlone = authors.length > 0 && authors.every((author) => author.id === person)
  return {
    authors,
    messageIds: mine.map(({ is }) => is.id),
    found: [
      // C712: hashes of what was said here say nothing any more.
      ...(mine.length > 0 ? keyOf(search, thread) : []),
      // Their messages go last: they tell whose title it is, and that nobody else wrote.
      ...titleOf(search, thread, isAlone),
      ...(isAlone ? restOf(search, thread) : []),
      ...handedIn(search, thread),
      ...saidIn(search, thread),
      ...waiting.flatMap(({ event: { at, content } }): PersonalTrace[] =>
        content.kind === 'message'
          ? [
              {
                kept: {
                  kind: 'message',
                  at,
                  conversationId: id,
                  text: content.text,
                  stays: 'work',
                },
                edits: [],
              },
            ]
          : [],
      ),
      ...foundBy(search, thread, isAlone),
    ],
  }
}

function keyOf({ workspace }: Search, { id, row }: Thread): PersonalTrace[] {
  const was = row['~audit']
  const { row: key } = keysOf(workspace).conversation(id)
  return was === undefined ? [] : [{ edits: amend('hash', key, [{ name: '~audit', was }]) }]
}

/** S24: the last edit of a thread, which reindexes it without the erased words. */
function foundBy(
  { person }: Search,
  { id, row, messages, words }: Thread,
  isAlone: boolean,
): PersonalTrace[] {
  const { address, title = '' } = readFields(Conversation, row)
  const stay = messages.filter(
    ({ is }) => is.author?.id !== person && !(isAlone && is.author === null),
  )
  const stays = {
    address,
    title,
    messages: stay.map(({ is }) => is),
  }
  return isStale(words, stays) ? [{ edits: [{ kind: 'words', id }] }] : []
}

const readRows = <T>(schema: z.ZodType<T>, row: Parameters<typeof partsOf>[0]): Row<T>[] =>
  partsOf(row).flatMap((part) => readGood(schema, [part.was]).map((is) => ({ ...part, is })))

const authorsIn = ({ messages, heard, answered }: Thread) =>
  [
    ...messages.map(({ is }) => is.author),
    ...heard.map(({ is }) => is.author),
    ...answered.map(({ is }) => is.answered?.author ?? null),
  ].filter((author) => author !== null)

function titleOf(
  { workspace, person }: Search,
  { id, row, messages, unanswered }: Thread,
  isAlone: boolean,
): PersonalTrace[] {
  const { title, asks, onBehalf } = readFields(Conversation, row)
  const isTheirs = messages.some(
    ({ is }) => is.author?.id === person && titleFrom(is.text) === title,
  )
  const others = unanswered.filter(({ event }) => event.author.id !== person)
  const untitled = { name: 'title', was: row.title ?? '', now: encode('') }
  const unheard = { name: 'unanswered', was: row.unanswered ?? '', now: encode(others) }
  const unasked = { name: 'asks', was: row.asks ?? '', now: encode(null) }
  const unsaid = { name: 'onBehalf', was: row.onBehalf ?? '', now: encode(null) }
  const parts = present([
    (isAlone || isTheirs) && title ? untitled : null,
    others.length < unanswered.length && unheard,
    // C843: nothing is passed on for them any more, nor of theirs.
    (asks?.by.id === person || asks?.of.id === person) && unasked,
    onBehalf?.by.id === person && unsaid,
  ])
  return [{ edits: amend('hash', keysOf(workspace).conversation(id).row, parts) }]
}

/** Messages and answers of the person in a thread, to Clew and to others. */
function saidIn(
  { workspace, person }: Search,
  { id: conversationId, messages, heard, answered }: Thread,
): PersonalTrace[] {
  const keys = keysOf(workspace)
  const places = keys.conversation(conversationId)
  const isTheirs = ({ is }: Row<Message | Overheard>) => is.author?.id === person
  return [
    ...messages.filter(isTheirs).map((one): PersonalTrace => {
      const { at, text, files = [] } = one.is
      const edits = [
        ...amend('list', places.messages, [one]),
        ...uploadKeys(workspace, [one.is]).map(erase),
      ]
      return {
        kept: {
          kind: 'message',
          at,
          conversationId,
          text: [text, ...files.map(nameOf)].join('\n'),
        },
        edits,
      }
    }),
    ...heard.filter(isTheirs).map((one): PersonalTrace => {
      const { at, text, files = [] } = one.is
      const kept = {
        kind: 'overheard',
        at,
        conversationId,
        text: [text, ...files].join('\n'),
      } as const
      return { kept, edits: amend('hash', places.overheard, [one]) }
    }),
    ...answered.flatMap(({ is, ...row }): PersonalTrace[] => {
      const { answered: given } = is
      const now = encode(withoutPerson(is, person))
      if (now === encode(is)) return []
      const edits = amend('hash', keys.questions, [{ ...row, now }])
      if (given?.author.id !== person) return [{ edits }]
      return [{ kept: { kind: 'answer', at: given.at, conversationId, text: given.answer }, edits }]
    }),
  ]
}

/** Texts of files that the person handed in (C791). */
const handedIn = ({ workspace, person }: Search, { id, documents }: Thread): PersonalTrace[] =>
  documents
    .filter(({ is }) => is.by === person)
    .map(({ is, ...row }) => ({
      kept: { kind: 'file', at: is.at, conversationId: id, text: `${is.name}\n${is.text}` },
      edits: amend('hash', keysOf(workspace).conversation(id).documents, [row]),
    }))

const nameOf = ({ name }: { name: string }) => name

/**
 * Clew's own messages, traces and files in a thread where nobody else wrote: they are about that
 * person too.
 */
function restOf(
  { workspace }: Search,
  { id, messages, heard, answered, files, isTraced }: Thread,
): PersonalTrace[] {
  const keys = keysOf(workspace)
  const places = keys.conversation(id)
  const isNobodys = ({ is }: Row<Message | Overheard>) => is.author === null
  const edits = present([
    ...amend('list', places.messages, messages.filter(isNobodys)),
    ...amend('hash', places.overheard, heard.filter(isNobodys)),
    isTraced && erase(keys.trace(id)),
    // Last, since an answer may be the only trace of who wrote here.
    ...amend('hash', keys.questions, answered),
  ])
  const made = files.map(({ is, ...row }): PersonalTrace => {
    const kept = {
      kind: 'file',
      at: is.at,
      conversationId: id,
      text: `${row.name}\n${is.text}`,
    } as const
    return { kept, edits: amend('hash', places.files, [row]) }
  })
  return [...made, { edits }]
}
