import { createHash } from 'node:crypto'
import { InteractionResponseType, Routes } from 'discord.js'
import { z } from 'zod'
import { progressOf } from '../../agent/domain/progress.ts'
import { hasEnded } from '../../agent/domain/run.ts'
import { isTimeZone } from '../../agent/domain/zone.ts'
import { texts } from '../../locales/texts.ts'
import { afterGesture } from '../channel-kit/refusals.ts'
import { linksTo } from '../safety.ts'
import { answerFirst, type DiscordGesture, reply, tell } from './answers.ts'
import { asSent } from './api.ts'
import { createCompletion } from './completion.ts'
import type { Discord } from './context.ts'
import { definitionsFor } from './definitions.ts'
import { isThread, type Place } from './directory.ts'
import { type CommandHandler, createPresses } from './gestures.ts'
import { flags, limits } from './limits.ts'
import { type Chosen, lineOf } from './lines.ts'
import { refOf } from './parse.ts'
import { localeKey, peopleHome, zoneKey } from './people.ts'
import { inline, nonceOf, plain, renderText, shortened } from './render.ts'
import { renderPlan } from './render-plan.ts'
import { conversationIn, homeOf, taskActions, tasksIn } from './tasks.ts'

const Value = z.object({
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  focused: z.boolean().optional(),
})
const Option = Value.extend({ options: z.array(Value).optional() })
const Data = z.object({ name: z.string(), options: z.array(Option).optional() })

