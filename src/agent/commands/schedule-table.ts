import { allowed } from '../domain/words.ts'
import { narrow } from './command-line.ts'
import { type CommandTable, formsOn, type Line, subcommand } from './grammar.ts'
import { nearest } from './nearest.ts'
import {
  addSchedule,
  deleteSchedule,
  listSchedules,
  pauseSchedule,
  repeatSchedule,
  type ScheduleDeps,
  showSchedule,
  showSlots,
  startSchedule,
  tryOutSchedule,
  updateSchedule,
  viewSchedules,
} from './schedule.ts'
import {
  change,
  date,
  id,
  newWhat,
  options,
  plan,
  range,
  rangeOf,
  state,
  what,
} from './schedule-options.ts'
import { eventFrame, readAdd, readUpdate } from './schedule-read.ts'
import { tomorrowAt } from './value-kinds.ts'
import { splitWhen } from './when/read.ts'

const one = formsOn<number, ScheduleDeps>(id)
const looks = { looks: true } as const
const all = Object.values(options)

export const addForm = subcommand(
  'add',
  'scheduleAdd',
  ['new', 'create', '添加', '新增', '新建', '加'],
  {
    takes: [plan, what],
    options: all,
    // That of the time has a title already.
    example: (frame) => plan.kind.example(frame, '') ?? '',
    frame: eventFrame,
    request: readAdd,
    answer: addSchedule,
  },
)

export const updateForm = subcommand(
  'update',
  'scheduleUpdate',
  ['edit', 'change', '更新', '修改', '改'],
  {
    takes: [id, change, newWhat],
    options: all,
    example: (frame) => `1 ${tomorrowAt(frame, 9)}`,
    frame: eventFrame,
    request: readUpdate,
    answer: updateSchedule,
  },
)

const readSpan = (line: Line) => ({
  range: line.get(range) ?? 'week',
  anchor: line.get(date) ?? line.frame.now,
})

/** `/schedule` (F9, F10). */
export const scheduleTable: CommandTable<ScheduleDeps> = {
  name: 'schedule',
  aliases: ['schedules', '日程', '定时'],
  about: 'schedule',
  words: ({ schedule }) => schedule,
  subcommands: [
    addForm,
    subcommand('list', 'scheduleList', ['ls', '列表', '列出'], {
      takes: [range, date],
      ...looks,
      example: () => '',
      request: (line) => (line.get(range) === undefined ? { anchor: null } : readSpan(line)),
      answer: (span, context, deps) =>
        span.anchor !== null ? viewSchedules(span, context, deps) : listSchedules(context, deps),
    }),
    subcommand('view', 'scheduleView', ['agenda', 'calendar', '视图', '日程'], {
      takes: [range, date],
      ...looks,
      request: readSpan,
      answer: viewSchedules,
    }),
    { ...one('get', 'scheduleGet', ['show', '查看', '详情'], showSchedule), ...looks },
    updateForm,
    one('delete', 'scheduleDelete', ['rm', 'remove', 'del', '删除', '删'], deleteSchedule),
    subcommand('repeat', 'scheduleRepeat', ['repeats', '重复'], {
      takes: [id, state],
      request: (line) => ({ id: line.need(id), on: line.need(state) === 'on' }),
      answer: (asked, context, deps) => repeatSchedule(asked.id, asked.on, context, deps),
    }),
    one('pause', 'schedulePause', ['stop', 'off', '暂停'], (number, ...at) =>
      pauseSchedule(number, true, ...at),
    ),
    one('resume', 'scheduleResume', ['start', 'on', '恢复', '继续'], (number, ...at) =>
      pauseSchedule(number, false, ...at),
    ),
    one('run', 'scheduleRun', ['now', 'fire', '运行', '立即运行', '执行'], startSchedule),
    {
      ...one(
        'dry',
        'scheduleDry',
        ['dry-run', 'dryrun', 'preview', '预览', '预演', '试运行'],
        tryOutSchedule,
      ),
      ...looks,
    },
    { ...one('slots', 'scheduleSlots', ['history', 'log', '历史', '记录'], showSlots), ...looks },
  ],
  // Only words that may grant allow a schedule anything (S4): no model's, and none that were
  // pressed or handed over.
  frame: (context, { allowable, ways, sourcesIn }) => ({
    ...context,
    sources: sourcesIn?.(context) ?? [],
    allowable: allowed(context.whose, 'grant') === null ? null : allowable,
    // A model hands nothing to the coding agent at a later time, since it cannot now without a
    // person (S49).
    ways: context.whose.way === 'model' ? ways.filter((way) => way !== 'coding') : ways,
  }),
  guess(args, first, frame) {
    if (rangeOf(first) !== null) return `view ${args}`
    if (id.kind.read(first, frame) !== undefined) return `get ${first}`
    const after = args.slice(first.length).trim()
    if (
      nearest(narrow(first), ['add', 'new', 'create']) !== null &&
      splitWhen(after, frame) !== null
    )
      return `add ${after}`
    // What begins with a time is most likely a schedule itself.
    return plan.kind.read(args, frame) === undefined ? null : `add ${args}`
  },
}
