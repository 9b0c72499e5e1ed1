import { InteractionResponseType } from 'discord.js'
import { progressOf } from '../../agent/domain/progress.ts'
import { hasEnded } from '../../agent/domain/run.ts'
import { isTimeZone } from '../../agent/domain/zone.ts'
import { texts } from '../../locales/texts.ts'
import { type Chosen, lineOf, scheduleLine } from '../channel-kit/chosen-command.ts'
import { type Control, type Meaning, submitText } from '../channel-kit/gestures.ts'
import { afterGesture } from '../channel-kit/refusals.ts'
import { linksTo } from '../safety.ts'
import { shortened } from '../text.ts'
import { readChosen } from './chosen-command.ts'
import type { Discord } from './context.ts'
import { newSchedule, planSubs } from './definitions.ts'
import { type AnyChannel, isThread } from './directory.ts'
import { answerFirst, answerPrivately, type DiscordGesture, press, reply, tell } from './interaction-replies.ts'
import { limits } from './limits.ts'
import { refOf } from './parse.ts'
import { fileFrom, withLast } from './parts.ts'
import { post } from './post.ts'
import { inline, nonceOf, plain, renderSchedule, renderText } from './render.ts'
import { renderPlan } from './render-plan.ts'
import { conversationIn, homeOf, taskActions, tasksIn } from './tasks.ts'

/** A native command: answered for the person alone, at once, in channels, threads and direct messages. */
export async function runCommand(discord: Discord, gesture: DiscordGesture): Promise<void> {
  const chosen = readChosen(gesture.data)
  if (chosen?.name === 'schedule' && chosen.sub === newSchedule) {
    const data = renderSchedule(texts(gesture.locale))
    return void (await answerFirst(discord, gesture, { type: InteractionResponseType.Modal, data }))
  }
  await privately(discord, gesture, async (place) => {
    const { discord: words } = texts(gesture.locale)
    if (chosen === null) return await tell(discord, gesture, words.notKept)
    if (chosen.name === 'timezone') return await keepZone(discord, gesture, String(chosen.values.zone ?? ''))
    if (chosen.name === 'task') return await task(discord, gesture, chosen, place)
    const isKnown = discord.deps.commands.includes(chosen.name)
    return isKnown
      ? await runLine(discord, gesture, lineOf(chosen), place)
      : await tell(discord, gesture, words.noSuchCommand)
  })
}

/** C185: what was filled into the form is the command that makes the schedule. */
export async function makeSchedule(
  discord: Discord,
  gesture: DiscordGesture,
  fields: readonly { custom_id: string; value: string }[],
): Promise<void> {
  const value = (name: string) => fields.find(({ custom_id: id }) => id === name)?.value ?? ''
  const line = scheduleLine({ when: value('when'), what: value('what') })
  await privately(discord, gesture, (place) => runLine(discord, gesture, line, place))
}

/** What is answered to one person alone, in a place where they may use Clew. */
async function privately(
  discord: Discord,
  gesture: DiscordGesture,
  work: (place: AnyChannel) => Promise<void>,
): Promise<void> {
  if (!(await answerPrivately(discord, gesture))) return
  const { discord: words, core } = texts(gesture.locale)
  const place = await discord.directory.find(gesture.channelId)
  if (place === 'away') return await tell(discord, gesture, words.notKept)
  // Somebody installed Clew for themselves, and it has not been invited here.
  if (place === null) return await tell(discord, gesture, words.notHere)
  if (!discord.deps.mayUse(gesture.person.id, homeOf(place))) return await tell(discord, gesture, core.notAllowed)
  await discord.people.keepLocale(gesture.person.id, gesture.locale)
  await work(place)
}

async function runLine(discord: Discord, gesture: DiscordGesture, text: string, place: AnyChannel): Promise<void> {
  const { deps, people } = discord
  const conversationId = await conversationIn(discord, gesture.workspace, place)
  const zone = await people.zoneOf(gesture.person.id)
  const result = await deps.endpoint({
    ...gesture,
    channel: homeOf(place),
    ...(conversationId === null ? {} : { conversationId }),
    timeZone: zone ?? deps.defaults.timeZone,
    zoneUnset: zone === null,
    text,
  })
  const words = texts(gesture.locale)
  // What it settles, or does to a task, is the thread's, and said there for all to see.
  const isThreads = result.conversation !== undefined || result.control !== undefined
  const taken =
    isThreads && conversationId !== null
      ? await press(discord, gesture, { kind: 'offer', id: conversationId, command: text })
      : null
  if (result.control !== undefined)
    return await tell(discord, gesture, afterGesture(taken, words, words.discord.notYours) ?? words.discord.told.plan)
  const answer = asFields(result.text === '' ? words.core.emptyMention : result.text)
  const parts = renderText(answer, gesture.locale, linksTo([text], deps.linkHosts))
  const files = result.file === undefined ? [] : [fileFrom(result.file)]
  await reply(discord, gesture, withLast(parts, { files }))
}

