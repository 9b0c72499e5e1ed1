import { texts } from '../../locales/texts.ts'
import { auditLines } from '../audit-words.ts'
import type { AuditRow } from '../domain/audit.ts'
import { readRow } from '../domain/audit-chain.ts'
import type { Audit } from '../ports/audit.ts'
import type { Conversations } from '../ports/store.ts'
import type { CommandContext, CommandResult } from './command.ts'
import { inlineCode } from './command-line.ts'
import { type CommandTable, subcommand } from './grammar.ts'
import { dayAndTime } from './schedule-render.ts'

export interface AuditDeps {
  audit: Pick<Audit, 'ofThread'>
  conversations: Pick<Conversations, 'state'>
}

/** Newest rows that an answer is made from, and messages whose authors' names it knows. */
const rowsMost = 60
const messagesRead = 200

/** `/audit` (C716): who did what in this thread, from the rows of this thread alone. */
export const auditTable: CommandTable<AuditDeps> = {
  name: 'audit',
  aliases: ['record', '记录', '审计'],
  about: 'auditOf',
  words: ({ audit }) => audit,
  subcommands: [
    subcommand('', 'auditOf', [], {
      looks: true,
      request: () => ({}),
      answer: (_, context, deps) => recordOf(context, deps),
    }),
  ],
}

const whoDid = /^(?:who did (?:this|that|it|all this)|这?(?:都?是)?谁做的)[\s?？!！.。]*$/iu

/** True if people ask who did something, with these words and no others. */
export const asksWho = (text: string) => text.length < 40 && whoDid.test(text.trim())

async function recordOf(
  context: CommandContext,
  { audit, conversations }: AuditDeps,
): Promise<CommandResult<readonly AuditRow[]>> {
  const { workspace, conversationId, person, locale } = context
  const words = texts(locale).audit
  if (conversationId === '') return { ok: false, text: words.noThread }
  const [rows, state] = await Promise.all([
    audit.ofThread(workspace, conversationId, rowsMost),
    conversations.state(workspace, conversationId, messagesRead, 1),
  ])
  // What is one person's own is shown to that person alone.
  const isSeen = (row: AuditRow) =>
    row.kind !== 'kept' || !row.scope.startsWith('user:') || row.scope === `user:${person?.id}`
  const data = rows.flatMap((text) => readRow(text) ?? []).filter(isSeen)
  if (data.length === 0) return { ok: true, text: words.none, data }
  const authors = state?.messages.flatMap(({ author }) => author ?? []) ?? []
  const names = new Map(authors.map(({ id, name }) => [id, name]))
  const lines = auditLines(data, words, (id) => names.get(id) ?? inlineCode(id)).map(
    ({ row, text }) => `- ${dayAndTime(row.at, context.timeZone, context)} · ${text}`,
  )
  const older = rows.length < rowsMost ? [] : [words.older(rowsMost)]
  return { ok: true, text: [words.head, ...lines, ...older].join('\n'), data }
}
