import { ApplicationCommandOptionType as Kind } from 'discord.js'
import { runStrategies, ScheduleMode } from '../../agent/domain/schedule.ts'
import { discord as en } from '../../locales/en/discord.ts'
import { discord as zh } from '../../locales/zh/discord.ts'
import { limits } from './limits.ts'
import { shortened } from './render.ts'

/** A native command or a part of one, as the API takes it. */
export interface Definition {
  name: string
  description: string
  description_localizations: Record<string, string>
  type?: number
  options?: Definition[]
  required?: boolean
  autocomplete?: boolean
  choices?: { name: string; value: string }[]
  min_value?: number
  max_length?: number
  contexts?: number[]
  integration_types?: number[]
}

type Word = keyof typeof en.commands

const described = (word: Word) => ({
  description: shortened(en.commands[word], 100),
  description_localizations: { 'zh-CN': shortened(zh.commands[word], 100), 'zh-TW': shortened(zh.commands[word], 100) },
})
const text = (name: string, word: Word, part: Partial<Definition> = {}): Definition => ({
  type: Kind.String,
  name,
  ...described(word),
  ...part,
})
const whole = (name: string, word: Word, part: Partial<Definition> = {}): Definition => ({
  ...text(name, word, part),
  type: Kind.Integer,
})
const yes = (name: string, word: Word): Definition => ({ ...text(name, word), type: Kind.Boolean })
const sub = (name: string, word: Word, options: Definition[] = []): Definition => ({
  type: Kind.Subcommand,
  name,
  ...described(word),
  options,
})
/** In servers and in direct messages, installed by a server. */
const command = (name: string, word: Word, options: Definition[] = []): Definition => ({
  type: 1,
  name,
  ...described(word),
  options,
  contexts: [0, 1],
  integration_types: [0],
})

const needed = { required: true }
const id = text('id', 'id', { required: true, autocomplete: true })
const tag = text('tag', 'tag', { autocomplete: true, max_length: limits.choiceCharacters })
const oneOf = (...names: string[]) => ({ choices: names.map((name) => ({ name, value: name })) })
const todoViews = ['all', 'today', 'overdue', 'upcoming', 'inbox']
const periods = ['day', 'week', 'month']
const times = [text('due', 'due'), text('remind', 'remind')]
const priority = whole('priority', 'priority', { min_value: 0 })
const date = text('date', 'date')
const planned = [
  text('remind', 'remind'),
  whole('interval', 'interval', { min_value: 1 }),
  whole('times', 'times', { min_value: 2 }),
  text('remind-start', 'remindStart'),
  whole('duration', 'duration', { min_value: 1 }),
  text('zone', 'zone', { autocomplete: true }),
  yes('here', 'here'),
  yes('note', 'note'),
  yes('quiet', 'quiet'),
  text('strategy', 'strategy', oneOf(...runStrategies)),
  text('mode', 'mode', oneOf(...ScheduleMode.options)),
  text('allow', 'allow'),
]

/** Commands with options of their own; others get one line of text. */
const own: Record<string, Definition> = {
  todo: command('todo', 'todo', [
    sub('add', 'todoAdd', [text('text', 'text', needed), tag, priority, ...times]),
    sub('list', 'todoList', [tag, text('view', 'viewName', oneOf(...todoViews))]),
    sub('search', 'todoSearch', [text('words', 'words', needed), tag]),
    sub('get', 'todoGet', [id]),
    sub('done', 'todoDone', [id]),
    sub('delete', 'todoDelete', [id]),
    sub('update', 'todoUpdate', [id, text('text', 'text'), tag, priority, ...times]),
  ]),
  view: command('view', 'view', [
    text('name', 'viewName', { ...needed, ...oneOf(...todoViews, ...periods) }),
    tag,
    date,
  ]),
  schedule: command('schedule', 'schedule', [
    sub('add', 'scheduleAdd', [text('when', 'when', needed), text('what', 'text', needed), ...planned]),
    sub('list', 'scheduleList'),
    sub('view', 'scheduleView', [text('period', 'period', { ...needed, ...oneOf(...periods) }), date]),
    sub('get', 'scheduleGet', [id]),
    sub('update', 'scheduleUpdate', [id, text('when', 'when'), text('what', 'text'), ...planned]),
    sub('repeat', 'scheduleRepeat', [id, text('state', 'state', { ...needed, ...oneOf('on', 'off') })]),
    sub('pause', 'schedulePause', [id]),
    sub('resume', 'scheduleResume', [id]),
    sub('run', 'scheduleRun', [id]),
    sub('dry', 'scheduleDry', [id]),
    sub('slots', 'scheduleSlots', [id]),
    sub('delete', 'scheduleDelete', [id]),
  ]),
  help: command('help', 'help', [text('topic', 'topic')]),
}

/** Commands of Discord's alone. */
const always = [
  command('task', 'task', [
    sub('start', 'taskStart', [text('goal', 'goal', { required: true, max_length: 2000 })]),
    sub('list', 'taskList'),
    sub('show', 'taskShow', [id]),
    sub('stop', 'taskStop', [id]),
    sub('continue', 'taskContinue', [id]),
    sub('retry', 'taskRetry', [id]),
  ]),
  command('timezone', 'timezone', [text('zone', 'zone', { required: true, autocomplete: true })]),
]

/** Every native command, for the commands that Clew has. */
export function definitionsFor(names: readonly string[]): Definition[] {
  const taken = always.map(({ name }) => name)
  const theirs = names
    .filter((name) => !taken.includes(name) && /^[-_\p{L}\p{N}]{1,32}$/u.test(name))
    .map((name) => own[name] ?? command(name, 'other', [text('line', 'line')]))
  return [...theirs, ...always]
}
