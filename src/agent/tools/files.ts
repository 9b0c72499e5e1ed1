import { type Artifact, artifactLimits, artifactType, isArtifactName } from '../domain/artifact.ts'
import { readOn } from '../domain/cut.ts'
import {
  isPage,
  type KeptDocument,
  outlineOf,
  partNamed,
  placesWith,
  shownFrom,
} from '../domain/kept-document.ts'
import type { Artifacts } from '../ports/store.ts'
import type { Tool, ToolContext, ToolResult } from '../ports/tool.ts'

const looks = `list
read <name>
read <name> from <number>, to read on behind so many characters
read <name> <part>, such as page 12, page 3-5 or sheet Costs
search <name> <words>, to find where a file that was handed in has them`

const description = `Keeps files of text that the task makes, such as reports and tables, in the space of this thread, and shows them to its people; also shows whole files that people handed in and long pages that were fetched, by their addresses. The input is one of:
save <name>
<the whole text, from the second line on>
${looks}
A name is plain, such as venues.csv or report.md. Saving a name again replaces it. At most ${artifactLimits.files} files of ${artifactLimits.text} characters.`

const readOnlyDescription = `Shows the files that tasks of this thread have made and people handed in; it changes nothing. The input is one of:
${looks}`

/**
 * R90: the files of a task live in its own conversation; which one that is follows from the run,
 * never from the input (S5). Keyed: the same file again is the same file, and it is put before the
 * thread with the commit that holds the result.
 */
export function createFilesTool(artifacts: Artifacts): Tool {
  const run = (mayWrite: boolean) => (input: string, context: ToolContext) =>
    carryOut(artifacts, input, mayWrite, context)
  return {
    name: 'files',
    effect: 'keyed',
    allowable: false,
    description,
    run: run(true),
    readOnly: { name: 'files', effect: 'none', description: readOnlyDescription, run: run(false) },
  }
}

async function carryOut(
  artifacts: Artifacts,
  input: string,
  mayWrite: boolean,
  context: ToolContext,
): Promise<ToolResult> {
  const [line = '', ...lines] = input.trimStart().split('\n')
  const [, action = '', name = ''] = /^(\w+)[ \t]*(.*)/s.exec(line.trimEnd()) ?? []
  if (context.conversationId === '')
    return failed('this work has no thread yet, so there is no place for its files')
  const wanted = action.toLowerCase()
  switch (wanted) {
    case 'list':
      return await list(artifacts, context)
    case 'search':
    case 'read': {
      const handedIn = await documentIn(artifacts, context, name)
      if (handedIn !== null) return await shown(handedIn, wanted)
      return wanted === 'read'
        ? await readSaved(artifacts, name, context)
        : failed(
            `no file that was handed in and no page that was fetched is named so; "list" shows them`,
          )
    }
    case 'save':
      return mayWrite
        ? await save(artifacts, { name, text: lines.join('\n') }, context)
        : failed('work that nobody watches may look at files, but not change them')
    default:
      // The model's words.
      return failed('begin with save, read or list')
  }
}

async function list(
  artifacts: Artifacts,
  { workspace, conversationId, person }: ToolContext,
): Promise<ToolResult> {
  const known = await artifacts.saved(workspace, conversationId)
  const names = await artifacts.keptNames(workspace, conversationId, person?.id)
  const lines = [
    ...known.map(lineOf),
    ...names.map((one) => `${one} (${isPage(one) ? 'fetched' : 'handed in'})`),
  ]
  return { ok: true, text: lines.length === 0 ? 'there are no files yet' : lines.join('\n') }
}

/** Shows a file that the task saved, from where its line says. */
async function readSaved(
  artifacts: Artifacts,
  line: string,
  { workspace, conversationId }: ToolContext,
): Promise<ToolResult> {
  const { name, from } = readOn(line)
  const file = (await artifacts.saved(workspace, conversationId)).find((one) => one.name === name)
  if (file === undefined) return failed(`there is no file ${name}; "list" shows them`)
  const text = file.text.slice(from ?? 0)
  return text === '' ? failed(`the file has ${file.text.length} characters`) : { ok: true, text }
}

async function save(
  artifacts: Artifacts,
  { name, text }: Pick<Artifact, 'name' | 'text'>,
  { workspace, conversationId, now }: ToolContext,
): Promise<ToolResult> {
  if (!isArtifactName(name))
    return failed('the name must be plain, without slashes, such as report.md')
  if (text.trim() === '') return failed('the text is missing: it begins on the second line')
  if (text.length > artifactLimits.text)
    return failed(`a file has at most ${artifactLimits.text} characters`)
  const artifact: Artifact = { version: 1, name, text, at: now }
  if (!(await artifacts.save(workspace, conversationId, artifact)))
    return failed(`there are ${artifactLimits.files} files already; save one of their names again`)
  const file = { name, type: artifactType(name), base64: Buffer.from(text).toString('base64') }
  // The thread shows the file itself.
  return { ok: true, text: `saved ${name}`, files: [file], receipt: { text: '' } }
}

interface Asked {
  document: KeptDocument
  /** What stands behind the name. */
  rest: string
}

/** The file of which a line begins with the name, however many words that has. */
async function documentIn(
  artifacts: Artifacts,
  { workspace, conversationId, person }: ToolContext,
  line: string,
): Promise<Asked | null> {
  const asked = line.replace(/^["“]|["”](?= |$)/gu, '')
  const isNamed = (name: string) => asked === name || asked.startsWith(`${name} `)
  const names = await artifacts.keptNames(workspace, conversationId, person?.id)
  const [name] = names.filter(isNamed).sort((a, b) => b.length - a.length)
  const document =
    name === undefined ? null : await artifacts.kept(workspace, conversationId, name, person?.id)
  return document && { document, rest: asked.slice(document.name.length).trim() }
}

async function shown({ document, rest }: Asked, action: string): Promise<ToolResult> {
  if (action === 'search') {
    if (rest === '') return failed('say which words to search for, behind the name')
    const places = await inTurns(placesWith(document, rest))
    return places === ''
      ? failed(`none of these words is in ${document.name}; try others`)
      : { ok: true, text: places }
  }
  const from = /^from (\d{1,9})$/i.exec(rest)?.[1]
  if (rest === '' || from !== undefined)
    return {
      ok: true,
      text: `It has ${outlineOf(document)}.\n${shownFrom(document, Number(from ?? 0))}`,
    }
  const part = partNamed(document, rest)
  return part === null
    ? failed(`there is no ${rest} in ${document.name}; it has ${outlineOf(document)}`)
    : { ok: true, text: part }
}

/** Result of long work, which lets others have a turn each time that it yields. */
async function inTurns<T>(work: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const failed = (text: string): ToolResult => ({ ok: false, text })
const lineOf = ({ name, text }: Artifact) => `${name} (${text.length} characters)`
