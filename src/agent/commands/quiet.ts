import { texts } from '../../locales/texts.ts'
import { present } from '../domain/present.ts'
import { isQuiet, type QuietHours, type QuietWindow } from '../domain/quiet.ts'
import type { QuietOwner, QuietStore } from '../quiet-hours.ts'
import { type CommandContext, type CommandResult, effectOf } from './command.ts'
import { argument, type CommandTable, option, subcommand, type ValueKind } from './grammar.ts'
import { readQuiet } from './quiet-reader.ts'
import { flag, isNone } from './value-kinds.ts'

/** Quiet hours, or none from now on. */
const hoursKind: ValueKind<QuietHours | 'off'> = {
  label: 'hours',
  form: { kind: 'text' },
  error: 'bad_hours',
  rest: true,
  read: (typed, { timeZone }) =>
    isNone(typed) || ['关', '关闭'].includes(typed)
      ? 'off'
      : (readQuiet(typed, timeZone) ?? undefined),
  example: () => '18:00-9:00, weekends',
}

const hours = argument('hours', 'hours', hoursKind, 'quietHours', false)
const ofChannel = option('channel', flag, 'quietChannel', ['here', 'place', '频道', '这里'])

interface Asked {
  hours: QuietHours | 'off' | undefined
  ofChannel: boolean
}

/** `/quiet` (C490): when nobody is called; `/quiet off` ends it, and alone it shows what is set. */
export const quietTable: CommandTable<QuietStore> = {
  name: 'quiet',
  aliases: ['dnd', '勿扰', '免打扰'],
  about: 'quietOf',
  words: ({ quiet }) => quiet,
  subcommands: [
    subcommand('', 'quietOf', [], {
      by: 'people',
      takes: [hours],
      options: [ofChannel],
      request: (line): Asked => ({
        hours: line.get(hours),
        ofChannel: line.get(ofChannel) ?? false,
      }),
      answer: answerQuiet,
    }),
  ],
}

async function answerQuiet(
  asked: Asked,
  context: CommandContext,
  store: QuietStore,
): Promise<CommandResult> {
  const { workspace, channel, person, locale, now } = context
  const words = texts(locale).quiet
  if (person === null) return { ok: false, text: words.onlyPeople }
  if (asked.hours === undefined) return await show(context, person.id, store)
  const owner: QuietOwner = asked.ofChannel ? { channel } : { person: person.id }
  const whose = asked.ofChannel ? 'channel' : 'person'
  if (asked.hours === 'off') {
    await store.drop(workspace, owner, effectOf(context))
    return { ok: true, text: words.ended[whose](person.name) }
  }
  await store.keep(workspace, owner, asked.hours, effectOf(context))
  const said = words.set[whose](hoursInWords(asked.hours, locale), person.name)
  const isNow = isQuiet(asked.hours, now) ? [words.isNow] : []
  return { ok: true, text: [said, ...isNow].join(' '), data: asked.hours }
}

async function show(
  { workspace, channel, locale }: CommandContext,
  person: string,
  store: QuietStore,
): Promise<CommandResult> {
  const words = texts(locale).quiet
  const own = await store.of(workspace, { person })
  const theirs = await store.of(workspace, { channel })
  const lines = present([
    own === null ? words.none : words.own(hoursInWords(own, locale)),
    theirs !== null && words.here(hoursInWords(theirs, locale)),
  ])
  return { ok: true, text: lines.join('\n'), data: { own, channel: theirs } }
}

/** `18:00 to 09:00 the next day, Sat and Sun (Europe/Berlin)`. */
export function hoursInWords({ windows, outside, timeZone }: QuietHours, locale: string): string {
  const words = texts(locale).quiet
  const all = windows.map((window) => windowInWords(window, locale)).join(words.and)
  return `${outside ? words.outside(all) : all} (${timeZone})`
}

function windowInWords({ days, from, to }: QuietWindow, locale: string): string {
  const { quiet, schedule } = texts(locale)
  const isDaily = days.length === 7
  const names = { '1,2,3,4,5': quiet.weekdays, '0,6': quiet.weekends }[days.join()]
  // The week begins on Monday.
  const listed = [...days.filter((day) => day > 0), ...days.filter((day) => day === 0)]
  const dayNames = listed.map((day) => schedule.dayNames[day] ?? '').join(quiet.comma)
  const on = isDaily ? null : (names ?? dayNames)
  if (from === 0 && to === 1440) return on ?? quiet.always
  return quiet.window([clock(from), clock(to)], { on, isNextDay: to <= from && to > 0 })
}

const clock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
