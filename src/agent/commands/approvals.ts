import { texts } from '../../locales/texts.ts'
import { codeBlock } from '../code-block.ts'
import { present } from '../domain/present.ts'
import { type StandingApproval, stands } from '../domain/standing-approval.ts'
import { showInstant } from '../domain/zone.ts'
import type { Approvals } from '../ports/approvals.ts'
import type { CommandContext, CommandResult } from './command.ts'
import { argument, type CommandTable, formsOn, subcommand } from './grammar.ts'
import { id } from './value-kinds.ts'

export interface ApprovalDeps {
  approvals: Pick<Approvals, 'list' | 'uses' | 'end'>
  admins: readonly string[]
}

const which = argument('id', 'id', id, 'approvalId')
const one = formsOn<number, ApprovalDeps>(which)

/**
 * `/approvals` (C773): what a person approved for good, and its end. Admins see and end
 * everybody's.
 */
export const approvalsTable: CommandTable<ApprovalDeps> = {
  name: 'approvals',
  aliases: ['approval', '批准', '长期批准'],
  about: 'approvalsOf',
  words: ({ approvals }) => approvals,
  subcommands: [
    subcommand('list', 'approvalsList', ['ls', 'all', 'show', '列表'], {
      by: 'people',
      looks: true,
      request: () => ({}),
      answer: (_, context, deps) => listApprovals(context, deps),
    }),
    {
      ...one(
        'revoke',
        'approvalsRevoke',
        ['end', 'remove', 'delete', 'stop', '撤销', '取消'],
        revoke,
      ),
      by: 'people' as const,
    },
  ],
}

/** Rows of the person here; for an admin all of the channel's. */
async function rowsFor(
  { workspace, channel, person }: CommandContext,
  { approvals, admins }: ApprovalDeps,
): Promise<StandingApproval[]> {
  const isAdmin = person !== null && admins.includes(person.id)
  const rows = await approvals.list(workspace)
  return rows.filter((row) => row.channel === channel && (isAdmin || row.asker.id === person?.id))
}

async function listApprovals(context: CommandContext, deps: ApprovalDeps): Promise<CommandResult> {
  const { workspace, locale, now } = context
  const words = texts(locale).approvals
  const rows = await rowsFor(context, deps)
  const uses = await deps.approvals.uses(workspace)
  const shown = rows.filter((row) => stands(row, now))
  const lines = shown.map((row) => {
    const times = uses.filter(({ approval }) => approval === row.id).length
    return [inWords(row, context), words.used(times)].join(' ')
  })
  const past = rows.filter((row) => !stands(row, now)).slice(-pastMost)
  const text = present([
    shown.length === 0 ? words.none : words.title,
    ...lines,
    past.length > 0 && words.past,
    ...past.map((row) => pastLine(row, context)),
  ])
  return { ok: true, text: text.join('\n\n'), data: shown }
}

const pastMost = 5

/** Full text of an approval that stays: the call, for whom and until when (C770). */
export function inWords(
  row: StandingApproval,
  { locale, times = 'named', timeZone }: Pick<CommandContext, 'locale' | 'times' | 'timeZone'>,
): string {
  const words = texts(locale).approvals
  const until = row.until === null ? null : showInstant(times, timeZone, row.until)
  const by = row.by.id === row.asker.id ? null : row.by.name
  const call = codeBlock(row.input, texts(locale).core.approval.notShown)
  return `**#${row.number}** ${words.covers(row.tool, row.asker.name, until)}${by === null ? '' : ` ${words.by(by)}`}\n\n${call}`
}

function pastLine(row: StandingApproval, context: CommandContext): string {
  const words = texts(context.locale).approvals
  const { ended, until } = row
  const at = showInstant(context.times ?? 'named', context.timeZone, ended?.at ?? until ?? row.at)
  return `- **#${row.number}** ${row.tool}: ${ended === null ? words.ranOut(at) : words.endedBy(ended.by.name, at)}`
}

async function revoke(
  number: number,
  context: CommandContext,
  deps: ApprovalDeps,
): Promise<CommandResult> {
  const { workspace, person, locale, now } = context
  const words = texts(locale).approvals
  const rows = (await rowsFor(context, deps)).filter((row) => row.number === number)
  const open = rows.filter((row) => stands(row, now))
  if (person === null || open.length === 0) return { ok: false, text: words.unknown(number) }
  for (const row of open) await deps.approvals.end(workspace, row, { by: person, at: now })
  return { ok: true, text: words.revoked(number, open[0]?.tool ?? '') }
}