/** C168: in examples an option is the field that the form has for it. */
const asFields = (text: string): string =>
  text.replace(/`\/[^`\n]{1,900}`/g, (line) => line.replace(/(?<=\s)--(?!no-)([a-z][a-z-]{1,20})/g, '$1:'))

/** What the parts of `/task` are that are buttons, too. */
const actions: Readonly<Record<string, Control>> = { stop: 'cancel', retry: 'retry', continue: 'continue' }

async function task(discord: Discord, gesture: DiscordGesture, chosen: Chosen, place: AnyChannel): Promise<void> {
  const { discord: words } = texts(gesture.locale)
  const { sub, values } = chosen
  if (sub === 'start') return await startTask(discord, gesture, String(values.goal ?? ''), place)
  if (sub !== null && planSubs.includes(sub)) return await runLine(discord, gesture, lineOf(chosen), place)
  const tasks = await tasksIn(discord, gesture.workspace, place)
  if (sub !== 'list' && sub !== null) {
    const run = tasks.filter((one) => taskActions[sub]?.(one)).find(({ id }) => id === values.id)
    if (run === undefined) return await tell(discord, gesture, words.noTasks)
    if (sub === 'show') return await showTask(discord, gesture, run.id)
    const command = lineOf({ ...chosen, values: { ...values, id: run.id.replace('_', '') } })
    const meaning: Meaning =
      sub === 'again'
        ? { kind: 'offer', id: run.conversationId ?? '', command }
        : { kind: 'control', action: actions[sub] ?? 'continue', id: run.id }
    const result = await press(discord, gesture, meaning)
    const told = words.told[meaning.kind === 'control' ? meaning.action : 'again']
    return await tell(discord, gesture, afterGesture(result, texts(gesture.locale), words.notYours) ?? told)
  }
  const lines = tasks
    .filter(({ status }) => !hasEnded(status))
    .map((run) => `- ${inline(run.title)} · ${words.status[run.status]}`)
  await tell(discord, gesture, lines.length === 0 ? words.noTasks : [`**${words.openTasks}**`, ...lines].join('\n'))
}

/** The live plan once more, for this person alone. */
async function showTask(discord: Discord, gesture: DiscordGesture, runId: string): Promise<void> {
  const found = await discord.deps.runs.state(gesture.workspace, runId)
  if (found === null) return await tell(discord, gesture, texts(gesture.locale).discord.noTasks)
  await reply(discord, gesture, [renderPlan(progressOf(found.run, found.task), gesture.locale)])
}

/** The request becomes a message that all can see; the thread grows from it, as from a mention. */
async function startTask(discord: Discord, gesture: DiscordGesture, goal: string, place: AnyChannel): Promise<void> {
  const words = texts(gesture.locale)
  const asks = shortened(words.discord.asks(inline(gesture.person.name), goal), limits.contentCharacters - 200)
  const [request = plain('…')] = renderText(asks, gesture.locale, linksTo([goal], discord.deps.linkHosts))
  const sent = await post(discord, place.id, request, nonceOf(gesture.id, 'task'))
  if (sent.kind !== 'sent')
    return await tell(discord, gesture, words.discord[sent.kind === 'refused' ? 'nowhere' : 'notKept'])
  const thread = isThread(place) || place.guild_id === null ? place.id : sent.ref
  const timeZone = await discord.people.zoneOf(gesture.person.id)
  const result = await submitText(
    discord,
    { ...gesture, ...(timeZone === null ? {} : { timeZone }) },
    { channel: homeOf(place), thread, ref: refOf(place.id, sent.ref) },
    { text: goal },
  )
  const link = `https://discord.com/channels/${place.guild_id ?? '@me'}/${thread}/${sent.ref}`
  const opened = thread === place.id ? words.discord.openedHere : words.discord.openedBelow(link)
  await tell(discord, gesture, afterGesture(result, words, '') ?? opened)
}

async function keepZone(discord: Discord, gesture: DiscordGesture, zone: string): Promise<void> {
  const { discord: words } = texts(gesture.locale)
  if (!isTimeZone(zone)) return await tell(discord, gesture, words.zoneUnknown(zone.slice(0, 60)))
  await discord.people.keepZone(gesture.person.id, zone)
  const clock = new Intl.DateTimeFormat(gesture.locale, { timeStyle: 'short', timeZone: zone })
  await tell(discord, gesture, words.zoneKept(zone, clock.format(discord.deps.clock.now())))
}
