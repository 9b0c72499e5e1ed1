import { timesSaid } from '../commands/when/said.ts'
import { addressesIn } from '../domain/address.ts'
import {
  type Argument,
  argumentsOf,
  isStrange,
  type PlainTexts,
  type Source,
} from '../domain/argument-origin.ts'
import { type Author, whoseIn } from '../domain/message.ts'
import { whoseHeard } from '../domain/overheard.ts'
import { plainText } from '../domain/plain-value.ts'
import { present } from '../domain/present.ts'
import { ownerOf } from '../domain/run.ts'
import type { PendingCall, Task } from '../domain/task.ts'
import { allowed } from '../domain/words.ts'
import { formatDay, wallClockIn } from '../domain/zone.ts'
import type { Tool } from '../ports/tool.ts'
import { mustBeApproved } from '../strategies/approval.ts'
import { askingOf } from './run-asking.ts'
import type { Session } from './session.ts'

/** Something that a person said or wrote. */
interface Words {
  author: Author
  text: string
  at: number
  /** True if its author wrote it, and did not quote it. */
  isOwn: boolean
}

/**
 * True if people must approve a call: its tool asks, or an argument of an effect that cannot be
 * made twice stands neither in the asker's words nor in Clew's records (C896). What is in the audit
 * already was let through.
 */
export async function mustAsk(session: Session, task: Task, tool: Tool): Promise<boolean> {
  if (mustBeApproved(task, tool)) return true
  const { intent, approval, announced } = task
  if (tool.effect !== 'unkeyed' || intent === null) return false
  if (approval?.granted === intent.step || announced === intent.step) return false
  const vouched = await vouchedFor(session, task, intent)
  if (!argumentsOf(intent.input, vouched, howOf(session, tool)).some(isStrange)) return false
  return (await originsIn(session, task, { input: intent.input, tool })).some(isStrange)
}

/** Arguments of a call and where each came from. */
export async function originsIn(
  session: Session,
  task: Task,
  { input, tool }: { input: string; tool: Tool | null },
): Promise<Argument[]> {
  const { run } = session
  const sources: Source[] = [
    ...(await vouchedFor(session, task, { input })),
    ...(await otherWords(session, task)),
    ...resultsOf(session, task),
    // Behind the others: Clew may have offered as an answer what a page says.
    ...task.clarifications.flatMap(({ author, choices, text }) =>
      author.id === ownerOf(run)?.id && choices?.includes(text)
        ? { origin: 'asker' as const, text }
        : [],
    ),
    { origin: 'task', text: `${run.title}\n${goalOf(session, task).words}` },
  ]
  return argumentsOf(input, sources, howOf(session, tool))
}

const plainTexts = new WeakMap<Session, PlainTexts>()

function howOf(session: Session, tool: Tool | null) {
  const known: PlainTexts = plainTexts.get(session) ?? new Map()
  plainTexts.set(session, known)
  return { schema: tool?.origin?.schema ?? tool?.fields, known }
}

/** Words of the asker, and what Clew keeps that is theirs or an admin's. */
async function vouchedFor(
  session: Session,
  task: Task,
  { input }: Pick<PendingCall, 'input'>,
): Promise<Source[]> {
  const { run } = session
  const people = await wordsIn(session)
  const owner = ownerOf(run)?.id
  const own = people.filter(({ author, isOwn }) => isOwn && author.id === owner)
  const { timeZone } = await session.surroundings()
  const times = /\d\d[-:]\d\d/.test(input)
    ? own.flatMap(({ text, at }) => timesSaid(text, { now: at, timeZone }))
    : []
  const said = own.map(({ text }) => text).join('\n')
  const asker = [said, ...partsOf(said), ...idsOf(said, people), ...times].join('\n')
  const records = (await recordsOf(session, task, timeZone)).join('\n')
  return [
    { origin: 'asker', text: asker },
    { origin: 'records', text: records },
    { origin: 'records', text: `${asker.slice(-10_000)}\n${records.slice(-9_000)}` },
  ]
}

