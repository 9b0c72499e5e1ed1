import { texts } from '../../locales/texts.ts'
import { addDays, formatWall, wallClockIn } from '../domain/zone.ts'
import { type ScheduleAction, type ScheduleFrame, type ScheduleOption, switches } from './schedule-grammar.ts'
import { type CommandLine, quoteIfNeeded, textOf } from './words.ts'

/* What a problem with a line offers instead: the whole line, corrected, that can be sent as it is (F10). */

export interface Line {
  action: ScheduleAction
  line: CommandLine<ScheduleOption>
  rest: string
  frame: ScheduleFrame
}

export function exampleOf(action: ScheduleAction, frame: ScheduleFrame, id: number | string = 1): string {
  switch (action) {
    case 'add':
      return `/schedule add ${texts(frame.locale).schedule.exampleRule} ${texts(frame.locale).schedule.exampleTitle}`
    case 'update':
      return `/schedule update ${id} ${tomorrow(frame)}`
    case 'list':
      return '/schedule list'
    case 'view':
      return '/schedule view week'
    case 'repeat':
      return `/schedule repeat ${id} off`
    default:
      return `/schedule ${action} ${id}`
  }
}

export const tomorrow = ({ now, timeZone }: ScheduleFrame): string =>
  formatWall({ ...addDays(wallClockIn(timeZone, now), 1), hour: 9, minute: 0 })

export const valueFor = (option: string): string =>
  ({
    duration: '60',
    remind: '30m',
    interval: '1440',
    times: '5',
    'remind-start': '30m',
    zone: 'UTC',
    mode: 'ask',
    strategy: 'batch',
  })[option] ?? 'none'

/** What was typed, put in order, with some options corrected or left out. */
export function lineExample(
  { action, line, frame }: Line,
  instead: Partial<Record<string, string | null>>,
  words = textOf(line.words),
): string {
  const options = new Map<string, string | null>([
    ...line.options,
    ...Object.entries(instead).map(([key, value]) => [key, value ?? null] as const),
  ])
  const parts = [...options].flatMap(([name, value]) =>
    value === null
      ? []
      : switches.includes(name as ScheduleOption)
        ? [`--${name}`]
        : [`--${name}`, quoteIfNeeded(value)],
  )
  const said = words === '' ? exampleOf(action, frame).split(' ').slice(2).join(' ') : words
  return ['/schedule', action, said, ...parts].join(' ')
}
