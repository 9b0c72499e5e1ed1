import { texts } from '../../locales/texts.ts'
import { fileKindOf, type Readable, textMost } from '../domain/document.ts'
import { type KeptDocument, outlineOf, partAt } from '../domain/kept-document.ts'
import { present } from '../domain/present.ts'
import type { Documents } from '../ports/documents.ts'
import type { Artifacts } from '../ports/store.ts'
import type { ReadDocument, Tool, ToolContext } from '../ports/tool.ts'

interface Deps {
  documents: Documents
  /** Keeps long texts; they are not kept where it is left out. */
  artifacts?: Pick<Artifacts, 'keep'>
}

/** Length of the beginning that a result has of a text that is kept, and of one that is not. */
const mostCharacters = { kept: 20_000, unkept: 100_000 }

interface Source {
  name: string
  readable: Readable
  only?: string | undefined
}

/**
 * Returns the beginning of a text, and notes: its title, what it lacks, and the way to the rest,
 * which is kept with its tables (C885).
 */
export async function keptBeginning(
  { artifacts }: Deps,
  { name, readable, only }: Source,
  { workspace, conversationId, person, now, locale }: ToolContext,
): Promise<{ text: string; notes: string[] }> {
  const { title, text, sections = [], tables, gaps = [] } = readable
  const { files, fetch } = texts(locale)
  const isLong = text.length > mostCharacters.kept
  const isMore = text.length >= textMost
  const page: KeptDocument = {
    version: 1,
    name,
    text: text.slice(0, textMost),
    sections,
    cells: tables?.cells,
    by: person?.id ?? '',
    only,
    at: now,
  }
  const isWanted = artifacts !== undefined && conversationId !== '' && (isLong || tables)
  const isKept = isWanted && (await artifacts.keep(workspace, conversationId, page))
  const lacking = gaps.map(({ code, items }) => files.gaps[code](items.join(', ')))
  const head = present([title !== '' && title, ...lacking])
  if (!isKept) {
    const shown = text.slice(0, mostCharacters.unkept)
    const cut = shown.length < text.length ? [files.cut(shown.length, text.length, isMore)] : []
    return { text: shown, notes: present([...head, ...cut, isWanted && isLong && fetch.notKept]) }
  }
  const rest = isLong
    ? [
        files.cut(mostCharacters.kept, text.length, isMore),
        files.kept(name, partAt(page, 0), outlineOf(page)),
      ]
    : []
  const calculated = tables === undefined ? [] : [files.tables(name, tables.outline)]
  return { text: text.slice(0, mostCharacters.kept), notes: [...head, ...rest, ...calculated] }
}

/**
 * Makes a tool keep the documents of its results like pages; the result has their beginnings
 * (C920).
 */
export const keepingDocuments = (tool: Tool, deps: Deps): Tool => ({
  ...tool,
  async run(input, context) {
    const { documents = [], ...result } = await tool.run(input, context)
    const shown: string[] = []
    for (const one of documents) shown.push(await beginningOf(one, deps, context))
    return { ...result, text: [result.text, ...shown].filter((text) => text !== '').join('\n') }
  },
})

async function beginningOf(
  { name, type, content, only }: ReadDocument,
  deps: Deps,
  context: ToolContext,
): Promise<string> {
  const { files } = texts(context.locale)
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const kind = fileKindOf({ name, type }, bytes)
  const isPlain = typeof content === 'string' && (kind === null || kind === 'text')
  if (!isPlain && kind === null) return files.problems.binary(name)
  const read = isPlain
    ? { ok: true as const, readable: { title: '', text: content } }
    : await deps.documents.read({ kind: kind ?? 'text', bytes }, context.signal)
  if (!read.ok) return files.problems[read.problem](name, read.encoding ?? '')
  const { text, notes } = await keptBeginning(
    deps,
    { name, readable: read.readable, only },
    context,
  )
  return [`[${name}]`, ...notes, text.trim() === '' ? files.noText(name) : text].join('\n')
}