/** What was chosen and filled in, and which option is being typed. */
function readChosen(data: unknown): (Chosen & { focused: string | null }) | null {
  const parsed = Data.safeParse(data).data
  if (parsed === undefined) return null
  const [first] = parsed.options ?? []
  const sub = first?.value === undefined && first !== undefined ? first.name : null
  const given = sub === null ? (parsed.options ?? []) : (first?.options ?? [])
  const values = Object.fromEntries(given.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
  return { name: parsed.name, sub, values, focused: given.find(({ focused }) => focused)?.name ?? null }
}

/** Native commands: answered for the person alone, at once, in channels, threads and direct messages. */
export function createCommandHandler(discord: Discord): CommandHandler & { register(): Promise<void> } {
  const { deps, api } = discord
  const gestures = createPresses(discord)

  async function run(gesture: DiscordGesture): Promise<void> {
    const first = await answerFirst(discord, gesture, {
      type: InteractionResponseType.DeferredChannelMessageWithSource,
      data: { flags: flags.ephemeral, ...silent },
    })
    if (!first) return
    const { discord: words, core } = texts(gesture.locale)
    const chosen = readChosen(gesture.data)
    const place = await discord.directory.find(gesture.channelId)
    if (chosen === null || place === null || place === 'away') return await tell(discord, gesture, words.notKept)
    if (!deps.mayUse(gesture.person.id, homeOf(place))) return await tell(discord, gesture, core.notAllowed)
    await rememberLocale(gesture)
    if (chosen.name === 'timezone') return await keepZone(gesture, String(chosen.values.zone ?? ''))
    if (chosen.name === 'task') return await task(gesture, chosen, place)
    if (!deps.commands.includes(chosen.name)) return await tell(discord, gesture, words.noSuchCommand)
    const timeZone = (await zoneOf(gesture.person.id)) ?? deps.defaults.timeZone
    const conversationId = await conversationIn(discord, gesture.workspace, place)
    const result = await deps.endpoint({
      ...gesture,
      channel: homeOf(place),
      ...(conversationId === null ? {} : { conversationId }),
      timeZone,
      text: lineOf(chosen),
    })
    await reply(
      discord,
      gesture,
      renderText(result.text === '' ? core.emptyMention : result.text, gesture.locale, linksTo([], deps.linkHosts)),
    )
  }

  async function task(gesture: DiscordGesture, chosen: Chosen, place: Place): Promise<void> {
    const { discord: words } = texts(gesture.locale)
    if (chosen.sub === 'start') return await startTask(gesture, String(chosen.values.goal ?? ''), place)
    const tasks = await tasksIn(discord, gesture.workspace, place)
    if (chosen.sub !== 'list' && chosen.sub !== null) {
      const run = tasks.filter((one) => taskActions[chosen.sub ?? '']?.(one)).find(({ id }) => id === chosen.values.id)
      if (run === undefined) return await tell(discord, gesture, words.noTasks)
      return chosen.sub === 'show' ? await showTask(gesture, run.id) : await control(gesture, chosen.sub, run.id)
    }
    const lines = tasks
      .filter(({ status }) => !hasEnded(status))
      .map((run) => `- ${inline(run.title)} · ${words.status[run.status]}`)
    await tell(discord, gesture, lines.length === 0 ? words.noTasks : [`**${words.openTasks}**`, ...lines].join('\n'))
  }

  /** The live plan once more, for this person alone. */
  async function showTask(gesture: DiscordGesture, runId: string): Promise<void> {
    const found = await deps.store.runs.state(gesture.workspace, runId)
    if (found === null) return await tell(discord, gesture, texts(gesture.locale).discord.noTasks)
    await reply(discord, gesture, [renderPlan(progressOf(found.run, found.task), gesture.locale, () => false)])
  }

  async function control(gesture: DiscordGesture, sub: string, runId: string): Promise<void> {
    const { discord: words } = texts(gesture.locale)
    const action = sub === 'stop' ? 'cancel' : sub === 'retry' ? 'retry' : 'continue'
    const result = await gestures.press(gesture, { kind: 'control', action, id: runId })
    await tell(discord, gesture, afterGesture(result, texts(gesture.locale), words.notYours) ?? words.told[action])
  }

  /** The request becomes a message that all can see; the thread grows from it, as from a mention. */
  async function startTask(gesture: DiscordGesture, goal: string, place: Place): Promise<void> {
    const { discord: words } = texts(gesture.locale)
    const body = plain(shortened(words.asks(gesture.person.name, goal), limits.contentCharacters))
    const answer = await api.call('POST', Routes.channelMessages(place.id), {
      body: { ...body, nonce: nonceOf(gesture.id, 'task'), enforce_nonce: true },
    })
    const sent = asSent(answer)
    if (sent.kind !== 'sent')
      return await tell(discord, gesture, sent.kind === 'refused' ? words.nowhere : words.notKept)
    const messageId = sent.ref
    const thread = isThread(place) || place.guild_id === null ? place.id : messageId
    const timeZone = await zoneOf(gesture.person.id)
    const result = await gestures.say(
      { ...gesture, ...(timeZone === null ? {} : { timeZone }) },
      { channel: homeOf(place), thread, ref: refOf(place.id, messageId) },
      { text: goal },
    )
    await tell(discord, gesture, afterGesture(result, texts(gesture.locale), '') ?? words.openedBelow)
  }

  const zoneOf = (personId: string) => deps.store.notes.get(peopleHome, zoneKey(personId))
  const rememberLocale = ({ person, locale }: DiscordGesture) =>
    deps.store.notes.put(peopleHome, localeKey(person.id), locale, null)

  async function keepZone(gesture: DiscordGesture, zone: string): Promise<void> {
    const { discord: words } = texts(gesture.locale)
    if (!isTimeZone(zone)) return await tell(discord, gesture, words.zoneUnknown(zone.slice(0, 60)))
    await deps.store.notes.put(peopleHome, zoneKey(gesture.person.id), zone, null)
    const time = new Intl.DateTimeFormat(gesture.locale, { timeStyle: 'short', timeZone: zone }).format(
      deps.clock.now(),
    )
    await tell(discord, gesture, words.zoneKept(zone, time))
  }

  return { run, complete: createCompletion(discord, readChosen), register: () => register(discord) }
}

const silent = { allowed_mentions: { parse: [] } }

/** Tells Discord which commands there are, if that has changed since it was told last; a limit of 200 a day counts them. */
async function register(discord: Discord): Promise<void> {
  const { deps, api } = discord
  const self = discord.self()
  if (self === null) return
  const home = `discord:app-${self.applicationId}`
  const definitions = definitionsFor(deps.commands)
  const scopes = deps.guildIds.length === 0 ? [''] : deps.guildIds
  const known =
    z.record(z.string(), z.string()).safeParse(JSON.parse((await deps.store.notes.get(home, 'commands')) ?? '{}'))
      .data ?? {}
  const hash = createHash('sha256').update(JSON.stringify(definitions)).digest('hex')
  const wanted = new Map(scopes.map((scope) => [scope, { hash, body: definitions }]))
  // Where they were offered before and are no longer, they are taken away: nobody wants to see everything twice.
  for (const scope of Object.keys(known)) if (!wanted.has(scope)) wanted.set(scope, { hash: '', body: [] })
  for (const [scope, { hash: now, body }] of wanted) {
    if ((known[scope] ?? (body.length === 0 ? '' : null)) === now) continue
    const route =
      scope === ''
        ? Routes.applicationCommands(self.applicationId)
        : Routes.applicationGuildCommands(self.applicationId, scope)
    const answer = await api.call('PUT', route, { body })
    if (answer.kind === 'ok') known[scope] = now
    else deps.log.warn({ guild: scope, answer }, 'the commands could not be registered with Discord')
  }
  const kept = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== ''))
  await deps.store.notes.put(home, 'commands', JSON.stringify(kept), null)
}
