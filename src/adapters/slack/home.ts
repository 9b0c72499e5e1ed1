import { hoursInWords } from '../../agent/commands/quiet.ts'
import { dayAndTime, renderSchedule } from '../../agent/commands/schedule-render.ts'
import { renderTodo } from '../../agent/commands/todo-render.ts'
import { inOrder } from '../../agent/commands/todo-views.ts'
import type { Author } from '../../agent/domain/message.ts'
import { present } from '../../agent/domain/present.ts'
import { hasEnded, ownerOf, type Run } from '../../agent/domain/run.ts'
import type { Schedule } from '../../agent/domain/schedule.ts'
import { createQuietStore } from '../../agent/quiet-hours.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import { defang } from '../safety.ts'
import { shortened } from '../text.ts'
import { Anything } from './api.ts'
import { actions, type Block, button, context, header, section } from './blocks.ts'
import type { Slack } from './context.ts'
import { traits } from './deps.ts'
import { limits } from './limits.ts'
import { escapeText, lineInMrkdwn } from './markdown.ts'
import { Channels } from './paging.ts'
import { openDirect } from './private-message.ts'
import { actionIds } from './render.ts'
import { controlButtons } from './render-plan.ts'

const runsRead = 200
const shownMost = 10

/**
 * Person whose Home tab is shown. `direct` is their direct-message channel with Clew, whose to-dos
 * and schedules are theirs; `null` while unknown.
 */
interface Reader {
  workspace: string
  person: Author
  direct: string | null
  locale: string
  timeZone: string
  words: Texts
}

/**
 * Publishes a person's items on Clew's Home tab. `direct` is their direct-message channel with
 * Clew, if known. Never throws.
 */
export async function publishHome(
  slack: Slack,
  workspace: string,
  user: string,
  direct: string | null = null,
): Promise<void> {
  try {
    const reader = await readerOf(slack, workspace, user, direct)
    const scopes = await scopesOf(slack, reader)
    const blocks = [
      header(reader.words.slack.home.title),
      context(reader.words.slack.home.lead),
      ...zoneBlocks(reader),
      await quietBlock(slack, reader),
      ...(await taskBlocks(slack, reader)),
      ...(await todoBlocks(slack, reader, scopes)),
      ...(await scheduleBlocks(slack, reader, scopes)),
    ]
    const args = {
      user_id: user,
      view: { type: 'home', blocks: blocks.slice(0, limits.homeBlocks) },
    }
    await slack.api.call(workspace, 'views.publish', args, Anything)
  } catch (error) {
    slack.deps.log.warn({ err: error }, 'Home tab not published')
  }
}

async function readerOf(
  slack: Slack,
  workspace: string,
  user: string,
  given: string | null,
): Promise<Reader> {
  const { people, deps } = slack
  const known = await people.who(workspace, user)
  const locale = known?.locale ?? deps.defaults.locale
  const opened = given === null ? await openDirect(slack, workspace, user) : null
  return {
    workspace,
    person: { id: user, name: known?.name ?? user },
    direct: opened?.kind === 'ready' ? opened.where.channel : given,
    locale,
    timeZone: known?.timeZone ?? deps.defaults.timeZone,
    words: texts(locale),
  }
}

/**
 * Renders the person's time zone. It comes from their Slack profile, and the button reads it again.
 */
function zoneBlocks({ timeZone, words: { slack } }: Reader): Block[] {
  const again = button(actionIds.zone, 'again', slack.home.readAgain)
  return [section(slack.home.zone(escapeText(timeZone))), actions([again])]
}

/** Renders their quiet hours (C490). */
async function quietBlock({ deps }: Slack, { workspace, person, locale, words }: Reader) {
  const hours = await createQuietStore(deps.notes, () => traits).of(workspace, {
    person: person.id,
  })
  const { quiet } = words
  return context(hours === null ? quiet.none : quiet.own(hoursInWords(hours, locale)))
}

/** Renders their tasks. Those that wait for an answer come first. */
async function taskBlocks(slack: Slack, { workspace, person, words }: Reader): Promise<Block[]> {
  const { home } = words.slack
  const runs = await slack.deps.runs.list(workspace, runsRead)
  const open = runs
    .filter((run) => ownerOf(run)?.id === person.id && !hasEnded(run.status))
    .slice(0, shownMost)
  const show = async (those: readonly Run[]) =>
    (await Promise.all(those.map((run) => oneTask(slack, run, words)))).flat()
  const waiting = await show(open.filter(({ status }) => status === 'awaiting_clarification'))
  const others = await show(open.filter(({ status }) => status !== 'awaiting_clarification'))
  return [
    ...(waiting.length > 0 ? [header(home.waiting), ...waiting] : []),
    header(home.tasks),
    ...(others.length > 0 ? others : [context(home.none)]),
  ]
}

