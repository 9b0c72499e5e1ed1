import { createHash } from 'node:crypto'
import { Routes } from 'discord.js'
import { z } from 'zod'
import type { Discord } from './context.ts'
import { type Definition, definitionsFor } from './definitions.ts'

const Known = z.record(z.string(), z.string())

/** Tells Discord which commands there are, if that has changed since it was told last; a limit of 200 a day counts them. */
export async function registerCommands({ deps, api, self }: Discord): Promise<void> {
  const applicationId = self()?.applicationId
  if (applicationId === undefined) return
  const workspace = `discord:app-${applicationId}`
  const known = Known.safeParse(JSON.parse((await deps.notes.get(workspace, 'commands')) ?? '{}')).data ?? {}
  for (const [scope, { hash, body }] of wantedIn(known, deps.guildIds, definitionsFor(deps.commands))) {
    if ((known[scope] ?? (body.length === 0 ? '' : null)) === hash) continue
    const route =
      scope === '' ? Routes.applicationCommands(applicationId) : Routes.applicationGuildCommands(applicationId, scope)
    const answer = await api.call('PUT', route, { body })
    if (answer.kind === 'ok') known[scope] = hash
    else deps.log.warn({ guild: scope, answer }, 'the commands could not be registered with Discord')
  }
  const kept = Object.fromEntries(Object.entries(known).filter(([, hash]) => hash !== ''))
  await deps.notes.put(workspace, 'commands', JSON.stringify(kept), null)
}

/** The definitions for each guild, or for everywhere. Where they were offered before and are no longer, there are none. */
function wantedIn(known: z.infer<typeof Known>, guildIds: readonly string[], definitions: Definition[]) {
  const hash = createHash('sha256').update(JSON.stringify(definitions)).digest('hex')
  const scopes = guildIds.length === 0 ? [''] : guildIds
  return new Map([
    ...Object.keys(known).map((scope) => [scope, { hash: '', body: [] as Definition[] }] as const),
    ...scopes.map((scope) => [scope, { hash, body: definitions }] as const),
  ])
}
