import type { RunStrategy, ScheduleMode, When } from '../domain/schedule.ts'
import { narrow } from './words.ts'

export const ranges = ['day', 'week', 'month'] as const
export type Range = (typeof ranges)[number]
const rangeAliases: Record<Range, readonly string[]> = {
  day: ['today', 'd', '日', '天', '今天', '今日'],
  week: ['w', '周', '星期', '本周', '这周'],
  month: ['m', '月', '本月', '这个月'],
}

/** What an `add` or `update` says. A missing key means "as it is", null means "none". */
export interface ScheduleFields {
  durationMinutes?: number
  /** Milliseconds before the base event and before its repeats. */
  remindBase?: number | null
  remindRepeat?: number | null
  allow?: string[]
  mode?: ScheduleMode
  /** Null: as its title or the settings say. */
  strategy?: RunStrategy | null
  timeZone?: string
  here?: boolean
  work?: 'run' | 'note'
  quiet?: boolean
}

export type ScheduleRequest =
  | { kind: 'add'; when: When; title: string; fields: ScheduleFields }
  | { kind: 'update'; id: number; when: When | null; title: string | null; fields: ScheduleFields }
  | { kind: 'list' }
  | { kind: 'view'; range: Range; anchor: number }
  | { kind: 'get' | 'delete' | 'pause' | 'resume' | 'run' | 'dry' | 'slots'; id: number }
  | { kind: 'repeat'; id: number; on: boolean }

export type ScheduleProblemKind =
  | 'unknown_action'
  | 'unknown_option'
  | 'option_not_here'
  | 'no_value'
  | 'twice'
  | 'no_time'
  | 'past_time'
  | 'no_title'
  | 'no_id'
  | 'bad_id'
  | 'bad_number'
  | 'bad_time'
  | 'bad_zone'
  | 'bad_tool'
  | 'bad_mode'
  | 'bad_strategy'
  | 'bad_range'
  | 'bad_switch'
  | 'times_needs_interval'
  | 'once_needs_no_interval'
  | 'interval_twice'
  | 'remind_start_needs_interval'
  | 'remind_after_start'
  | 'remind_needs_minutes'
  | 'allow_by_people'
  | 'nothing_to_change'
  | 'too_long'

/** Why a line was not understood, and the nearest one that would be. */
export interface ScheduleProblem {
  kind: ScheduleProblemKind
  typed: string
  example: string
}

export const scheduleActions = [
  'add',
  'list',
  'view',
  'get',
  'update',
  'delete',
  'repeat',
  'pause',
  'resume',
  'run',
  'dry',
  'slots',
] as const
export type ScheduleAction = (typeof scheduleActions)[number]

const actionAliases: Record<ScheduleAction, readonly string[]> = {
  add: ['new', 'create', '添加', '新增', '新建', '加'],
  list: ['ls', '列表', '列出'],
  view: ['agenda', 'calendar', '视图', '日程'],
  get: ['show', '查看', '详情'],
  update: ['edit', 'change', '更新', '修改', '改'],
  delete: ['rm', 'remove', 'del', '删除', '删'],
  repeat: ['repeats', '重复'],
  pause: ['stop', 'off', '暂停'],
  resume: ['start', 'on', '恢复', '继续'],
  run: ['now', 'fire', '运行', '立即运行', '执行'],
  dry: ['dry-run', 'dryrun', 'preview', '预演', '试运行'],
  slots: ['history', 'log', '历史', '记录'],
}

export function scheduleActionOf(typed: string): ScheduleAction | null {
  const name = narrow(typed)
  return scheduleActions.find((action) => action === name || actionAliases[action].includes(name)) ?? null
}

export const allScheduleActions = scheduleActions.flatMap((action) => [action, ...actionAliases[action]])

export function rangeOf(typed: string): Range | null {
  const name = narrow(typed)
  return ranges.find((range) => range === name || rangeAliases[range].includes(name)) ?? null
}

export const scheduleOptionNames = [
  'duration',
  'remind',
  'interval',
  'times',
  'remind-start',
  'zone',
  'allow',
  'mode',
  'strategy',
  'here',
  'no-here',
  'note',
  'no-note',
  'quiet',
  'no-quiet',
] as const
export type ScheduleOption = (typeof scheduleOptionNames)[number]
export const scheduleOptionAliases: Record<ScheduleOption, readonly string[]> = {
  duration: ['length', '时长'],
  remind: ['r', 'reminder', '提醒'],
  interval: ['every', '间隔'],
  times: ['count', '次数'],
  'remind-start': ['remindstart', '重复提醒'],
  zone: ['tz', 'timezone', 'time-zone', '时区'],
  allow: ['tools', '允许'],
  mode: ['模式'],
  strategy: ['way', '方式'],
  here: ['在这里', '这里'],
  'no-here': ['nohere', '新会话'],
  note: ['只提示', '便签'],
  'no-note': ['nonote', '要做'],
  quiet: ['silent', '有事才说', '安静'],
  'no-quiet': ['noquiet', 'loud', '总是说'],
}
/** Options without a value. */
export const switches: readonly ScheduleOption[] = ['here', 'no-here', 'note', 'no-note', 'quiet', 'no-quiet']

export interface ScheduleFrame {
  now: number
  timeZone: string
  locale: string
  /** Tools with side effects that a schedule may be allowed; null when whoever writes may allow none (S4). */
  allowable: readonly string[] | null
  /** The ways of working that there are here. */
  ways: readonly RunStrategy[]
}

export const longestTitle = 2_000
export const longestScheduleLine = 6_000
export const minuteMs = 60_000
/** Ten years; further apart is no repeat. */
export const longestInterval = 10 * 366 * 1440
export const longestDuration = 31 * 1440
