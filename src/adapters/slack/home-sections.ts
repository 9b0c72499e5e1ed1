import { dayAndTime, renderSchedule } from '../../agent/commands/schedule-render.ts'
import type { ScopeOf } from '../../agent/commands/scope.ts'
import { renderTodo } from '../../agent/commands/todo-render.ts'
import { inOrder } from '../../agent/commands/todo-views.ts'
import type { Schedule } from '../../agent/domain/schedule.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Schedules, Todos } from '../../agent/ports/store.ts'
import { texts } from '../../locales/texts.ts'
import type { HomeItem, HomeReader, HomeSection } from './deps.ts'

/** What the Home tab shows besides tasks and questions: a person's to-dos and the schedules that they made. */
export function createHomeSections(deps: {
  todos: Pick<Todos, 'list'>
  schedules: Pick<Schedules, 'list'>
  scopeOf: ScopeOf
  clock: Pick<Clock, 'now'>
}): HomeSection[] {
  const todos: HomeSection = async ({ workspace, direct, person, locale, timeZone }) => {
    const { home } = texts(locale).slack
    const channel = direct ?? ''
    const listed = await deps.todos.list(workspace, deps.scopeOf({ workspace, channel, person }))
    const open = inOrder(listed.filter(({ doneAt }) => doneAt === null))
    const reader = { locale, timeZone, now: deps.clock.now() }
    const items = open.map((todo) => ({
      text: renderTodo(todo, reader),
      channel,
      actions: [{ label: home.done, command: `/todo done ${todo.id}` }],
    }))
    return { title: home.todos, hint: home.noTodos, items }
  }

  /** In which channel each scope of theirs can be named; a scope that several channels share is looked at once. */
  function scopesOf({ workspace, direct, shared, person }: HomeReader): Map<string, string> {
    const channels = [...(direct === null ? [] : [direct]), ...shared]
    return new Map(channels.toReversed().map((channel) => [deps.scopeOf({ workspace, channel, person }), channel]))
  }

  const schedules: HomeSection = async (reader) => {
    const { workspace, person, locale } = reader
    const { home } = texts(locale).slack
    const found = await Promise.all(
      Array.from(scopesOf(reader), async ([scope, channel]) =>
        (await deps.schedules.list(workspace, scope)).map((schedule) => ({ schedule, channel })),
      ),
    )
    const theirs = found.flat().filter(({ schedule }) => schedule.createdBy?.id === person.id && isOpen(schedule))
    const items = theirs
      .toSorted((a, b) => (a.schedule.nextAt ?? 0) - (b.schedule.nextAt ?? 0))
      .map(({ schedule, channel }) => scheduleItem(schedule, channel, reader))
    return { title: home.schedules, hint: home.noSchedules, items }
  }

  function scheduleItem(schedule: Schedule, channel: string, { locale, timeZone }: HomeReader): HomeItem {
    const { home } = texts(locale).slack
    const next =
      schedule.paused || schedule.nextAt === null ? '' : ` → ${dayAndTime(schedule.nextAt, timeZone, { locale })}`
    const turn = schedule.paused
      ? { label: home.resume, command: `/schedule resume ${schedule.id}` }
      : { label: home.pause, command: `/schedule pause ${schedule.id}` }
    return {
      text: renderSchedule(schedule, { locale }) + next,
      channel,
      actions: [turn, { label: home.runNow, command: `/schedule run ${schedule.id}` }],
    }
  }

  return [todos, schedules]
}

/** It may still start something. */
const isOpen = ({ nextAt, paused }: Schedule): boolean => nextAt !== null || paused
