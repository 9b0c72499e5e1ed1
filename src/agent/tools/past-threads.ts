import type { Message } from '../domain/message.ts'
import { countIn, marked, type Term, termsIn } from '../domain/search-words.ts'
import type { Search } from '../ports/search.ts'
import type { Sight } from '../ports/sight.ts'
import type { ConversationState, Conversations, Searches } from '../ports/store.ts'

/** Words that are looked for at once; threads, and passages of each, that are shown. */
export const pastLimits = { words: 5, threads: 6, passages: 3 }
/** Newest messages of a thread that are read for its passages, and to read on in it. */
const messagesMost = { passages: 200, whole: 1_000 }
/** Length of a passage on either side of the word, in characters. */
const around = 220

export interface PastDeps {
  search: Pick<Searches, 'find'>
  conversations: Pick<Conversations, 'state'>
}

/** A thread that was found, with the words that it holds. */
export interface PastThread {
  state: ConversationState
  words: readonly string[]
  passages: readonly Message[]
}

export interface PastThreads {
  threads: readonly PastThread[]
  /** There may be more: a search was cut, or found more than is shown. */
  isCut: boolean
}

export interface Asked {
  words: readonly string[]
  /** Only threads without a later message; `null`: all. */
  until: number | null
  /** The thread in which it is asked. */
  own: string
}

/** Words of a question, each with the terms of the index. */
export const wordsAsked = (text: string): string[] => [
  ...new Set(text.split(/[\s,，、;；"“”]+/u).filter((word) => termsIn(word).length > 0)),
]

const termsOf = (words: readonly string[]) => words.flatMap((word) => termsIn(word))

/**
 * Choices of words, best first: all of them, all but one, each alone. Those of one round are looked
 * for together.
 */
function roundsOf(words: readonly string[]): (readonly string[])[][] {
  const single = words.map((word) => [word])
  const allButOne = words.map((one) => words.filter((word) => word !== one))
  if (words.length < 2) return [[words]]
  return words.length === 2 ? [[words], single] : [[words], allButOne, single]
}

interface Hit {
  workspace: string
  id: string
  words: readonly string[]
}

/**
 * Earlier threads with the words, those with more of them first, then those with the rarer ones,
 * then the newest. Bounded: each search is, and there are at most 11 (C555, C821).
 */
export async function findPast(deps: PastDeps, sight: Sight, asked: Asked): Promise<PastThreads> {
  const hits = new Map<string, Hit>()
  let isCut = false
  for (const round of roundsOf(asked.words)) {
    if (hits.size >= pastLimits.threads) break
    const answers = await Promise.all(round.map((words) => lookedFor(deps, sight, asked, words)))
    isCut ||= answers.some(({ next }) => next !== null)
    for (const { words, found } of answers.sort((a, b) => a.found.length - b.found.length))
      for (const { line } of found) {
        const { id, address } = line.conversation
        if (!hits.has(id)) hits.set(id, { workspace: address.workspace, id, words })
      }
  }
  hits.delete(asked.own)
  const terms = termsOf(asked.words)
  const shown = [...hits.values()].slice(0, pastLimits.threads)
  const read = await Promise.all(shown.map((hit) => withPassages(deps, sight, hit, terms)))
  return {
    threads: read.filter((one) => one !== null),
    isCut: isCut || hits.size > shown.length,
  }
}

async function lookedFor(
  { search }: PastDeps,
  { workspaces, sees }: Sight,
  { until }: Asked,
  words: readonly string[],
) {
  const wanted: Search = {
    said: termsOf(words),
    people: [],
    places: [],
    group: null,
    only: null,
    from: null,
    until,
  }
  const { found, next } = await search.find(workspaces, wanted, null, pastLimits.threads + 1, sees)
  return { words, found, next }
}

/** Null: it was erased meanwhile, or moved out of sight. */
async function withPassages(
  deps: PastDeps,
  sight: Sight,
  hit: Hit,
  terms: readonly Term[],
): Promise<PastThread | null> {
  const state = await seenThread(deps, sight, { ...hit, messages: messagesMost.passages })
  if (state === null) return null
  const passages = state.messages
    .map((message) => ({ message, count: countIn(message.text, terms) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || b.message.at - a.message.at)
    .slice(0, pastLimits.passages)
    .map(({ message }) => message)
    .sort((a, b) => a.at - b.at)
  return { state, words: hit.words, passages: passages.length > 0 ? passages : firstOf(state) }
}

const firstOf = ({ messages }: ConversationState): Message[] => messages.slice(0, 1)

/**
 * A thread with its newest messages; null where the asking person may not see it, or there is none.
 */
export async function seenThread(
  { conversations }: PastDeps,
  { workspaces, sees }: Sight,
  { workspace, id, messages }: { workspace: string; id: string; messages?: number },
): Promise<ConversationState | null> {
  if (!workspaces.includes(workspace)) return null
  const state = await conversations.state(workspace, id, messages ?? messagesMost.whole, 1)
  return state !== null && (await sees(state.conversation.address)) ? state : null
}

/** True if only the newest messages of a thread were read. */
export const isPart = ({ messages }: ConversationState): boolean =>
  messages.length === messagesMost.whole

/** The part of a text around the first of the words, in a line. */
export function excerptOf(text: string, words: readonly string[]): string {
  const parts = marked(text, termsOf(words))
  const hit = parts.findIndex((part) => part.hit)
  const before = parts.slice(0, Math.max(hit, 0)).reduce((sum, part) => sum + part.text.length, 0)
  const [from, to] = [Math.max(before - around, 0), before + around]
  const shown = text.slice(from, to).toWellFormed().replace(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${shown}${to < text.length ? '…' : ''}`
}

/** Index of the newest message that has most of the words; -1: none has any. */
export function bestOf(messages: readonly Message[], words: readonly string[]): number {
  const terms = termsOf(words)
  const counts = messages.map(({ text }) => countIn(text, terms))
  const most = Math.max(...counts, 0)
  return most === 0 ? -1 : counts.lastIndexOf(most)
}
