import { z } from 'zod'
import { Artifact } from '../../agent/domain/artifact.ts'
import { Conversation, titleFrom } from '../../agent/domain/conversation.ts'
import { InboxEntry } from '../../agent/domain/event.ts'
import { type Author, Message } from '../../agent/domain/message.ts'
import { Overheard } from '../../agent/domain/overheard.ts'
import { withoutPerson } from '../../agent/domain/privacy.ts'
import { encode, readFields, readGood, readOne } from './codec.ts'
import { isStale } from './indexed-words.ts'
import { keysOf, uploadKeys } from './keys.ts'
import { combine, fields, hash, list, look, lookAll, strings } from './look.ts'
import type { Edit, Found, Search } from './privacy-search.ts'
import { AskedQuestion } from './states.ts'

/** Conversations that are read in one go. */
const batch = 50
const Unanswered = z.array(InboxEntry)

/** A stored text, and what it says. */
interface Row<T> {
  name?: string
  was: string
  is: T
}

/** What a workspace's conversations hold of a person, and who else speaks there. */
export async function readThreads(search: Search) {
  const { client, workspace } = search
  const keys = keysOf(workspace)
  const ids = await client.redis.zrange(keys.conversations, '0', '-1')
  const all = {
    found: [] as Found[],
    authors: [] as Author[],
    messageIds: new Set<string>(),
  }
  for (let at = 0; at < ids.length; at += batch) {
    const some = ids.slice(at, at + batch)
    const states = await lookAll(client.redis, ...some.map((id) => rowsOf(keys.conversation(id), keys.trace(id))))
    for (const [index, state] of states.entries()) {
      const thread = await readThread(search, some[index] ?? '', state)
      all.found.push(...thread.found)
      all.authors.push(...thread.authors)
      for (const id of thread.messageIds) all.messageIds.add(id)
    }
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
  )
type Rows = ReturnType<ReturnType<typeof rowsOf>['take']>

/** All that stands in one thread. */
interface Thread {
  id: string
  row: Record<string, string>
  messages: Row<Message>[]
  heard: Row<Overheard>[]
  answered: Row<z.infer<typeof AskedQuestion>>[]
  unanswered: InboxEntry[]
  files: Row<Artifact>[]
  isTraced: boolean
  words: string[]
}

async function readThread(search: Search, id: string, [row, said, overheard, asked, inbox, files, trace, words]: Rows) {
  const { client, workspace, person } = search
  const keys = keysOf(workspace)
  const questions = await look(client.redis, fields(keys.questions, asked))
  const thread: Thread = {
    ...{ id, row, messages: readRows(Message, said), heard: readNamed(Overheard, overheard) },
    answered: readNamed(AskedQuestion, Object.fromEntries(asked.map((name, at) => [name, questions[at] ?? '']))),
    unanswered: readOne(Unanswered, row.unanswered ?? null) ?? [],
    files: readNamed(Artifact, files),
    isTraced: trace.length > 0,
    words,
  }
  const mine = thread.messages.filter(({ is }) => is.author?.id === person)
  const waiting = readGood(InboxEntry, inbox).filter(({ event }) => event.author.id === person)
  const authors = authorsIn(thread)
  const isAlone = authors.length > 0 && authors.every((author) => author.id === person)
  return {
    ...{ authors, messageIds: mine.map(({ is }) => is.id) },
    found: [
      // What they said tells whose title it is and that nobody else spoke, so it goes last.
      ...titleOf(search, thread, isAlone),
      ...(isAlone ? restOf(search, thread) : []),
      ...saidIn(search, thread),
      ...waiting.flatMap(({ event: { at, content } }): Found[] =>
        content.kind === 'message'
          ? [{ kept: { kind: 'message', at, conversationId: id, text: content.text, stays: 'work' }, edits: [] }]
          : [],
      ),
      ...foundBy(search, thread, isAlone),
    ],
  }
}

/** S24: last, once it is gone: its words. */
function foundBy({ person }: Search, { id, row, messages, words }: Thread, isAlone: boolean): Found[] {
  const { address, title = '' } = readFields(Conversation, row)
  const stay = messages.filter(({ is }) => is.author?.id !== person && !(isAlone && is.author === null))
  const stays = { ...(address === undefined ? {} : { address }), title, messages: stay.map(({ is }) => is) }
  return isStale(words, stays) ? [{ edits: [{ kind: 'words', id }] }] : []
}

const readRows = <T>(schema: z.ZodType<T>, texts: readonly string[]): Row<T>[] =>
  texts.flatMap((was) => readGood(schema, [was]).map((is) => ({ was, is })))

const readNamed = <T>(schema: z.ZodType<T>, texts: Record<string, string>): Row<T>[] =>
  Object.entries(texts).flatMap(([name, was]) => readGood(schema, [was]).map((is) => ({ name, was, is })))

const authorsIn = ({ messages, heard, answered }: Thread): Author[] =>
  [
    ...messages.map(({ is }) => is.author),
    ...heard.map(({ is }) => is.author),
    ...answered.map(({ is }) => is.answered?.author ?? null),
  ].filter((author) => author !== null)

function titleOf({ workspace, person }: Search, { id, row, messages, unanswered }: Thread, isAlone: boolean): Found[] {
  const { title } = readFields(Conversation, row)
  const isTheirs = messages.some(({ is }) => is.author?.id === person && titleFrom(is.text) === title)
  const others = unanswered.filter(({ event }) => event.author.id !== person)
  const parts = [
    ...((isAlone || isTheirs) && title ? [{ name: 'title', was: row.title ?? '', now: encode('') }] : []),
    ...(others.length < unanswered.length
      ? [{ name: 'unanswered', was: row.unanswered ?? '', now: encode(others) }]
      : []),
  ]
  const { row: key } = keysOf(workspace).conversation(id)
  return parts.length === 0 ? [] : [{ edits: [{ kind: 'hash', key, parts }] }]
}

/** What they said there, to Clew and to others. */
function saidIn({ workspace, person }: Search, { id, messages, heard, answered }: Thread): Found[] {
  const keys = keysOf(workspace)
  const places = keys.conversation(id)
  const edit = (kind: 'hash' | 'list', key: string, { name = '', was }: Row<unknown>, now = ''): Edit[] => [
    { kind, key, parts: [{ name, was, now }] },
  ]
  return [
    ...messages.flatMap((one): Found[] => {
      const { author, at, text, files = [] } = one.is
      if (author?.id !== person) return []
      const kept = {
        kind: 'message',
        at,
        conversationId: id,
        text: [text, ...files.map(({ name }) => name)].join('\n'),
      } as const
      const gone = uploadKeys(workspace, [one.is]).map((key): Edit => ({ kind: 'all', key }))
      return [{ kept, edits: [...edit('list', places.messages, one), ...gone] }]
    }),
    ...heard.flatMap((one): Found[] => {
      const { author, at, text, files = [] } = one.is
      if (author?.id !== person) return []
      const kept = { kind: 'overheard', at, conversationId: id, text: [text, ...files].join('\n') } as const
      return [{ kept, edits: edit('hash', places.overheard, one) }]
    }),
    ...answered.flatMap((one): Found[] => {
      const { answered: given } = one.is
      const now = encode(withoutPerson(one.is, person))
      if (now === encode(one.is)) return []
      const edits = edit('hash', keys.questions, one, now)
      if (given?.author.id !== person) return [{ edits }]
      return [{ kept: { kind: 'answer', at: given.at, conversationId: id, text: given.answer }, edits }]
    }),
  ]
}

/** Where nobody else spoke, Clew's own words, its reasons and the files that were made there are about that person too. */
function restOf({ workspace }: Search, { id, messages, heard, answered, files, isTraced }: Thread): Found[] {
  const keys = keysOf(workspace)
  const places = keys.conversation(id)
  const clews = messages.filter(({ is }) => is.author === null)
  const before = heard.filter(({ is }) => is.author === null)
  const part = (kind: 'hash' | 'list', key: string, parts: readonly { name?: string; was?: string }[]): Edit[] =>
    parts.length === 0 ? [] : [{ kind, key, parts }]
  const edits = [
    ...part('list', places.messages, clews),
    ...part('hash', places.overheard, before),
    ...(isTraced ? [{ kind: 'all' as const, key: keys.trace(id) }] : []),
    // Last, since an answer may be all that tells who spoke here.
    ...part('hash', keys.questions, answered),
  ]
  const kept = files.map(
    ({ name = '', was, is }): Found => ({
      kept: { kind: 'file', at: is.at, conversationId: id, text: `${name}\n${is.text}` },
      edits: part('hash', places.files, [{ name, was }]),
    }),
  )
  return edits.length === 0 ? kept : [...kept, { edits }]
}
