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
import { homeOf, isServed, requireServed, sees, seesScope, workspaceIn } from '../permissions.ts'
import { refuse } from '../problems.ts'

/**
 * Context of a command from the page: in no thread, in the page's language. A retry is the same
 * gesture.
 */
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
 * Context of a command on a schedule of another platform, in the channel that the request names. An
 * operator acts under a name that says so. A member acts as themselves, if they see the channel and
 * Clew works for them there (C260).
 */
export async function placedContext(
  web: Web,
  c: Context,
  body: WorkFields = {},
): Promise<CommandContext> {
  const workspace = await workspaceIn(web, c)
  if (workspace === homeOf(c).workspace) return contextFor(web, c, body)
  const channel = c.req.query('channel') ?? refuse('bad_request', { field: 'channel' })
  const own = ownContext(web, c, body)
  if (sees(web, c) !== undefined) {
    const placed = { ...own, workspace, channel }
    const scope = web.work.schedules.scopeOf(placed)
    const isTheirs = await seesScope(web, c, { workspace, scope, person: own.person?.id ?? '' })
    return isTheirs && isServed(web, c, channel) ? placed : refuse('unknown_schedule')
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

/** C253: refuses a change if somebody else changed the row meanwhile. */
export function requireUnchanged(seen: object | undefined, now: object): void {
  if (seen !== undefined && !isDeepStrictEqual(seen, now)) refuse('changed_meanwhile')
}

/** Context for one of several effects of a gesture. */
export const partOf = (context: CommandContext, part: string): CommandContext => ({
  ...context,
  effectId: `${context.effectId}-${part}`,
})

/** Person whose own lists are read. A member's request is always about their own. */
export function authorIn(c: Context): Author | undefined {
  const id = c.req.query('author')
  return id === undefined || id === '' || id.length > 100 ? undefined : { id, name: id }
}

/** Number of a row in the path. */
export function idIn(c: Context): number {
  const id = Number(c.req.param('id'))
  return Number.isInteger(id) && id > 0 ? id : refuse('not_found')
}

/** Row that a use case returns; refused with `missing` if there is none. */
export async function rowOf<D>(
  web: Web,
  missing: 'unknown_schedule' | 'unknown_todo',
  work: () => Promise<CommandResult<D>>,
) {
  const { data, text } = await web.reach(work)
  return { row: data ?? refuse(missing), text }
}

/**
 * Parses the text of a form's field as the arguments of a subcommand. Its first arguments may be
 * `given` apart.
 *
 * @throws ProblemError with the nearest valid text.
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
  return refuse('unreadable', { text: renderUsageError(table, reading.problem, frame.locale) })
}

/** Refuses a value that its field does not allow. */
export function unreadable(
  table: CommandTable,
  kind: UsageErrorKind,
  typed: string,
  frame: Frame,
  subcommand: Pick<Subcommand, 'name' | 'takes' | 'example'>,
): never {
  const example = exampleLine(table, subcommand, frame)
  return refuse('unreadable', {
    text: renderUsageError(table, { kind, typed, example }, frame.locale),
  })
}
