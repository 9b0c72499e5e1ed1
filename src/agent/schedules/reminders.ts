import { texts } from '../../locales/texts.ts'
import { newConversation } from '../domain/conversation.ts'
import { deriveId } from '../domain/id.ts'
import type { Author } from '../domain/message.ts'
import type { Destination, Schedule } from '../domain/schedule.ts'
import type { Todo } from '../domain/todo.ts'
import { isTimeZone, showInstant, type Times } from '../domain/zone.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { calling, postMessage } from '../kernel/messages.ts'
import type { Alarm, Conversations } from '../ports/store.ts'
import type { Firing } from './scheduled-run.ts'

type Read = Pick<Conversations, 'state'>

/** F12: the key of a reminder names it for good, so it is said once; the words go where the to-do was noted (C53). */
export async function reminderOfTodo(
  read: Read,
  { workspace, scope, todo, now, times }: { workspace: string; scope: string; todo: Todo; now: number; times: Times },
): Promise<ChangePart> {
  const place = placeOf(todo, scope)
  const words = texts(place.locale).schedule
  const due = todo.dueAt === null ? null : showInstant(times, place.timeZone, todo.dueAt)
  return await speak(read, {
    workspace,
    place,
    now,
    key: `${scope} todo:${todo.id}:${todo.remindAt}`,
    to: todo.by ?? null,
    title: words.reminderTitle(todo.text),
    text: words.todoReminder(todo.id, todo.text, due),
  })
}

export async function reminderOfSchedule(
  read: Read,
  { workspace, scope, schedule, now, times }: Firing,
  slot: number,
): Promise<ChangePart> {
  const { id, title, place, askedIn } = schedule
  const words = texts(place.locale).schedule
  return await speak(read, {
    workspace,
    place: { ...place, conversationId: place.conversationId ?? askedIn },
    now,
    key: `${scope} schedule:${id}:${slot}:remind`,
    to: schedule.createdBy,
    title: words.reminderTitle(title),
    text: words.scheduleReminder(id, title, showInstant(times, place.timeZone, slot)),
  })
}

const noteKey = (scope: string, id: number, key: string) => `${scope} schedule:${id}:${key}:note`

/** The thread in which the words of a slot were said. */
export const threadOfNote = (workspace: string, scope: string, { id, place }: Schedule, slot: number): string =>
  place.conversationId ?? opened(workspace, noteKey(scope, id, String(slot)))

const opened = (workspace: string, key: string): string => deriveId('c', 'schedule', workspace, key)

/** A schedule that only says something: no run, no model. */
export async function noteOf(read: Read, firing: Firing, { slot, key }: { slot: number; key: string }) {
  const { workspace, scope, schedule, now, times } = firing
  const { id, title, place } = schedule
  const words = texts(place.locale).schedule
  return await speak(read, {
    workspace,
    place,
    now,
    key: noteKey(scope, id, key),
    to: schedule.createdBy,
    title,
    text: words.note(title, showInstant(times, place.timeZone, slot)),
  })
}

/** P18: what was due and could not be worked on is said where it was asked for. */
export async function asideInWords(
  read: Read,
  { workspace, alarm, now }: { workspace: string; alarm: Alarm; now: number },
): Promise<ChangePart> {
  const { title, place, key } =
    alarm.kind === 'todo'
      ? { title: alarm.todo.text, place: placeOf(alarm.todo, alarm.scope), key: `todo:${alarm.todo.id}` }
      : { ...alarm.schedule, key: `schedule:${alarm.schedule.id}` }
  const timeZone = isTimeZone(place.timeZone) ? place.timeZone : 'UTC'
  const text = texts(place.locale).core.aside.alarm(title)
  return await speak(read, {
    workspace,
    place: { ...place, timeZone },
    now,
    key: `${alarm.scope} ${key}:${now}:aside`,
    to: alarm.kind === 'todo' ? (alarm.todo.by ?? null) : alarm.schedule.createdBy,
    title,
    text,
  })
}

const placeOf = (todo: Todo, scope: string): Destination =>
  todo.place ?? { channel: channelIn(scope), conversationId: null, locale: 'en', timeZone: 'UTC' }

interface Speech {
  workspace: string
  place: Destination
  now: number
  key: string
  /** Who set it, and so is called (C82). */
  to: Author | null
  title: string
  text: string
}

/** One line in the conversation if there is one, else in a new one, unread (R106). */
async function speak(read: Read, { workspace, place, now, key, to, title, text }: Speech): Promise<ChangePart> {
  const { conversationId, channel, locale, timeZone } = place
  const there = conversationId === null ? null : await read.state(workspace, conversationId, 0)
  const id = there?.conversation.id ?? opened(workspace, key)
  const address = { workspace, channel, thread: null }
  const conversation = newConversation({ id, address, title, locale, timeZone, at: now })
  return mergeChanges(
    postMessage(calling({ conversationId: id, cause: { kind: 'schedule', refId: key }, at: now }, to), 'words', text),
    { conversationId: id },
    there === null ? { conversation: { open: conversation } } : {},
  )
}

const channelIn = (scope: string): string => /^channel:(.*)$/s.exec(scope)?.[1] ?? ''
