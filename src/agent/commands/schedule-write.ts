import type { Author } from '../domain/message.ts'
import { type RunStrategy, type Schedule, type When, withoutGrant } from '../domain/schedule.ts'
import { allowed } from '../domain/words.ts'
import { planned } from '../schedules/judge-slot.ts'
import type { CommandContext } from './command.ts'

/**
 * Fields of a schedule besides its time and title. A missing key means "as it is", null means
 * "none".
 */
export interface ScheduleFields
  extends Partial<
    Pick<Schedule, 'durationMinutes' | 'allow' | 'mode' | 'work' | 'quiet' | 'ping'>
  > {
  /** Milliseconds before the base event and before its repeats. */
  remindBase?: number | null
  remindRepeat?: number | null
  /** Null: as its title or the settings say. */
  strategy?: RunStrategy | null
  timeZone?: string
  /** C315: from when and until when its rule holds, for one that has a rule. */
  starting?: number | null
  until?: number | null
  /** True if it speaks in the thread of the command. */
  here?: boolean
}
export interface NewSchedule {
  when: When
  title: string
  fields: ScheduleFields
}
export interface ScheduleChange {
  id: number
  when: When | null
  title: string | null
  fields: ScheduleFields
}

/** A rule with these limits; null takes one back, undefined leaves it as it is. */
export function limited(
  when: When,
  { starting, until }: Record<'starting' | 'until', number | null | undefined>,
): When {
  if (!('times' in when)) return when
  const next = { ...when }
  if (starting === null) delete next.starting
  else if (starting !== undefined) next.starting = starting
  if (until === null) delete next.until
  else if (until !== undefined) next.until = until
  return next
}

/** A new row. It shows up where it was asked for and speaks the language that it was asked in. */
export function scheduleFrom(
  { when, title, fields }: NewSchedule,
  context: CommandContext,
): Omit<Schedule, 'id' | 'version'> {
  const { channel, conversationId, locale, timeZone, now, person } = context
  const askedIn = conversationId === '' ? null : conversationId
  const plain: Schedule = {
    version: 1,
    id: 1,
    title,
    when,
    work: 'run',
    durationMinutes: 60,
    remind: { base: null, repeat: null },
    place: { channel, conversationId: null, locale, timeZone },
    askedIn,
    createdBy: person,
    createdAt: now,
    allow: [],
    paused: false,
    repeats: true,
    nextAt: null,
    remindAt: null,
    lastAt: null,
    lastRunId: null,
    fired: 0,
    asked: null,
  }
  const made = granting(withFields(plain, fields, askedIn), fields, person)
  const { version: _, id: __, ...row } = planned(made, now)
  return row
}

/**
 * F10: a new time replaces the repeat rule by what it says; what is not named stays. A slot that is
 * due just now stays due, unless the rule itself changed.
 */
export function changed(
  old: Schedule,
  { when, title, fields }: ScheduleChange,
  { now, conversationId, person, whose }: CommandContext,
): Schedule {
  const ruled = when === null ? {} : { when, repeats: true, fired: 0 }
  const named = { ...old, ...ruled, title: title ?? old.title }
  const thread = conversationId === '' ? old.place.conversationId : conversationId
  const written = withFields(named, fields, thread)
  const isTheirs = allowed(whose, 'grant') !== null && person?.id === grantorOf(old)?.id
  const next = granting(isTheirs ? written : ungranted(written, fields), fields, person)
  const fresh = planned(next, now)
  return when !== null || next.place.timeZone !== old.place.timeZone
    ? fresh
    : { ...fresh, nextAt: old.nextAt }
}

/**
 * Clears a pause's notes of a missing place or owner. If the owner left, the schedule passes to the
 * person who resumes it, without the old owner's grants (C378).
 */
export function resumed({ gone, ...old }: Schedule, { person }: CommandContext): Schedule {
  const schedule = { ...old, paused: false }
  if (gone !== 'owner' || person === null || person.id === old.createdBy?.id) return schedule
  return { ...ungranted(schedule, {}), createdBy: person }
}

const grantorOf = ({ grantedBy, createdBy }: Schedule) => grantedBy ?? createdBy

/** True if its runs may change something without a question. */
export const isGranted = ({ allow, mode = 'safe' }: Pick<Schedule, 'allow' | 'mode'>) =>
  allow.length > 0 || mode === 'auto'

/**
 * True if somebody who starts it anew may use what it was allowed: whoever allowed it, by words of
 * their own.
 */
const mayUse = (old: Schedule, { whose, person }: CommandContext) =>
  whose.way !== 'model' && person?.id === grantorOf(old)?.id

/**
 * S52: a schedule that rested goes on without what it was allowed, unless the one who allowed it
 * says so.
 */
export const restarted = (old: Schedule, context: CommandContext): Schedule =>
  isGranted(old) && !mayUse(old, context) ? ungranted(old, {}) : old

/** S52: a start by hand asks before every change where another one was allowed them. */
export const startedNow = (old: Schedule, key: string, context: CommandContext): Schedule => ({
  ...old,
  asked: {
    key,
    at: context.now,
    asks: (isGranted(old) && !mayUse(old, context)) || undefined,
  },
})

/** S48: drops what was allowed for other words. What is allowed along with the new words stays. */
const ungranted = (schedule: Schedule, { allow = [], mode }: ScheduleFields): Schedule => ({
  ...withoutGrant(schedule),
  allow,
  ...(mode === undefined ? {} : { mode }),
})

/** Records the person as grantor of what the fields allow. */
const granting = (schedule: Schedule, fields: ScheduleFields, person: Author | null): Schedule =>
  person === null || (fields.allow === undefined && fields.mode === undefined)
    ? schedule
    : { ...schedule, grantedBy: { id: person.id, name: person.name } }

/**
 * @param thread the one that its words go into if they are to go into the one where this is said.
 */
function withFields(
  { strategy: kept, ...old }: Schedule,
  fields: ScheduleFields,
  thread: string | null,
): Schedule {
  const { remind, place } = old
  const {
    remindBase,
    remindRepeat,
    strategy = kept ?? null,
    timeZone = place.timeZone,
    starting,
    until,
    here,
    ...plain
  } = fields
  const wanted = here === true ? thread : null
  const conversationId = here === undefined ? place.conversationId : wanted
  return {
    ...old,
    ...plain,
    when: limited(old.when, { starting, until }),
    ...(strategy === null ? {} : { strategy }),
    remind: {
      base: remindBase === undefined ? remind.base : remindBase,
      repeat: remindRepeat === undefined ? remind.repeat : remindRepeat,
    },
    place: { ...place, timeZone, conversationId },
  }
}
