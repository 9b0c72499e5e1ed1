import type { RunStrategy, Schedule, When } from '../domain/schedule.ts'
import { planned } from '../schedules/judge-slot.ts'
import type { CommandContext } from './command.ts'

/** What is said of a schedule beside its time and title. A missing key means "as it is", null means "none". */
export interface ScheduleFields
  extends Partial<Pick<Schedule, 'durationMinutes' | 'allow' | 'mode' | 'work' | 'quiet'>> {
  /** Milliseconds before the base event and before its repeats. */
  remindBase?: number | null
  remindRepeat?: number | null
  /** Null: as its title or the settings say. */
  strategy?: RunStrategy | null
  timeZone?: string
  /** Whether its words go into the thread in which that is said. */
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

/** A new row. It shows up where it was asked for and speaks the language that it was asked in. */
export function scheduleFrom(
  { when, title, fields }: NewSchedule,
  context: CommandContext,
): Omit<Schedule, 'id' | 'version'> {
  const { channel, conversationId, locale, timeZone, now, person } = context
  const askedIn = conversationId === '' ? null : conversationId
  const plain: Schedule = {
    ...{
      version: 1,
      id: 1,
      title,
      when,
      work: 'run',
      durationMinutes: 60,
      remind: { base: null, repeat: null },
    },
    ...{
      place: { channel, conversationId: null, locale, timeZone },
      askedIn,
      createdBy: person,
      createdAt: now,
    },
    ...{
      allow: [],
      paused: false,
      repeats: true,
      nextAt: null,
      remindAt: null,
      lastAt: null,
      lastRunId: null,
    },
    ...{ fired: 0, asked: null },
  }
  const { version: _, id: __, ...row } = planned(withFields(plain, fields, askedIn), now)
  return row
}

/**
 * F10: a new time replaces the repeat rule by what it says; what is not named stays. A slot that is due just now stays
 * due, unless the rule itself changed.
 */
export function changed(
  old: Schedule,
  { when, title, fields }: ScheduleChange,
  { now, conversationId }: CommandContext,
): Schedule {
  const ruled = when === null ? {} : { when, repeats: true, fired: 0 }
  const named = { ...old, ...ruled, title: title ?? old.title }
  const next = withFields(
    named,
    fields,
    conversationId === '' ? old.place.conversationId : conversationId,
  )
  const fresh = planned(next, now)
  return when !== null || next.place.timeZone !== old.place.timeZone
    ? fresh
    : { ...fresh, nextAt: old.nextAt }
}

/** @param thread the one that its words go into if they are to go into the one where this is said. */
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
    here,
    ...plain
  } = fields
  const conversationId = here === undefined ? place.conversationId : here ? thread : null
  return {
    ...old,
    ...plain,
    ...(strategy === null ? {} : { strategy }),
    remind: {
      base: remindBase === undefined ? remind.base : remindBase,
      repeat: remindRepeat === undefined ? remind.repeat : remindRepeat,
    },
    place: { ...place, timeZone, conversationId },
  }
}