async function oneTask({ deps }: Slack, run: Run, words: Texts): Promise<Block[]> {
  const { workspace, conversationId, status } = run
  const state =
    conversationId === null ? null : await deps.conversations.state(workspace, conversationId, 0)
  const question = state?.questions.find(({ runId }) => runId === run.id)
  const buttons = controlButtons(status, run.id, words)
  const title = plainly(shortened(run.title.replace(/\*\*|~~|`/g, ''), 200))
  const link = state === null ? null : (traits.linkTo?.(state.conversation.address) ?? null)
  const named = link === null ? title : `<${link}|${title}>`
  const line = section(`*${named}*\n${words.slack.status[status]} · <#${run.channel}>`)
  if (question === undefined) return [line, actions(buttons)]
  const choices = question.choices.map((choice, index) =>
    button(actionIds.answer(index), question.id, choice),
  )
  return [line, section(lineInMrkdwn(dull(question.text))), actions([...choices, ...buttons])]
}

/**
 * Renders their to-dos: all of their own channel with Clew; elsewhere those that they own, or added
 * without an owner.
 */
async function todoBlocks({ deps }: Slack, reader: Reader, scopes: Scopes) {
  const { workspace, person, direct, locale, timeZone, words } = reader
  const { home } = words.slack
  const found = await Promise.all(
    Array.from(scopes, async ([scope, channel]) =>
      (await deps.todos.list(workspace, scope)).map((todo) => ({ todo, channel })),
    ),
  )
  const channels = new Map(found.flat().map(({ todo, channel }) => [todo, channel]))
  const mine = [...channels.keys()].filter(
    (todo) =>
      todo.doneAt === null &&
      (channels.get(todo) === direct || (todo.owner ?? todo.by)?.id === person.id),
  )
  const items = inOrder(mine).map((todo) => ({
    text: renderTodo(todo, { locale, timeZone, times: 'zoned', now: deps.clock.now() }),
    buttons: [commandButton(channels.get(todo) ?? '', `/todo done ${todo.id}`, home.done)],
  }))
  return listed(home.todos, items, home.noTodos)
}

/** Renders the schedules that they created. */
async function scheduleBlocks({ deps }: Slack, reader: Reader, scopes: Scopes): Promise<Block[]> {
  const { workspace, person, direct, words } = reader
  const found = await Promise.all(
    Array.from(scopes, async ([scope, channel]) =>
      (await deps.schedules.list(workspace, scope)).map((schedule) => ({ schedule, channel })),
    ),
  )
  const items = found
    .flat()
    .filter(({ schedule }) => schedule.createdBy?.id === person.id && mayStart(schedule))
    .toSorted((a, b) => (a.schedule.nextAt ?? 0) - (b.schedule.nextAt ?? 0))
    .map(({ schedule, channel }) => scheduleItem(schedule, channel, reader))
  const shown = listed(words.slack.home.schedules, items, words.slack.home.noSchedules)
  // C185: the button creates schedules in their channel with Clew.
  return direct === null
    ? shown
    : [...shown, actions([button(actionIds.schedule, direct, words.slack.form.newSchedule)])]
}

/** True if the schedule may still start a run. */
const mayStart = ({ nextAt, paused }: Schedule) => nextAt !== null || paused

/**
 * Maps each scope to a channel that the person and Clew are in. If channels share a scope, the
 * first one represents it.
 */
type Scopes = ReadonlyMap<string, string>

async function scopesOf(slack: Slack, reader: Reader): Promise<Scopes> {
  const { workspace, person, direct } = reader
  const channels = present([direct, ...(await sharedWith(slack, reader))])
  return new Map(
    channels
      .toReversed()
      .map((channel) => [slack.deps.scopeOf({ workspace, channel, person }), channel]),
  )
}

/** Lists the channels that a person and Clew are both in. */
async function sharedWith({ api }: Slack, { workspace, person }: Reader): Promise<string[]> {
  const types = 'public_channel,private_channel,mpim'
  const args = { user: person.id, types, exclude_archived: true, limit: limits.homeChannels }
  const answer = await api.call(workspace, 'users.conversations', args, Channels, { minor: true })
  return answer.kind === 'ok' ? answer.value.items.map(({ id }) => id) : []
}

function scheduleItem(
  schedule: Schedule,
  channel: string,
  { locale, timeZone, words }: Reader,
): Item {
  const { home } = words.slack
  const { id, paused, nextAt } = schedule
  const next =
    paused || nextAt === null
      ? ''
      : ` → ${dayAndTime(nextAt, timeZone, { locale, times: 'zoned' })}`
  const turn = paused
    ? commandButton(channel, `/schedule resume ${id}`, home.resume)
    : commandButton(channel, `/schedule pause ${id}`, home.pause)
  const now = commandButton(channel, `/schedule run ${id}`, home.runNow)
  return { text: renderSchedule(schedule, { locale, times: 'zoned' }) + next, buttons: [turn, now] }
}

/** Line of Markdown with its buttons. */
interface Item {
  text: string
  buttons: ReturnType<typeof button>[]
}

/** Creates a button that gives a command in the item's channel. */
const commandButton = (channel: string, command: string, label: string) =>
  button(actionIds.command(`${channel} ${command}`), `${channel} ${command}`, label)

function listed(title: string, items: readonly Item[], hint: string): Block[] {
  if (items.length === 0) return [header(title), context(lineInMrkdwn(hint))]
  const shown = items.slice(0, shownMost)
  return [
    header(title),
    ...shown.flatMap(({ text, buttons }) => [section(lineInMrkdwn(dull(text))), actions(buttons)]),
  ]
}

/** Disables links in text from people or models (S2). */
const dull = (text: string) => defang(text, () => false)
const plainly = (text: string) => escapeText(dull(text))
