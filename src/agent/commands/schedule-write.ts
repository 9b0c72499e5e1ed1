import type { Schedule } from '../domain/schedule.ts'
import { planned } from '../schedules/misfire.ts'
import type { CommandContext } from './command.ts'
import type { ScheduleRequest } from './schedule-grammar.ts'

type Add = Extract<ScheduleRequest, { kind: 'add' }>
type Update = Extract<ScheduleRequest, { kind: 'update' }>

/** A new row. It shows up where it was asked for and speaks the language that it was asked in. */
export function scheduleFrom({ when, title, fields }: Add, context: CommandContext): Omit<Schedule, 'id' | 'version'> {
  const { channel, conversationId, locale, now, person } = context
  const askedIn = conversationId === '' ? null : conversationId
  const {
    version: _,
    id: __,
    ...row
  } = planned(
    {
      version: 1,
      id: 1,
      title,
      work: fields.work ?? 'run',
      when,
      durationMinutes: fields.durationMinutes ?? 60,
      remind: { base: fields.remindBase ?? null, repeat: fields.remindRepeat ?? null },
      place: {
        channel,
        conversationId: fields.here ? askedIn : null,
        locale,
        timeZone: fields.timeZone ?? context.timeZone,
      },
      askedIn,
      createdBy: person,
      createdAt: now,
      allow: fields.allow ?? [],
      ...(fields.mode === undefined || fields.mode === 'safe' ? {} : { mode: fields.mode }),
      ...(fields.strategy ? { strategy: fields.strategy } : {}),
      ...(fields.quiet ? { quiet: true } : {}),
      paused: false,
      repeats: true,
      nextAt: null,
      remindAt: null,
      lastAt: null,
      lastRunId: null,
      fired: 0,
      asked: null,
    },
    now,
  )
  return row
}

/**
 * F10: a new time replaces the repeat rule by what it says; what is not named stays. A slot that is due just now stays
 * due, unless the rule itself changed.
 */
export function changed(
  old: Schedule,
  { when, title, fields }: Update,
  { now, conversationId }: CommandContext,
): Schedule {
  const next: Schedule = {
    ...old,
    title: title ?? old.title,
    work: fields.work ?? old.work,
    when: when ?? old.when,
    repeats: when === null ? old.repeats : true,
    fired: when === null ? old.fired : 0,
    durationMinutes: fields.durationMinutes ?? old.durationMinutes,
    remind: {
      base: fields.remindBase === undefined ? old.remind.base : fields.remindBase,
      repeat: fields.remindRepeat === undefined ? old.remind.repeat : fields.remindRepeat,
    },
    allow: fields.allow ?? old.allow,
    ...(fields.mode === undefined ? {} : { mode: fields.mode }),
    ...(fields.quiet === undefined ? {} : { quiet: fields.quiet }),
    place: {
      ...old.place,
      timeZone: fields.timeZone ?? old.place.timeZone,
      conversationId: placeOf(fields.here, old.place.conversationId, conversationId),
    },
  }
  if (fields.strategy === null) delete next.strategy
  else if (fields.strategy !== undefined) next.strategy = fields.strategy
  const ruled = when !== null || next.place.timeZone !== old.place.timeZone
  const fresh = planned(next, now)
  return ruled ? fresh : { ...fresh, nextAt: old.nextAt }
}

/** The thread that its words go into from now on; null: each time a new one. What is said outside of threads names none. */
function placeOf(here: boolean | undefined, old: string | null, said: string): string | null {
  if (here === false) return null
  return here && said !== '' ? said : old
}
