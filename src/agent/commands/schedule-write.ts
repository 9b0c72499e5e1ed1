import type { Schedule } from '../domain/schedule.ts'
import { planned } from '../schedules/misfire.ts'
import type { CommandContext } from './command.ts'
import type { NewSchedule, ScheduleChange, ScheduleFields } from './schedule-options.ts'

/** A new row. It shows up where it was asked for and speaks the language that it was asked in. */
export function scheduleFrom(
  { when, title, fields }: NewSchedule,
  context: CommandContext,
): Omit<Schedule, 'id' | 'version'> {
  const { channel, conversationId, locale, timeZone, now, person } = context
  const askedIn = conversationId === '' ? null : conversationId
  const plain: Schedule = {
    ...{ version: 1, id: 1, title, when, work: 'run', durationMinutes: 60, remind: { base: null, repeat: null } },
    ...{ place: { channel, conversationId: null, locale, timeZone }, askedIn, createdBy: person, createdAt: now },
    ...{ allow: [], paused: false, repeats: true, nextAt: null, remindAt: null, lastAt: null, lastRunId: null },
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
  const next = withFields(named, fields, conversationId === '' ? old.place.conversationId : conversationId)
  const fresh = planned(next, now)
  return when !== null || next.place.timeZone !== old.place.timeZone ? fresh : { ...fresh, nextAt: old.nextAt }
}

/** @param here the thread that its words go into if they are to go into the one where this is said. */
function withFields(old: Schedule, fields: ScheduleFields, here: string | null): Schedule {
  const { remindBase, remindRepeat, strategy, mode = old.mode, quiet = old.quiet } = fields
  const { mode: _, strategy: kept, quiet: __, ...row } = old
  const way = strategy === undefined ? kept : (strategy ?? undefined)
  return {
    ...row,
    work: fields.work ?? old.work,
    durationMinutes: fields.durationMinutes ?? old.durationMinutes,
    remind: {
      base: remindBase === undefined ? old.remind.base : remindBase,
      repeat: remindRepeat === undefined ? old.remind.repeat : remindRepeat,
    },
    allow: fields.allow ?? old.allow,
    ...(mode === undefined ? {} : { mode }),
    ...(quiet === undefined ? {} : { quiet }),
    ...(way === undefined ? {} : { strategy: way }),
    place: {
      ...old.place,
      timeZone: fields.timeZone ?? old.place.timeZone,
      conversationId: fields.here === undefined ? old.place.conversationId : fields.here ? here : null,
    },
  }
}
