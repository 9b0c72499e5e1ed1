import { texts } from '../../locales/texts.ts'
import type { Author, Offer } from '../domain/message.ts'
import { present } from '../domain/present.ts'
import { dueDayOf, reminderBefore, type Todo } from '../domain/todo.ts'
import { formatInstant, showInstant } from '../domain/zone.ts'
import type { Todos } from '../ports/store.ts'
import { type CommandContext, type CommandResult, effectOf } from './command.ts'
import { inlineCode, narrow, plainText, quote, quoteIfNeeded } from './command-line.ts'
import type { ScopeOf } from './scope.ts'
import type { OwnerWord } from './todo-kinds.ts'
import { ownerOf, type PeopleOf } from './todo-owner.ts'
import {
  renderDetails,
  renderEmpty,
  renderList,
  renderReceipt,
  renderViews,
} from './todo-render.ts'
import { inOrder, inView, type ViewName } from './todo-views.ts'
import { tomorrowAt } from './value-kinds.ts'

export interface TodoDeps {
  todos: Todos
  scopeOf: ScopeOf
  /** Whom a to-do can be given to; left out: to who asks alone. */
  people?: PeopleOf
}
type Answer<D> = Promise<CommandResult<D>>

/** Fields of a to-do besides its text. A missing key means "as it is", null means "none" (F7). */
export interface TodoFields
  extends Partial<Pick<Todo, 'tag' | 'priority' | 'dueAt' | 'dueDay' | 'remindAt'>> {
  /** Milliseconds before the due date that it has already (C137). */
  remindBefore?: number
  owner?: OwnerWord
}
export interface TodoChange {
  id: number
  text: string | null
  fields: TodoFields
}

/*
 * What a write answers is made from the row that the store gives back, never from what was read
 * before it: the same effect again after a crash gets the first row and so says the same (P1).
 */

export async function addTodo(
  { text, fields }: { text: string; fields: TodoFields },
  context: CommandContext,
  deps: TodoDeps,
): Answer<Todo> {
  const { tag = 'default', priority = 0, dueAt = null, dueDay, remindAt = null } = fields
  const late = remindsTooLate(remindAt, context)
  if (late !== null) return late
  const given = await ownerIn(fields, context, deps)
  if ('problem' in given) return { ok: false, text: given.problem }
  const day = dueAt === null ? {} : { dueDay: dueDay ?? null }
  const row = { text, tag, priority, dueAt, ...day, remindAt, doneAt: null, createdAt: context.now }
  const by = context.person ?? undefined
  const placed = { ...row, ...given, by, ...placeOf(remindAt, context) }
  const data = await deps.todos.add(
    context.workspace,
    deps.scopeOf(context),
    effectOf(context),
    placed,
  )
  const twin = await twinOf(data, context, deps)
  const words = texts(context.locale).todo
  const receipt = words.added(renderReceipt(data, context))
  return { ok: true, text: twin === null ? receipt : `${receipt}\n${words.twin(twin.id)}`, data }
}

/**
 * C375: an open to-do from before that says the same, whatever its letters, blanks and last sign.
 */
async function twinOf(added: Todo, context: CommandContext, deps: TodoDeps): Promise<Todo | null> {
  const plain = ({ text }: Todo) =>
    narrow(text)
      .replaceAll(/[\s\p{P}]+/gu, ' ')
      .trim()
  const known = await all(context, deps)
  const isTwin = (one: Todo) =>
    one.id < added.id && one.doneAt === null && plain(one) === plain(added)
  return known.find(isTwin) ?? null
}

/** The person of the place that was named; no key where none was asked for. */
async function ownerIn(
  { owner }: TodoFields,
  context: CommandContext,
  { people = async () => [] }: TodoDeps,
): Promise<{ owner?: Author | null } | { problem: string }> {
  return owner === undefined ? {} : await ownerOf(owner, context, people)
}

/** C169: nobody is reminded of what is over. */
function remindsTooLate(remindAt: number | null | undefined, { now, locale }: CommandContext) {
  if (remindAt == null || remindAt > now) return null
  return { ok: false as const, text: texts(locale).commands.errors.past_reminder }
}

/** A reminder goes where it was asked for, to the person who set it (C53, C82). */
function placeOf(
  remindAt: number | null | undefined,
  context: CommandContext,
): Partial<Pick<Todo, 'place' | 'by'>> {
  if (remindAt == null) return {}
  const { channel, conversationId, locale, timeZone, person } = context
  const place = {
    channel,
    conversationId: conversationId === '' ? null : conversationId,
    locale,
    timeZone,
  }
  return { place, ...(person === null ? {} : { by: person }) }
}

