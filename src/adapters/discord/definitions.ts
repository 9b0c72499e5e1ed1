import { createHash } from 'node:crypto'
import { ApplicationCommandOptionType as Kind, Routes } from 'discord.js'
import { z } from 'zod'
import type { About, Argument, Subcommand } from '../../agent/commands/grammar.ts'
import { commandTables } from '../../agent/commands/own-commands.ts'
import { taskTable } from '../../agent/commands/task.ts'
import { texts } from '../../locales/texts.ts'
import { shortened } from '../text.ts'
import type { Discord } from './context.ts'
import { limits } from './limits.ts'

/** Slash command or part of one, in the API's format. */
export interface Definition {
  name: string
  name_localizations?: Record<string, string>
  description?: string
  description_localizations?: Record<string, string>
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

const described = (word: About) => ({
  description: shortened(texts('en').commands.about[word], 100),
  description_localizations: Object.fromEntries(
    ['zh-CN', 'zh-TW'].map((locale) => [
      locale,
      shortened(texts(locale).commands.about[word], 100),
    ]),
  ),
})
const text = (name: string, word: About, part: Partial<Definition> = {}): Definition => {
  return { type: Kind.String, name, ...described(word), ...part }
}
const sub = (name: string, word: About, options: Definition[] = []) =>
  text(name, word, { type: Kind.Subcommand, options })

/**
 * Contexts: servers, direct messages and group messages. Installs: by a server or a person (C186).
 */
const everywhere = { contexts: [0, 1, 2], integration_types: [0, 1] }

const command = (name: string, word: About, options: Definition[] = []) =>
  text(name, word, { type: 1, options, ...everywhere })

const types = { text: Kind.String, choice: Kind.String, number: Kind.Integer, flag: Kind.Boolean }

/** Converts an argument or option of the command table into a field. */
function field({ name, kind, about, required = false }: Field): Definition {
  const { form } = kind
  const part: Partial<Definition> = {
    type: types[form.kind],
    required: required || undefined,
    choices:
      form.kind === 'choice' ? form.choices.map((value) => ({ name: value, value })) : undefined,
    min_value: form.kind === 'number' ? form.min : undefined,
    ...(form.kind === 'text' && form.complete
      ? { autocomplete: true, max_length: limits.choiceCharacters }
      : {}),
  }
  return text(name, about, part)
}
type Field = Pick<Argument<unknown>, 'name' | 'kind' | 'about'> & { required?: boolean }

/** Lists the fields of a subcommand. A name that is both argument and option appears once. */
function fieldsOf({ takes = [], options = [] }: Subcommand<unknown>): Definition[] {
  const words = takes.filter(({ name }) => !options.some((option) => option.name === name))
  return [...words, ...options].map(field)
}

/** C185: subcommand of `/schedule` that opens a form. */
export const newSchedule = 'new'

/** Converts a command of the table with its options. Other commands get a single text field. */
function native(name: string): Definition {
  const table = commandTables.find((one) => one.name === name)
  if (table === undefined) return command(name, 'other', [text('line', 'line')])
  const parts = table.subcommands.filter(({ by }) => by !== 'model')
  const [only] = parts
  if (only?.name === '') return command(name, table.about, fieldsOf(only))
  const own = name === 'schedule' ? [sub(newSchedule, 'scheduleNew')] : []
  return command(name, table.about, [
    ...parts.map((part) => sub(part.name, part.about, fieldsOf(part))),
    ...own,
  ])
}

/** C252: subcommands for the newest task of the thread. */
export const planSubs = ['plan', 'skip', 'edit', 'add', 'move']
const planParts = taskTable.subcommands
  .filter(({ name }) => planSubs.includes(name))
  .map((part) => {
    const fields = fieldsOf(part).filter(({ name }) => !['id', 'task'].includes(name))
    return sub(part.name, part.about, fields)
  })

const runId = text('id', 'id', { required: true, autocomplete: true })
/** Commands that exist only in Discord. */
const always = [
  command('task', 'task', [
    sub('start', 'taskStart', [text('goal', 'goal', { required: true, max_length: 2000 })]),
    sub('list', 'taskList'),
    sub('show', 'taskShow', [runId]),
    sub('stop', 'taskStop', [runId]),
    sub('continue', 'taskContinue', [runId]),
    sub('retry', 'taskRetry', [runId]),
    sub('again', 'taskAgain', [
      runId,
      text('step', 'againStep', { type: Kind.Integer, min_value: 1 }),
    ]),
    ...planParts,
  ]),
  command('timezone', 'timezone', [text('zone', 'zone', { required: true, autocomplete: true })]),
]

/** Names of the entries in a message's "Apps" menu. Discord sends the name back (C186). */
export const menus = { ask: 'Ask Clew about this', stop: 'Stop' } as const
const inMenu = (which: keyof typeof menus): Definition => ({
  type: 3,
  name: menus[which],
  ...everywhere,
  name_localizations: Object.fromEntries(
    ['zh-CN', 'zh-TW'].map((locale) => [locale, texts(locale).discord.menus[which]]),
  ),
})

/** Defines all slash commands for Clew's commands. */
function definitionsFor(names: readonly string[]): Definition[] {
  const taken = always.map(({ name }) => name)
  const theirs = names.filter(
    (name) => !taken.includes(name) && /^[-_\p{L}\p{N}]{1,32}$/u.test(name),
  )
  return [...theirs.map(native), ...always, inMenu('ask'), inMenu('stop')]
}

const Known = z.record(z.string(), z.string())

/**
 * Registers the commands with Discord if they have changed since the last time. Discord allows 200
 * registrations a day.
 */
export async function registerCommands({ deps, api, self }: Discord): Promise<void> {
  const applicationId = self()?.applicationId
  if (applicationId === undefined) return
  const workspace = `discord:app-${applicationId}`
  const known =
    Known.safeParse(JSON.parse((await deps.notes.get(workspace, 'commands')) ?? '{}')).data ?? {}
  for (const [scope, { hash, body }] of wantedIn(
    known,
    deps.guildIds,
    definitionsFor(deps.commands),
  )) {
    if ((known[scope] ?? (body.length === 0 ? '' : null)) === hash) continue
    const route =
      scope === ''
        ? Routes.applicationCommands(applicationId)
        : Routes.applicationGuildCommands(applicationId, scope)
    const answer = await api.call('PUT', route, { body })
    if (answer.kind === 'ok') known[scope] = hash
    else deps.log.warn({ guild: scope, answer }, 'Discord commands not registered')
  }
  const kept = Object.fromEntries(Object.entries(known).filter(([, hash]) => hash !== ''))
  await deps.notes.put(workspace, 'commands', JSON.stringify(kept), null)
}

/**
 * Returns the definitions for each guild, or for everywhere. A scope that no longer has commands
 * gets an empty list.
 */
function wantedIn(
  known: z.infer<typeof Known>,
  guildIds: readonly string[],
  definitions: Definition[],
) {
  const hash = createHash('sha256').update(JSON.stringify(definitions)).digest('hex')
  const scopes = guildIds.length === 0 ? [''] : guildIds
  return new Map([
    ...Object.keys(known).map((scope) => [scope, { hash: '', body: [] as Definition[] }] as const),
    ...scopes.map((scope) => [scope, { hash, body: definitions }] as const),
  ])
}
