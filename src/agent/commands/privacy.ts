import { type Texts, texts } from '../../locales/texts.ts'
import { madeFileLimits, sizeOf } from '../domain/made-file.ts'
import type { Author } from '../domain/message.ts'
import { present } from '../domain/present.ts'
import { countsOf, type Kept, type PrivacyExport } from '../domain/privacy.ts'
import { allowed } from '../domain/words.ts'
import type { Audit } from '../ports/audit.ts'
import type { Effect } from '../ports/effect.ts'
import type { Notes } from '../ports/notes.ts'
import type { Privacy } from '../ports/store.ts'
import { type CommandContext, type CommandResult, effectOf } from './command.ts'
import { inlineCode } from './command-line.ts'
import { argument, type CommandTable, option, subcommand } from './grammar.ts'
import { flag, text } from './value-kinds.ts'

export interface PrivacyDeps {
  privacy: Privacy
  /** Ids of the people who may. */
  admins: readonly string[]
  notes: Pick<Notes, 'get' | 'put' | 'drop'>
  audit: Pick<Audit, 'append'>
}

/**
 * Time in which an admin may press the button that erases, in ms, from when they were shown what
 * goes.
 */
const confirmMs = 10 * 60_000
const confirmKey = (asker: string, person: string) => `erase:${asker}:${person}`

const who = argument('person', 'person', text(100, 'word'), 'person')
/** Reads one word, or several in quotes: another person may follow. */
const { rest: _, ...oneWord } = text(100, 'word')
const leaver = argument('person', 'person', oneWord, 'person')
const heir = argument('to', 'person', text(100, 'word'), 'heir')
const yes = option('yes', flag, 'yes', ['sure', '确定'])

/** C117, C118: commands for a person's data; only admins see the answers. */
export const privacyTable: CommandTable<PrivacyDeps> = {
  name: 'privacy',
  aliases: ['隐私'],
  about: 'privacy',
  words: ({ privacy }) => privacy,
  subcommands: [
    subcommand('export', 'privacyExport', ['show', '导出'], {
      by: 'people',
      takes: [who],
      looks: true,
      request: (line) => ({ typed: line.need(who) }),
      answer: ({ typed }, context, deps) =>
        forPerson(typed, context, deps, (person) => exportOf(person, context, deps)),
    }),
    subcommand('erase', 'privacyErase', ['delete', 'forget', '清除', '删除'], {
      by: 'people',
      takes: [who],
      options: [yes],
      request: (line) => ({ typed: line.need(who), isSure: line.get(yes) ?? false }),
      answer: ({ typed, isSure }, context, deps) =>
        forPerson(typed, context, deps, async (person) => {
          const erases = isSure && (await mayErase(person, context, deps))
          return await erase(person, erases, context, deps)
        }),
    }),
    subcommand('handover', 'privacyHandOver', ['transfer', '转交'], {
      by: 'people',
      takes: [leaver, heir],
      request: (line) => ({ from: line.need(leaver), to: line.need(heir) }),
      answer: ({ from, to }, context, deps) =>
        forPerson(from, context, deps, (person) =>
          forPerson(to, context, deps, (other) => handOver([person, other], context, deps)),
        ),
    }),
  ],
}

/** All that is kept of a person, as it is handed out. */
export async function exported(
  { privacy }: Pick<PrivacyDeps, 'privacy'>,
  { workspace, person, at }: { workspace: string; person: string; at: number },
): Promise<PrivacyExport> {
  return { version: 1, workspace, person, at, kept: await privacy.kept(workspace, person) }
}

/**
 * C893: adds the row of what is about to be done with all that is kept of `person`. It is one of
 * `by` alone: a thread shows it to nobody else. What is handed out leaves a keyed hash.
 */
export async function recordPrivacy(
  audit: Pick<Audit, 'append'>,
  effect: Exclude<Effect, string>,
  done: { workspace: string; person: string; change: 'export' | 'erase' | 'hand_over' },
  contents = '',
): Promise<void> {
  const { workspace, person: id, change } = done
  const what = { workspace, what: 'person' as const, scope: `user:${effect.by}`, id, change }
  await audit.append(effect, what, contents)
}

type PersonalAnswer = (person: Author) => Promise<CommandResult>

async function forPerson(
  typed: string,
  context: CommandContext,
  deps: PrivacyDeps,
  work: PersonalAnswer,
): Promise<CommandResult> {
  const words = texts(context.locale).privacy
  const { person: asker } = context
  if (asker === null || !deps.admins.includes(asker.id))
    return {
      ok: false,
      text: words.adminsOnly(deps.admins.length > 0, asker?.id ?? ''),
      private: true,
    }
  // As platforms write a mention, or as people write a name.
  const name = /^<@!?(\w+)(?:\|[^>]*)?>$/.exec(typed)?.[1] ?? typed.replace(/^@/, '')
  const people = await deps.privacy.people(context.workspace)
  // A person who only gave commands is known by the id alone.
  const isKnown = people.some((one) => one.id === name || one.name === name)
  if (!isKnown && (await deps.privacy.kept(context.workspace, name)).length > 0)
    people.push({ id: name, name })
  const isCalled = (one: Author) => one.name.toLowerCase() === name.toLowerCase()
  const known = people.filter(({ id }) => id === name)
  const [person, ...others] = known.length > 0 ? known : people.filter(isCalled)
  if (person === undefined)
    return { ok: false, text: words.nobody(inlineCode(name)), private: true }
  if (others.length === 0) return { ...(await work(person)), private: true }
  const ids = [person, ...others].map(({ id }) => inlineCode(id)).join(', ')
  return { ok: false, text: words.several(inlineCode(name), ids), private: true }
}

