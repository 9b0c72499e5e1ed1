import { texts } from '../../locales/texts.ts'
import type { Author } from '../domain/message.ts'
import type { Destination, Schedule } from '../domain/schedule.ts'
import { dueDayOf, type Todo } from '../domain/todo.ts'
import { isTimeZone, showInstant, type Times } from '../domain/zone.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { calling, postMessage } from '../kernel/messages.ts'
import { conversationAt, openedBy, openThread } from '../kernel/open-thread.ts'
import type { Missing } from '../ports/channel.ts'
import type { Alarm, Conversations } from '../ports/store.ts'
import { askedTime } from './asked-time.ts'
import { type Firing, placeFor } from './scheduled-run.ts'

/**
 * F12: the key of a reminder names it for good, so it is said once; the words go where the to-do
 * was noted (C53).
 */
export function reminderOfTodo({
  scope,
  todo,
  times,
}: {
  scope: string
  todo: Todo
  times: Times
}): Speech {
  const place = placeOf(todo, scope)
  const words = texts(place.locale).schedule
  const day = dueDayOf(todo, place.timeZone)
  const due = todo.dueAt === null ? null : (day ?? showInstant(times, place.timeZone, todo.dueAt))
  return {
    place,
    key: `${scope} todo:${todo.id}:${todo.remindAt}`,
    to: todo.by ?? null,
    askedFor: todo.remindAt ?? undefined,
    title: words.reminderTitle(todo.text),
    text: words.todoReminder(todo.id, todo.text, due),
  }
}

export function reminderOfSchedule({ scope, schedule, times }: Firing, slot: number): Speech {
  const { id, title, place, askedIn, when, remindAt } = schedule
  const words = texts(place.locale).schedule
  return {
    place: { ...place, conversationId: place.conversationId ?? askedIn },
    key: `${scope} schedule:${id}:${slot}:remind`,
    to: schedule.createdBy,
    askedFor: askedTime(when, remindAt ?? slot),
    title: words.reminderTitle(title),
    text: words.scheduleReminder(id, title, showInstant(times, place.timeZone, slot)),
  }
}

const noteKey = (scope: string, id: number, key: string) => `${scope} schedule:${id}:${key}:note`

/** The thread in which the words of a slot were said. */
export const threadOfNote = (
  workspace: string,
  scope: string,
  { id, place }: Schedule,
  slot: number,
): string =>
  place.conversationId ??
  openedBy({ kind: 'schedule', refId: noteKey(scope, id, String(slot)) }, workspace)

/** A schedule that only says something: no run, no model. */
export function noteOf(
  { scope, schedule, times }: Firing,
  { slot, key }: { slot: number; key: string },
): Speech {
  const { id, title, when, createdBy: to } = schedule
  const place = placeFor(schedule, key)
  const text = texts(place.locale).schedule.note(title, showInstant(times, place.timeZone, slot))
  return { place, key: noteKey(scope, id, key), to, askedFor: askedTime(when, slot), title, text }
}

/** C378: that it is paused, to who made it; where they left, to the place. */
export function goneInWords({ scope, schedule, now }: Firing, missing: Missing): Speech {
  const { id, title, place, createdBy, askedIn } = schedule
  const words = texts(place.locale).schedule
  return {
    place: { ...place, conversationId: place.conversationId ?? askedIn },
    key: `${scope} schedule:${id}:${now}:gone`,
    to: missing === 'owner' ? null : createdBy,
    title,
    text:
      missing === 'place' ? words.placeGone(id) : words.ownerGone(id, title, createdBy?.name ?? ''),
  }
}

/**
 * P18: message that a due schedule or to-do could not be worked on, for the place where it was
 * asked for.
 */
export function asideInWords(alarm: Alarm, now: number): Speech {
  const { title, place, key, to } =
    alarm.kind === 'todo'
      ? { ...aboutTodo(alarm.todo, alarm.scope), key: `todo:${alarm.todo.id}` }
      : { ...alarm.schedule, key: `schedule:${alarm.schedule.id}`, to: alarm.schedule.createdBy }
  const timeZone = isTimeZone(place.timeZone) ? place.timeZone : 'UTC'
  const text = texts(place.locale).core.aside.alarm(title)
  return {
    place: { ...place, timeZone },
    key: `${alarm.scope} ${key}:${now}:aside`,
    to,
    title,
    text,
  }
}

const aboutTodo = (todo: Todo, scope: string) => ({
  title: todo.text,
  place: placeOf(todo, scope),
  to: todo.by ?? null,
})

const placeOf = (todo: Todo, scope: string) =>
  todo.place ?? { channel: channelIn(scope), conversationId: null, locale: 'en', timeZone: 'UTC' }

/** Message of an alarm, and its place. The key names it for good. */
export interface Speech {
  place: Destination
  key: string
  /** Person who set it, and so is called (C82). */
  to: Author | null
  /** The time for which they asked to be called (C491). */
  askedFor?: number | undefined
  title: string
  text: string
}

/** Posts the message in its conversation. If there is none, it opens one, unread (R106). */
export async function speak(
  read: Pick<Conversations, 'state'>,
  { workspace, now }: { workspace: string; now: number },
  { place, key, to, askedFor, title, text }: Speech,
): Promise<ChangePart> {
  const { channel, locale, timeZone, thread } = place
  const known = conversationAt(workspace, place)
  const there = known === null ? null : await read.state(workspace, known, 0)
  const cause = { kind: 'schedule' as const, refId: key }
  const { shown, opening } = openThread(there, cause, {
    workspace,
    channel,
    title,
    locale,
    timeZone,
    within: thread,
    at: now,
  })
  const { id } = shown.conversation
  const origin = calling({ conversationId: id, cause, at: now, askedFor }, to)
  return mergeChanges(postMessage(origin, 'words', text), { conversationId: id }, opening)
}

const channelIn = (scope: string) => /^channel:(.*)$/s.exec(scope)?.[1] ?? ''