/** Everything that people said in the thread, to Clew or not, oldest first. */
async function wordsIn(session: Session): Promise<Words[]> {
  const [messages, overheard] = await Promise.all([session.said(), session.overheard()])
  const own = (whose: Parameters<typeof allowed>[0]) => allowed(whose, 'vouch') !== null
  return [...overheard, ...messages].flatMap((one) => {
    const { author, text, at } = one
    // What was pressed is Clew's words; `originsIn` takes it by itself.
    if (author === null || ('chosen' in one && one.chosen)) return []
    return { author, text, at, isOwn: own('role' in one ? whoseIn(one) : whoseHeard(one)) }
  })
}

/** Hosts of a text's addresses, and parts of their paths: `acme/web` of an issue's address. */
function partsOf(text: string): string[] {
  return addressesIn(text).flatMap((address) => {
    const { host, pathname } = new URL(address)
    const parts = pathname.split('/').filter((part) => part !== '')
    return [host, ...parts.map((part, at) => `${part}/${parts[at + 1] ?? ''}`)]
  })
}

/**
 * Ids of people whom a text mentions. Who has another's name is nobody: names are their owners'
 * choice.
 */
function idsOf(text: string, people: readonly Words[]): string[] {
  if (!text.includes('@')) return []
  const named = new Map(people.map(({ author: { id, name } }) => [id, plainText(name).words]))
  const { words } = plainText(text)
  return [...Map.groupBy(named, ([, name]) => name)].flatMap(([name, [first, ...others]]) =>
    first !== undefined && others.length === 0 && words.includes(`@${name}`) ? first[0] : [],
  )
}

/** Facts, the words of a schedule, who asks and today: what nobody else can have put there. */
async function recordsOf(session: Session, task: Task, timeZone: string): Promise<string[]> {
  const { run, deps } = session
  const owner = ownerOf(run)
  const facts = (await session.facts()).filter(
    ({ name, by }) => name.startsWith('me-') || isTrusted(session, by),
  )
  return present([
    ...facts.map(({ text }) => text),
    run.schedule !== undefined && goalOf(session, task).words,
    ...(owner === null ? [] : [owner.id, owner.name]),
    timeZone,
    formatDay(wallClockIn(timeZone, deps.clock.now())),
  ])
}

const isTrusted = ({ run, deps }: Session, person: string | undefined) =>
  person !== undefined && (person === ownerOf(run)?.id || deps.admins?.includes(person) === true)

/** A goal's words, and the text of files behind them. */
function goalOf({ run }: Session, { goal }: Task): { words: string; files: string } {
  const { wordsEnd } = run.input
  const end = typeof wordsEnd === 'number' ? wordsEnd : goal.length
  return { words: goal.slice(0, end), files: goal.slice(end) }
}

/** What others said, had remembered, handed in or sent, each by itself. */
async function otherWords(session: Session, task: Task): Promise<Source[]> {
  const { run } = session
  const owner = ownerOf(run)?.id
  const others = (await wordsIn(session)).filter(
    ({ author, isOwn }) => author.id !== owner || !isOwn,
  )
  const facts = (await session.facts()).filter(
    ({ name, by }) => !name.startsWith('me-') && !isTrusted(session, by),
  )
  return [
    ...others.map(({ author, text }) => ({ origin: 'others' as const, from: author.name, text })),
    ...facts.map(({ text }) => ({ origin: 'others' as const, text })),
    { origin: 'event', from: run.event?.source ?? '', text: run.event?.text ?? '' },
    { origin: 'file', text: goalOf(session, task).files },
    // Behind what was said stand the texts of its files.
    ...task.clarifications.flatMap(({ choices, text }) =>
      choices?.includes(text) ? [] : { origin: 'file' as const, text },
    ),
  ]
}

/** Results that the task still has, newest first; of those from the web with their host. */
function resultsOf({ run, deps }: Session, { observations }: Task): Source[] {
  return observations.toReversed().map(({ tool: name, input, result: text }): Source => {
    const tool = deps.toolbox.get(name, askingOf(run))
    const isWeb = tool?.finds === true || tool?.addressIn !== undefined
    const host = URL.parse(tool?.addressIn?.(input) ?? '')?.host
    return { origin: isWeb ? 'web' : 'tool', from: host ?? name, text }
  })
}
