import { RESTJSONErrorCodes as codes, Routes } from 'discord.js'
import { z } from 'zod'
import { inTime } from '../../agent/deadline.ts'
import type { Discord } from './context.ts'
import { workspaceOf } from './deps.ts'
import { Snowflake } from './directory.ts'
import { acknowledgePrivately, type DiscordGesture, tell } from './interaction-replies.ts'
import { limits } from './limits.ts'

/**
 * Most stored commands and forms in flight, over all processes. Further ones are carried out
 * without being stored.
 */
const places = 64
/** Lifetime of the token by which an interaction is answered, in milliseconds. */
const keptMs = 15 * 60_000
const workspace = workspaceOf(null)
const doneKey = (id: string) => `command-done:${id}`

/** Interaction as received from Discord. */
const Kept = z.looseObject({ id: Snowflake, token: z.string() })

/**
 * Acknowledges a command or form and carries it out. It is stored first, so that it survives the
 * process (C443). One that Discord reported as failed is dropped. Its key makes a repetition a
 * no-op.
 *
 * @param work throws if the store is down; the person is then told that nothing was stored.
 */
export async function keptWhile(
  gesture: DiscordGesture,
  work: () => Promise<unknown>,
): Promise<void> {
  const { working } = gesture.discord
  working.add(gesture.id)
  await keepAndCarryOut(gesture, work).finally(() => working.delete(gesture.id))
}

async function keepAndCarryOut(
  gesture: DiscordGesture,
  work: () => Promise<unknown>,
): Promise<void> {
  const { discord, words, raw, isAgain = false } = gesture
  const { clock, log } = discord.deps
  const keeping = isAgain ? Promise.resolve('') : keep(discord, raw)
  keeping.catch((err) => log.warn({ err }, 'Discord command not stored'))
  await inTime(
    clock,
    limits.storeMs,
    keeping.catch(() => null),
  )
  const answered = isAgain ? await stateOf(gesture) : await acknowledgePrivately(gesture)
  // The process that answered has stored it too.
  if (answered === 'elsewhere') return
  const place = await keeping.catch(() => null)
  if (place === null) return await tell(gesture, words.discord.notKept)
  const drop = () => dropKept(discord, gesture.id, place)
  // Discord already told the person that it failed.
  if (answered === 'late') return await drop()
  try {
    await work()
  } catch (error) {
    const isDropped = await drop().then(
      () => true,
      () => false,
    )
    if (isDropped) throw error
    // It stays stored and is carried out after the next start.
    return await tell(gesture, words.discord.stillStoring)
  }
  await drop()
}

/** Carries out what processes stored but did not answer before they ended. */
export async function resumeKept(
  { deps: { notes }, working }: Discord,
  carryOut: (raw: unknown) => Promise<void>,
): Promise<void> {
  for (let place = 0; place < places; place++) {
    const text = await notes.get(workspace, keyOf(place))
    if (text === null) continue
    const raw = Kept.safeParse(JSON.parse(text)).data
    if (raw !== undefined && working.has(raw.id)) continue
    if (raw !== undefined && (await notes.get(workspace, doneKey(raw.id))) === null)
      await carryOut(raw)
    await notes.drop(workspace, keyOf(place))
  }
}

const keyOf = (place: number) => `command:${place}`

/**
 * Stores an interaction.
 *
 * @returns the key of its slot, or an empty text if all slots are taken.
 * @throws Error if the store is down.
 */
async function keep({ deps: { notes } }: Discord, raw: unknown): Promise<string> {
  const { id } = Kept.parse(raw)
  const first = Number(BigInt(id) % BigInt(places))
  const text = JSON.stringify(raw)
  for (let tried = 0; tried < places; tried++) {
    const key = keyOf((first + tried) % places)
    if (await notes.claim(workspace, key, keptMs, text)) return key
  }
  return ''
}

async function dropKept({ deps: { notes } }: Discord, id: string, place: string): Promise<void> {
  await notes.put(workspace, doneKey(id), '1', keptMs)
  if (place !== '') await notes.drop(workspace, place)
}

/**
 * Checks whether a left-behind interaction was acknowledged. If not, acknowledges it now, which
 * works within three seconds.
 */
async function stateOf(gesture: DiscordGesture): Promise<'taken' | 'late'> {
  const { discord, token } = gesture
  const applicationId = discord.self()?.applicationId ?? ''
  const route = Routes.webhookMessage(applicationId, token, '@original')
  const found = await discord.api.call('GET', route, { auth: false })
  const isUnanswered = found.kind === 'refused' && unanswered.includes(found.code)
  if (!isUnanswered) return 'taken'
  return (await acknowledgePrivately(gesture)) === 'late' ? 'late' : 'taken'
}

const unanswered: readonly number[] = [codes.UnknownWebhook, codes.InvalidWebhookToken]