async function exportOf(
  person: Author,
  context: CommandContext,
  deps: PrivacyDeps,
): Promise<CommandResult> {
  const words = texts(context.locale).privacy
  const data = await exported(deps, {
    workspace: context.workspace,
    person: person.id,
    at: context.now,
  })
  const { workspace } = context
  const done = { workspace, person: person.id, change: 'export' as const }
  await recordPrivacy(deps.audit, effectOf(context), done, JSON.stringify(data))
  if (data.kept.length === 0) return { ok: true, text: words.nothing(person.name), data }
  const lines = [words.kept(person.name, inlineCode(person.id)), ...countLines(data.kept, words)]
  const text = [...lines, words.download(context.workspace, person.id)].join('\n')
  const file = { name: 'privacy.json', type: 'application/json', base64: base64Of(data) }
  return { ok: true, text, data, file: sizeOf(file) > madeFileLimits.bytes ? undefined : file }
}

/**
 * S36: words that an admin typed here erase. So does the button under what this admin was shown of
 * this person a while ago (C286); all other words are asked back.
 */
async function mayErase(
  { id }: Author,
  { workspace, person: asker, whose }: CommandContext,
  { notes }: PrivacyDeps,
): Promise<boolean> {
  if (allowed(whose, 'erase') !== null) return true
  if (whose.way !== 'pressed' || asker === null) return false
  const isShown = (await notes.get(workspace, confirmKey(asker.id, id))) !== null
  return isShown && allowed({ ...whose, way: 'confirmed' }, 'erase') !== null
}

const base64Of = (data: PrivacyExport) =>
  Buffer.from(JSON.stringify(data, null, 2)).toString('base64')

async function erase(
  person: Author,
  isSure: boolean,
  context: CommandContext,
  { privacy, notes, audit }: PrivacyDeps,
): Promise<CommandResult> {
  const words = texts(context.locale).privacy
  const { workspace, person: asker } = context
  const key = confirmKey(asker?.id ?? '', person.id)
  if (isSure) {
    const done = { workspace, person: person.id, change: 'erase' as const }
    await recordPrivacy(audit, effectOf(context), done)
  }
  const command = `/privacy erase ${person.id} --yes`
  const kept = await (isSure ? privacy.erase : privacy.kept)(context.workspace, person.id)
  const goes = countLines(
    kept.filter(({ stays }) => stays === undefined),
    words,
  )
  const stays = (why: 'name' | 'work', title: string) => {
    const counts = countLines(
      kept.filter((one) => one.stays === why),
      words,
    )
    return counts.length === 0 ? [] : [title, ...counts]
  }
  const lines = present([
    goes.length === 0
      ? words.nothing(person.name)
      : words[isSure ? 'erased' : 'wouldErase'](person.name),
    ...goes,
    ...stays('name', words.unnamed),
    ...stays('work', words.atWork),
    !isSure && words.sure(inlineCode(command)),
  ])
  const done = { ok: true, text: lines.join('\n'), data: countsOf(kept) }
  if (isSure) {
    await notes.drop(workspace, key)
    return done
  }
  await notes.put(workspace, key, context.effectId, confirmMs)
  return { ...done, offers: [{ label: words.eraseNow(person.name), command }] }
}

const countLines = (kept: readonly Kept[], words: Texts['privacy']): string[] =>
  Object.entries(countsOf(kept)).map(
    ([kind, count]) => `- ${words.kinds[kind as Kept['kind']]}: ${count}`,
  )

/** C379: moves the rows of a person who left to another; answers with the numbers moved. */
async function handOver(
  [from, to]: [Author, Author],
  context: CommandContext,
  { privacy, audit }: PrivacyDeps,
): Promise<CommandResult> {
  const words = texts(context.locale).privacy.handover
  if (allowed(context.whose, 'grant') === null) return { ok: false, text: words.typedOnly }
  if (from.id === to.id) return { ok: false, text: words.same(from.name) }
  const { workspace } = context
  const done = { workspace, person: `${from.id} > ${to.id}`, change: 'hand_over' as const }
  await recordPrivacy(audit, effectOf(context), done)
  const { own, ...moved } = await privacy.handOver(context.workspace, from.id, to)
  const lines = (['task', 'schedule', 'approval', 'todo'] as const)
    .filter((kind) => moved[kind] > 0)
    .map((kind) => `- ${words.kinds[kind]}: ${moved[kind]}`)
  const back = inlineCode(`/privacy handover ${to.id} ${from.id}`)
  const text = present([
    ...(lines.length === 0 ? [words.none(from.name)] : [words.moved(from.name, to.name), ...lines]),
    own !== 0 && words.own(own),
    lines.length > 0 && words.undo(back, to.name),
  ]).join('\n')
  return { ok: true, text, data: { ...moved, own } }
}