export async function updateTodo(
  asked: TodoChange,
  context: CommandContext,
  deps: TodoDeps,
): Answer<Todo> {
  const { id, text } = asked
  const { remindBefore, owner: _, ...fields } = asked.fields
  const given = await ownerIn(asked.fields, context, deps)
  if ('problem' in given) return { ok: false, text: given.problem }
  const hangsOnOld =
    remindBefore !== undefined || (fields.remindAt != null && fields.dueAt === undefined)
  const isMoved = fields.dueAt != null && fields.remindAt === undefined
  const old = hangsOnOld || isMoved ? await find(id, context, deps) : undefined
  if (hangsOnOld && old?.dueAt === null) return { ok: false, text: needsDue(asked, context) }
  if (remindBefore !== undefined && old?.dueAt != null)
    fields.remindAt = reminderBefore({ ...old, dueAt: old.dueAt }, remindBefore)
  const late = remindsTooLate(fields.remindAt, context)
  if (late !== null) return late
  const moved = isMoved && old !== undefined ? withDue(old, fields.dueAt ?? 0, context.now) : {}
  if (moved.remindAt !== undefined && moved.remindAt <= context.now)
    return { ok: false, text: movesTooEarly(asked, moved.remindAt, context) }
  const patch = {
    ...(text === null ? {} : { text }),
    ...fields,
    ...given,
    ...placeOf(fields.remindAt, context),
    ...moved,
  }
  return await write(id, patch, 'updated', context, deps)
}

/**
 * C195: a reminder stays as long before the due date as it was, where it was set; what has reminded
 * already stays as it is.
 */
function withDue({ dueAt, remindAt }: Todo, due: number, now: number): { remindAt?: number } {
  if (dueAt === null || remindAt === null) return {}
  const then = remindAt + due - dueAt
  return then <= now && remindAt <= now ? {} : { remindAt: then }
}

function movesTooEarly(
  asked: TodoChange,
  at: number,
  { locale, timeZone, times = 'wall' }: CommandContext,
): string {
  const { todo, help } = texts(locale)
  const better = `${formatTodo({ ...asked, kind: 'update' }, timeZone)} --remind none`
  return `${todo.movesTooEarly(showInstant(times, timeZone, at))}\n${help.tryThis}${inlineCode(better)}`
}

/** F6: the reminder is asked for, the day that it hangs on is missing. */
function needsDue(asked: TodoChange, frame: CommandContext): string {
  const { todo, help } = texts(frame.locale)
  const { remindAt = null, remindBefore, ...fields } = asked.fields
  const line = formatTodo({ ...asked, kind: 'update', fields }, frame.timeZone)
  const time = remindAt === null ? 'none' : formatInstant(frame.timeZone, remindAt)
  const reminder = remindBefore === undefined ? time : `${remindBefore / 60_000}m`
  const better = `${line} --due ${tomorrowAt(frame, 18)} --remind ${reminder}`
  return `${todo.remindNeedsDue(asked.id)}\n${help.tryThis}${inlineCode(better)}`
}

/** F7: marks a to-do as done; a second time keeps the first time stamp. */
export async function finishTodo(
  id: number,
  context: CommandContext,
  deps: TodoDeps,
): Answer<Todo> {
  const old = await find(id, context, deps)
  return await write(id, { doneAt: old?.doneAt ?? context.now }, 'done', context, deps)
}

/** C253: reopens a to-do; a reminder whose time is over stays silent. */
export async function reopenTodo(
  id: number,
  context: CommandContext,
  deps: TodoDeps,
): Answer<Todo> {
  const old = await find(id, context, deps)
  const isOver = old?.remindAt != null && old.remindAt <= context.now
  return await write(
    id,
    { doneAt: null, ...(isOver ? { remindAt: null } : {}) },
    'updated',
    context,
    deps,
  )
}

async function write(
  id: number,
  patch: Parameters<Todos['update']>[4],
  said: 'updated' | 'done',
  context: CommandContext,
  { todos, scopeOf }: TodoDeps,
): Answer<Todo> {
  const data = await todos.update(context.workspace, scopeOf(context), effectOf(context), id, patch)
  if (data === null) return missing(id, context)
  return { ok: true, text: texts(context.locale).todo[said](renderReceipt(data, context)), data }
}

export async function deleteTodo(
  id: number,
  context: CommandContext,
  { todos, scopeOf }: TodoDeps,
): Answer<Todo> {
  const data = await todos.remove(context.workspace, scopeOf(context), effectOf(context), id)
  if (data === null) return missing(id, context)
  const text = texts(context.locale).todo.deleted(renderReceipt(data, context))
  return { ok: true, text, data, offers: [putBack(data, context)] }
}

/** The line that makes it once more, under a new number; times that are over are left out. */
function putBack(todo: Todo, context: CommandContext): Offer {
  const { text, tag, priority, dueAt, remindAt, doneAt, owner } = todo
  const comes = (at: number | null): at is number =>
    at !== null && at > context.now && doneAt === null
  const times = comes(dueAt)
    ? {
        dueAt,
        dueDay: dueDayOf(todo, context.timeZone),
        remindAt: comes(remindAt) ? remindAt : undefined,
      }
    : {}
  const command = formatTodo(
    {
      kind: 'add',
      text,
      fields: { tag, priority, ...times, owner: owner ? { name: owner.id } : undefined },
    },
    context.timeZone,
  )
  return { label: texts(context.locale).todo.putBack, command }
}

