import { InteractionResponseType } from 'discord.js'
import { progressOf } from '../../agent/domain/progress.ts'
import { hasEnded } from '../../agent/domain/run.ts'
import { isTimeZone } from '../../agent/domain/zone.ts'
import { texts } from '../../locales/texts.ts'
import { say } from '../channel-kit/gestures.ts'
import { afterGesture } from '../channel-kit/refusals.ts'
import { linksTo } from '../safety.ts'
import { shortened } from '../text.ts'
import type { Discord } from './context.ts'
import { isThread, type Place } from './directory.ts'
import { answerFirst, type DiscordGesture, press, reply, tell } from './interaction-replies.ts'
import { flags, limits } from './limits.ts'
import { type Chosen, lineOf, readChosen } from './lines.ts'
import { refOf } from './parse.ts'
import { post } from './post.ts'
import { inline, nobody, nonceOf, plain, renderText } from './render.ts'
import { renderPlan } from './render-plan.ts'
import { conversationIn, homeOf, taskActions, tasksIn } from './tasks.ts'

/** A native command: answered for the person alone, at once, in channels, threads and direct messages. */
export async function runCommand(discord: Discord, gesture: DiscordGesture): Promise<void> {
  const { deps, people } = discord
  const first = await answerFirst(discord, gesture, {
    type: InteractionResponseType.DeferredChannelMessageWithSource,
    data: { flags: flags.ephemeral, allowed_mentions: nobody },
  })
  if (!first) return
  const { discord: words, core } = texts(gesture.locale)
  const chosen = readChosen(gesture.data)
  const place = await discord.directory.find(gesture.channelId)
  if (chosen === null || place === null || place === 'away') return await tell(discord, gesture, words.notKept)
  if (!deps.mayUse(gesture.person.id, homeOf(place))) return await tell(discord, gesture, core.notAllowed)
  await people.keepLocale(gesture.person.id, gesture.locale)
  if (chosen.name === 'timezone') return await keepZone(discord, gesture, String(chosen.values.zone ?? ''))
  if (chosen.name === 'task') return await task(discord, gesture, chosen, place)
  if (!deps.commands.includes(chosen.name)) return await tell(discord, gesture, words.noSuchCommand)
  await runLine(discord, gesture, lineOf(chosen), place)
}

async function runLine(discord: Discord, gesture: DiscordGesture, text: string, place: Place): Promise<void> {
  const { deps, people } = discord
  const conversationId = await conversationIn(discord, gesture.workspace, place)
  const result = await deps.endpoint({
    ...gesture,
    channel: homeOf(place),
    ...(conversationId === null ? {} : { conversationId }),
    timeZone: (await people.zoneOf(gesture.person.id)) ?? deps.defaults.timeZone,
    text,
  })
  const answer = result.text === '' ? texts(gesture.locale).core.emptyMention : result.text
  await reply(discord, gesture, renderText(answer, gesture.locale, linksTo([], deps.linkHosts)))
}

async function task(discord: Discord, gesture: DiscordGesture, { sub, values }: Chosen, place: Place): Promise<void> {
  const { discord: words } = texts(gesture.locale)
  if (sub === 'start') return await startTask(discord, gesture, String(values.goal ?? ''), place)
  const tasks = await tasksIn(discord, gesture.workspace, place)
  if (sub !== 'list' && sub !== null) {
    const run = tasks.filter((one) => taskActions[sub]?.(one)).find(({ id }) => id === values.id)
    if (run === undefined) return await tell(discord, gesture, words.noTasks)
    return sub === 'show' ? await showTask(discord, gesture, run.id) : await control(discord, gesture, sub, run.id)
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
  await reply(discord, gesture, [renderPlan(progressOf(found.run, found.task), gesture.locale, () => false)])
}

async function control(discord: Discord, gesture: DiscordGesture, sub: string, runId: string): Promise<void> {
  const words = texts(gesture.locale)
  const action = sub === 'stop' ? 'cancel' : sub === 'retry' ? 'retry' : 'continue'
  const result = await press(discord, gesture, { kind: 'control', action, id: runId })
  await tell(discord, gesture, afterGesture(result, words, words.discord.notYours) ?? words.discord.told[action])
}

/** The request becomes a message that all can see; the thread grows from it, as from a mention. */
async function startTask(discord: Discord, gesture: DiscordGesture, goal: string, place: Place): Promise<void> {
  const words = texts(gesture.locale)
  const request = plain(shortened(words.discord.asks(gesture.person.name, goal), limits.contentCharacters))
  const sent = await post(discord, place.id, request, nonceOf(gesture.id, 'task'))
  if (sent.kind !== 'sent')
    return await tell(discord, gesture, words.discord[sent.kind === 'refused' ? 'nowhere' : 'notKept'])
  const thread = isThread(place) || place.guild_id === null ? place.id : sent.ref
  const timeZone = await discord.people.zoneOf(gesture.person.id)
  const result = await say(
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
