import { texts } from '../../locales/texts.ts'
import { nearest } from './nearest.ts'
import {
  type byNumber,
  change,
  date,
  id,
  newWhat,
  options,
  plan,
  range,
  rangeOf,
  type ScheduleRequest,
  state,
  what,
} from './schedule-options.ts'
import { readAdd, readUpdate } from './schedule-read.ts'
import type { About, CommandTable, Line } from './table.ts'
import { tomorrowAt } from './values.ts'
import { splitWhen } from './when.ts'
import { narrow } from './words.ts'

const numbered = (kind: (typeof byNumber)[number], about: About, aliases: readonly string[]) => ({
  name: kind,
  about,
  aliases,
  takes: [id],
  example: () => '1',
  request: (line: Line): ScheduleRequest => ({ kind, id: line.need(id) }),
})
const looks = { looks: true } as const

/** `/schedule view day|week|month [date]`, and `/view …` (F10). */
export const spanSubcommand = {
  name: 'view',
  aliases: ['agenda', 'calendar', '视图', '日程'],
  about: 'scheduleView' as const,
  takes: [range, date],
  ...looks,
  example: () => 'week',
  request: (line: Line): ScheduleRequest => ({
    kind: 'view',
    range: line.get(range) ?? 'week',
    anchor: line.get(date) ?? line.frame.now,
  }),
}

/** `/schedule` (F9, F10). */
export const scheduleTable: CommandTable<ScheduleRequest> = {
  name: 'schedule',
  aliases: ['schedules', '日程', '定时'],
  about: 'schedule',
  errors: (words) => words.schedule.errors,
  subcommands: [
    {
      name: 'add',
      aliases: ['new', 'create', '添加', '新增', '新建', '加'],
      about: 'scheduleAdd',
      takes: [plan, what],
      options,
      example: ({ locale }) => `${texts(locale).schedule.exampleRule} ${texts(locale).schedule.exampleTitle}`,
      request: readAdd,
    },
    {
      name: 'list',
      aliases: ['ls', '列表', '列出'],
      about: 'scheduleList',
      takes: [range, date],
      ...looks,
      example: () => '',
      request: (line) => (line.get(range) === undefined ? { kind: 'list' } : spanSubcommand.request(line)),
    },
    spanSubcommand,
    { ...numbered('get', 'scheduleGet', ['show', '查看', '详情']), ...looks },
    {
      name: 'update',
      aliases: ['edit', 'change', '更新', '修改', '改'],
      about: 'scheduleUpdate',
      takes: [id, change, newWhat],
      options,
      example: (frame) => `1 ${tomorrowAt(frame, 9)}`,
      request: readUpdate,
    },
    numbered('delete', 'scheduleDelete', ['rm', 'remove', 'del', '删除', '删']),
    {
      name: 'repeat',
      aliases: ['repeats', '重复'],
      about: 'scheduleRepeat',
      takes: [id, state],
      example: () => '1 off',
      request: (line) => ({ kind: 'repeat', id: line.need(id), on: line.need(state) === 'on' }),
    },
    numbered('pause', 'schedulePause', ['stop', 'off', '暂停']),
    numbered('resume', 'scheduleResume', ['start', 'on', '恢复', '继续']),
    numbered('run', 'scheduleRun', ['now', 'fire', '运行', '立即运行', '执行']),
    { ...numbered('dry', 'scheduleDry', ['dry-run', 'dryrun', 'preview', '预演', '试运行']), ...looks },
    { ...numbered('slots', 'scheduleSlots', ['history', 'log', '历史', '记录']), ...looks },
  ],
  guess(args, first, frame) {
    if (rangeOf(first) !== null) return `view ${args}`
    if (id.kind.read(first, frame) !== undefined) return `get ${first}`
    const after = args.slice(first.length).trim()
    if (nearest(narrow(first), ['add', 'new', 'create']) !== null && splitWhen(after, frame) !== null)
      return `add ${after}`
    // What begins with a time is most likely a schedule itself.
    return splitWhen(args, frame) === null ? null : `add ${args}`
  },
}