const all = (context: CommandContext, { todos, scopeOf }: TodoDeps): Promise<Todo[]> =>
  todos.list(context.workspace, scopeOf(context))

async function find(
  id: number,
  context: CommandContext,
  deps: TodoDeps,
): Promise<Todo | undefined> {
  return (await all(context, deps)).find((todo) => todo.id === id)
}

export async function getTodo(id: number, context: CommandContext, deps: TodoDeps): Answer<Todo> {
  const data = await find(id, context, deps)
  return data === undefined
    ? missing(id, context)
    : { ok: true, text: renderDetails(data, context), data }
}

/** Describes each view and counts its to-dos. */
export async function countViews(context: CommandContext, deps: TodoDeps): Answer<readonly Todo[]> {
  const data = await all(context, deps)
  return { ok: true, text: renderViews(data, context), data }
}

/** F5, changed: what is not there is not a success. */
const missing = (id: number, { locale }: CommandContext): CommandResult<never> => ({
  ok: false,
  text: texts(locale).todo.notFound(id),
})

const withTag = (title: string, tag: string | null, locale: string) =>
  tag === null ? title : `${title} · ${texts(locale).todo.tagged(inlineCode(tag))}`

/** A view, or all; by priority, then age (F7, F8). */
export async function listTodos(
  { view, tag, owner: asked }: { view: ViewName; tag: string | null; owner?: OwnerWord },
  context: CommandContext,
  deps: TodoDeps,
): Answer<readonly Todo[]> {
  const { todo: words } = texts(context.locale)
  const whose = await ownerIn(asked === undefined ? {} : { owner: asked }, context, deps)
  if ('problem' in whose) return { ok: false, text: whose.problem }
  const known = await all(context, deps)
  const { owner: person } = whose
  const theirs = known.filter(
    ({ owner }) => person === undefined || (owner?.id ?? null) === (person?.id ?? null),
  )
  const tagged = theirs.filter((todo) => tag === null || todo.tag === tag)
  const data = inOrder(tagged.filter((todo) => inView(view, todo, context)))
  const tags = [...new Set(known.map((todo) => todo.tag))].sort()
  if (data.length === 0 && tagged.length === 0 && theirs.length < known.length)
    return { ok: true, text: words.emptyOwner(person?.name ?? null), data }
  if (data.length === 0)
    return { ok: true, text: renderEmpty({ view, tag }, tags, context.locale), data }
  const title = withTag(
    view === 'all' ? words.listTitle : words.views[view].title,
    tag,
    context.locale,
  )
  return { ok: true, text: renderList(title, data, context), data }
}

/**
 * Every word of it, in any order and case, in the text, the tag or the owner's name; the answer
 * says which they were (C376).
 */
export async function searchTodos(
  { keyword, tag }: { keyword: string; tag: string | null },
  context: CommandContext,
  deps: TodoDeps,
): Answer<readonly Todo[]> {
  const { todo: words } = texts(context.locale)
  const parts = narrow(keyword).split(/[\s,，、;；]+/u)
  const wanted = [...new Set(parts.filter((part) => part !== ''))]
  const known = await all(context, deps)
  const holds = ({ text, tag: own, owner }: Todo, word: string) =>
    narrow(`${text} ${own} ${owner?.name ?? ''}`).includes(word)
  const data = known.filter(
    (todo) => (tag === null || todo.tag === tag) && wanted.every((word) => holds(todo, word)),
  )
  const shown = wanted.map(plainText)
  if (data.length === 0) {
    const nowhere = wanted.filter((word) => !known.some((todo) => holds(todo, word)))
    return { ok: true, text: words.emptySearch(shown, nowhere.map(plainText)), data }
  }
  const title = withTag(words.foundTitle(shown), tag, context.locale)
  return { ok: true, text: renderList(title, data, context), data }
}

function ownerText(owner: OwnerWord): string {
  if (owner === null) return 'none'
  return owner === 'me' ? owner : quote(owner.name)
}

/** The command line that says this. */
export function formatTodo(
  asked: { kind: 'add'; text: string; fields: TodoFields } | ({ kind: 'update' } & TodoChange),
  timeZone: string,
): string {
  const {
    text,
    fields: { tag, priority, dueAt, dueDay, remindAt, owner },
  } = asked
  const time = (at: number | null) => (at === null ? 'none' : formatInstant(timeZone, at))
  return present([
    asked.kind === 'add' ? '/todo add' : `/todo update ${asked.id}`,
    text !== null && quoteIfNeeded(text),
    tag !== undefined && `--tag ${quoteIfNeeded(tag)}`,
    priority !== undefined && `--priority ${priority}`,
    owner !== undefined && `--owner ${ownerText(owner)}`,
    dueAt !== undefined && `--due ${dueDay ?? time(dueAt)}`,
    remindAt !== undefined && `--remind ${time(remindAt)}`,
  ]).join(' ')
}
