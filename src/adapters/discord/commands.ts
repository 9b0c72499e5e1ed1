import { InteractionResponseType } from 'discord.js'
import { isPlace, placesOf } from '../../agent/commands/when/zones.ts'
import { progressOf } from '../../agent/domain/progress.ts'
import { hasEnded } from '../../agent/domain/run.ts'
import type { Way } from '../../agent/domain/words.ts'
import { type CommandChoice, lineOf, scheduleLine } from '../channel-kit/chosen-command.ts'
import { type Control, type Meaning, submitText } from '../channel-kit/gestures.ts'
import { afterGesture } from '../channel-kit/intake.ts'
import { threadLink } from '../channel-kit/thread-link.ts'
import { linksTo } from '../safety.ts'
import { shortened } from '../text.ts'
import { readChosen } from './chosen-command.ts'
import { newSchedule, planSubs } from './definitions.ts'
import { traits, workspaceOf } from './deps.ts'
import { type AnyChannel, isThread } from './directory.ts'
import { answerFirst, type DiscordGesture, press, tell } from './interaction-replies.ts'
import { keptWhile } from './kept-commands.ts'
import { limits } from './limits.ts'
import { directPlace } from './message-menu.ts'
import { refOf } from './parse.ts'
import { fileFrom, withLast } from './parts.ts'
import { post } from './post.ts'
import {
  alone,
  inline,
  nonceOf,
  offersOf,
  type Part,
  plain,
  renderSchedule,
  renderText,
} from './render.ts'
import { renderPlan } from './render-plan.ts'
import { conversationIn, homeOf, taskActions, tasksIn } from './tasks.ts'

/** Answer that only the person sees. */
type Reply = string | readonly Part[]

/** Runs a slash command and answers privately, in channels, threads and direct messages. */
export async function runCommand(gesture: DiscordGesture): Promise<void> {
  const chosen = readChosen(gesture.data)
  if (chosen?.name === 'schedule' && chosen.sub === newSchedule)
    return void (await answerFirst(gesture, {
      type: InteractionResponseType.Modal,
      data: renderSchedule(gesture.words),
    }))
  await privately(gesture, async (place, given) => {
    const { discord, words } = given
    if (chosen === null) return words.discord.notKept
    if (chosen.name === 'timezone') return await keepZone(given, String(chosen.values.zone ?? ''))
    if (chosen.name === 'task') return await task(given, chosen, place)
    const isKnown = discord.deps.commands.includes(chosen.name)
    return isKnown
      ? await runLine(given, { text: lineOf(chosen) }, place)
      : words.discord.noSuchCommand
  })
}

/** C185: runs the submitted form for a new schedule as the command that creates it. */
export async function makeSchedule(
  gesture: DiscordGesture,
  fields: readonly { custom_id: string; value: string }[],
): Promise<void> {
  const value = (name: string) => fields.find(({ custom_id: id }) => id === name)?.value ?? ''
  const line = scheduleLine({ when: value('when'), what: value('what') })
  await privately(gesture, (place, given) => runLine(given, { text: line, way: 'form' }, place))
}

/** Answers a person privately, in a place where they may use Clew. */
const privately = (gesture: DiscordGesture, work: PlaceWork): Promise<void> =>
  keptWhile(gesture, async () => {
    const { discord, words } = gesture
    const place = await discord.directory.find(gesture.channelId)
    if (place === 'away') return await tell(gesture, words.discord.notKept)
    if (place !== null) return await answerIn(gesture, place, work)
    // The person installed Clew for themselves, but it is not in this server, so their direct
    // messages are the place (C447).
    const direct = await directPlace(gesture)
    if (direct === null) return await tell(gesture, words.discord.notHere)
    const { id } = gesture.person
    const by = await discord.standingOf({ id, bot: false, guildId: null })
    await answerIn({ ...gesture, by, workspace: workspaceOf(null) }, direct, work)
  })

/** Runs a command in a place and returns its answer. */
type PlaceWork = (place: AnyChannel, given: DiscordGesture) => Promise<Reply>

async function answerIn(
  gesture: DiscordGesture,
  place: AnyChannel,
  work: PlaceWork,
): Promise<void> {
  const { discord, person, words } = gesture
  if (!discord.deps.mayUse(person.id, homeOf(place)))
    return await tell(gesture, words.core.notAllowed)
  const by = discord.deps.standingIn(gesture.by, homeOf(place))
  if (by !== 'member')
    return await tell(gesture, words.core[by === 'unknown' ? 'notKnown' : 'outsider'])
  await discord.people.keepLocale(person.id, gesture.locale)
  await tell(gesture, await work(place, gesture))
}

async function runLine(
  gesture: DiscordGesture,
  { text, way = 'typed' }: { text: string; way?: Way },
  place: AnyChannel,
): Promise<Reply> {
  const { discord, words } = gesture
  const { deps, people } = discord
  const conversationId = await conversationIn(discord, gesture.workspace, place)
  const zone = await people.zoneOf(gesture.person.id)
  const result = await deps.endpoint({
    ...gesture,
    whose: { way, by: gesture.by },
    channel: homeOf(place),
    conversationId: conversationId ?? undefined,
    timeZone: zone ?? deps.defaults.timeZone,
    zoneUnset: zone === null,
    text,
  })
  // An effect on a task or a question belongs to the thread and is announced there for all.
  const isThreads = result.conversation !== undefined || result.control !== undefined
  const taken =
    isThreads && conversationId !== null
      ? await press(gesture, { kind: 'offer', id: conversationId, command: text })
      : null
  if (result.control !== undefined)
    return afterGesture(taken, words, words.discord.notYours) ?? words.discord.told.plan
  const answer = asFields(result.text === '' ? words.core.emptyMention : result.text)
  const parts = renderText(answer, gesture.locale, linksTo([text], deps.linkHosts))
  const offers = result.private === true ? (result.offers ?? []) : []
  return withLast(parts, {
    files: result.file === undefined ? [] : [fileFrom(result.file)],
    components: offers.length === 0 ? undefined : offersOf(offers, alone),
  })
}

