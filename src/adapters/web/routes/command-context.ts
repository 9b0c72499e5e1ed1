import { isDeepStrictEqual } from 'node:util'
import type { Context } from 'hono'
import type { CommandContext, CommandResult } from '../../../agent/commands/command.ts'
import {
  type CommandTable,
  exampleLine,
  type Frame,
  type Subcommand,
  type UsageErrorKind,
} from '../../../agent/commands/grammar.ts'
import { readSubcommand } from '../../../agent/commands/reader.ts'
import { renderUsageError } from '../../../agent/commands/usage.ts'
import { deriveId } from '../../../agent/domain/id.ts'
import type { Author } from '../../../agent/domain/message.ts'
import type { WorkFields } from '../bodies.ts'
import type { Web } from '../context.ts'
import { asOperator } from '../operator.ts'
import { type Problem, refuse } from '../problems.ts'
import { homeOf, isServed, requireServed, sees, seesScope, workspaceIn } from '../sight.ts'

/** A command as the page gives it: in no thread, in the language of the page. Sent again, it is the same gesture. */
export function contextFor(web: Web, c: Context, body: WorkFields = {}): CommandContext {
  if (c.req.method !== 'GET') requireServed(web, c)
  return ownContext(web, c, body)
}

function ownContext(web: Web, c: Context, body: WorkFields): CommandContext {
  const { clock, timeZone } = web
  const { id, name } = web.speaker(c, body.author ?? authorIn(c))
  return {
    ...homeOf(c),
    conversationId: '',
    person: { id, name },
    whose: { way: 'form', by: 'member' },
    locale: body.locale ?? web.locale(c),
    timeZone: body.timeZone ?? timeZone,
    now: clock.now(),
    effectId: deriveId('x', 'web', c.req.path, id, body.clientMessageId ?? clock.randomId()),
  }
}

/**
 * The same for schedules of another platform, in the channel that the request names: an operator gives it under a name that says so, a
 * member as who they are there, where they see that channel's and Clew works for them (C260).
 */
export async function placedContext(
  web: Web,
  c: Context,
  body: WorkFields = {},
): Promise<CommandContext> {
  const workspace = await workspaceIn(web, c)
  if (workspace === homeOf(c).workspace) return contextFor(web, c, body)
  const channel = c.req.query('channel') ?? refuse({ code: 'bad_request', field: 'channel' })
  const own = ownContext(web, c, body)
  if (sees(web, c) !== undefined) {
    const placed = { ...own, workspace, channel }
    const scope = web.work.schedules.scopeOf(placed)
    const isTheirs = await seesScope(web, c, { workspace, scope, person: own.person?.id ?? '' })
    return isTheirs && isServed(web, c, channel) ? placed : refuse({ code: 'unknown_schedule' })
  }
  const address = { workspace, channel, thread: null }
  const { id, name } = asOperator(web.speaker(c, body.author ?? authorIn(c)), {
    address,
    locale: own.locale,
  })
  return {
    ...own,
    workspace,
    channel,
    person: { id, name },
    whose: { way: 'form', by: 'operator' },
  }
}

/** C253: what somebody else changed while it was being changed here stays as it is. */
export function requireUnchanged(seen: object | undefined, now: object): void {
  if (seen !== undefined && !isDeepStrictEqual(seen, now)) refuse({ code: 'changed_meanwhile' })
}

/** One of several effects of one gesture. */
export const partOf = (context: CommandContext, part: string): CommandContext => ({
  ...context,
  effectId: `${context.effectId}-${part}`,
})

/** Whose lists are read, where everybody has their own; of a member it counts for nothing. */
export function authorIn(c: Context): Author | undefined {
  const id = c.req.query('author')
  return id === undefined || id === '' || id.length > 100 ? undefined : { id, name: id }
}

/** The number of a row in the path. */
export function idIn(c: Context): number {
  const id = Number(c.req.param('id'))
  return Number.isInteger(id) && id > 0 ? id : refuse({ code: 'not_found' })
}

/** What a use case answers with, whose row has to be there. */
export async function rowOf<D>(
  web: Web,
  missing: Problem,
  work: () => Promise<CommandResult<D>>,
): Promise<{ row: D; text: string }> {
  const { data, text } = await web.reach(work)
  return { row: data ?? refuse(missing), text }
}

/**
 * What people write in a field of a form, as values: what follows a subcommand, whose first arguments may be given apart.
 *
 * @throws ProblemError with the nearest text that would do.
 */
export function understood<R, D>(
  table: CommandTable<D>,
  subcommand: Subcommand<R, D>,
  text: string,
  frame: Frame,
  given: readonly string[] = [],
): R {
  const reading = readSubcommand(table, subcommand, text, frame, given)
  if (reading.ok) return reading.request
  return refuse({
    code: 'unreadable',
    text: renderUsageError(table, reading.problem, frame.locale),
  })
}

/** Refuses a value that is not what its field is for. */
export function unreadable(
  table: CommandTable,
  kind: UsageErrorKind,
  typed: string,
  frame: Frame,
  subcommand: Pick<Subcommand, 'name' | 'takes' | 'example'>,
): never {
  const example = exampleLine(table, subcommand, frame)
  return refuse({
    code: 'unreadable',
    text: renderUsageError(table, { kind, typed, example }, frame.locale),
  })
}