/** C286: runs the command of a button in a private message, and answers privately. */
export const pressedAlone = (gesture: DiscordGesture, text: string): Promise<void> =>
  privately(gesture, (place) => runLine(gesture, { text, way: 'pressed' }, place))

/** C168: rewrites options in examples as the fields of Discord's form. */
const asFields = (text: string): string =>
  text.replace(/`\/[^`\n]{1,900}`/g, (line) =>
    line.replace(/(?<=\s)--(?!no-)([a-z][a-z-]{1,20})/g, '$1:'),
  )

/** Subcommands of `/task` that are also buttons. */
const actions: Readonly<Record<string, Control>> = {
  stop: 'cancel',
  retry: 'retry',
  continue: 'continue',
}

async function task(
  gesture: DiscordGesture,
  chosen: CommandChoice,
  place: AnyChannel,
): Promise<Reply> {
  const { discord, words } = gesture
  const { sub, values } = chosen
  if (sub === 'start') return await startTask(gesture, String(values.goal ?? ''), place)
  if (sub !== null && planSubs.includes(sub))
    return await runLine(gesture, { text: lineOf(chosen) }, place)
  const { noTasks, openTasks, status, told, notYours } = words.discord
  const tasks = await tasksIn(discord, gesture.workspace, place)
  if (sub !== 'list' && sub !== null) {
    const run = tasks.filter((one) => taskActions[sub]?.(one)).find(({ id }) => id === values.id)
    if (run === undefined) return noTasks
    if (sub === 'show') return await showTask(gesture, run.id)
    const command = lineOf({ ...chosen, values: { ...values, id: run.id.replace('_', '') } })
    const meaning: Meaning =
      sub === 'again'
        ? { kind: 'offer', id: run.conversationId ?? '', command }
        : { kind: 'control', action: actions[sub] ?? 'continue', id: run.id }
    const result = await press(gesture, meaning)
    return (
      afterGesture(result, words, notYours) ??
      told[meaning.kind === 'control' ? meaning.action : 'again']
    )
  }
  const open = tasks.filter((run) => !hasEnded(run.status))
  if (open.length === 0) return noTasks
  const lines = await Promise.all(
    open.map(async (run) => {
      const link = await threadLink(discord.deps, traits, run)
      return `- ${inline(run.title)} · ${status[run.status]}${link === null ? '' : ` · ${link}`}`
    }),
  )
  return [`**${openTasks}**`, ...lines].join('\n')
}

/** Shows the live plan again, to this person only. */
async function showTask(
  { discord, workspace, locale, words }: DiscordGesture,
  runId: string,
): Promise<Reply> {
  const found = await discord.deps.runs.state(workspace, runId)
  return found === null
    ? words.discord.noTasks
    : [renderPlan(progressOf(found.run, found.task), locale)]
}

/** Posts the request as a public message. The thread grows from it, as from a mention. */
async function startTask(gesture: DiscordGesture, goal: string, place: AnyChannel): Promise<Reply> {
  const { discord, words } = gesture
  const asks = shortened(
    words.discord.asks(inline(gesture.person.name), goal),
    limits.contentCharacters - 200,
  )
  const [request = plain('…')] = renderText(
    asks,
    gesture.locale,
    linksTo([goal], discord.deps.linkHosts),
  )
  const sent = await post(discord, place.id, request, nonceOf(gesture.id, 'task'))
  if (sent.kind !== 'sent') return words.discord[sent.kind === 'refused' ? 'nowhere' : 'notKept']
  const thread = isThread(place) || place.guild_id === null ? place.id : sent.ref
  const timeZone = await discord.people.zoneOf(gesture.person.id)
  const result = await submitText(
    discord,
    { ...gesture, timeZone: timeZone ?? gesture.timeZone },
    { channel: homeOf(place), thread, ref: refOf(place.id, sent.ref) },
    { text: goal, way: 'typed' },
  )
  const link = `https://discord.com/channels/${place.guild_id ?? '@me'}/${thread}/${sent.ref}`
  const isHere = place.id === gesture.channelId
  const opened = thread === place.id ? words.discord.openedHere : words.discord.openedBelow(link)
  return afterGesture(result, words, '') ?? (isHere ? opened : words.discord.inDirect(link))
}

async function keepZone(
  { discord, person, locale, words }: DiscordGesture,
  zone: string,
): Promise<Reply> {
  const places = placesOf(zone)?.join(', ')
  if (places) return words.discord.zoneUnclear(zone, places)
  if (!isPlace(zone)) return words.discord.zoneUnknown(zone.slice(0, 60))
  await discord.people.keepZone(person.id, zone)
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: zone })
  return words.discord.zoneKept(zone, clock.format(discord.deps.clock.now()))
}
