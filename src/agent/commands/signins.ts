import { texts } from '../../locales/texts.ts'
import { showInstant } from '../domain/zone.ts'
import { everybody, type PersonalSignIns, type SignInRow } from '../sign-ins.ts'
import type { CommandContext, CommandResult } from './command.ts'
import { inlineCode } from './command-line.ts'
import { argument, type CommandTable, subcommand } from './grammar.ts'
import { text } from './value-kinds.ts'

export interface SignInsDeps {
  /** `null`: this Clew keeps none. */
  signIns: PersonalSignIns | null
  admins: readonly string[]
}

const which = argument('server', 'name', text(40, 'word'), 'signInServer')

/**
 * `/signins` (C924): a person's sign-ins at services, and their end. Admins also see those for
 * everybody.
 */
export const signInsTable: CommandTable<SignInsDeps> = {
  name: 'signins',
  aliases: ['signin', 'sign-ins', '登录'],
  about: 'signInsOf',
  words: ({ signIns }) => signIns,
  subcommands: [
    subcommand('list', 'signInsList', ['ls', 'all', 'show', '列表'], {
      by: 'people',
      looks: true,
      request: () => ({}),
      answer: (_, context, deps) => listed(context, deps),
    }),
    subcommand('out', 'signInsOut', ['revoke', 'remove', 'end', '退出'], {
      by: 'people',
      takes: [which],
      request: (line) => ({ server: line.need(which) }),
      answer: ({ server }, context, deps) => signedOut(server, context, deps),
    }),
  ],
}

/** Sign-ins that a person may end: their own, and for an admin those that all share. */
async function rowsFor(
  { workspace, person }: CommandContext,
  { signIns, admins }: SignInsDeps,
): Promise<(SignInRow & { owner: typeof everybody })[]> {
  if (signIns === null || person === null) return []
  const own = { workspace, person: person.id }
  const owners = admins.includes(person.id) ? [own, everybody] : [own]
  const rows = owners.map(async (owner) =>
    (await signIns.list(owner)).map((row) => ({ ...row, owner })),
  )
  return (await Promise.all(rows)).flat()
}

async function listed(context: CommandContext, deps: SignInsDeps): Promise<CommandResult> {
  const { locale, times = 'named', timeZone } = context
  const words = texts(locale).signIns
  const rows = await rowsFor(context, deps)
  const lines = rows.map(({ server, url, at, owner }) => {
    const since = showInstant(times, timeZone, at)
    return `- ${words.row(server, inlineCode(url), since, owner === everybody)}`
  })
  const text = lines.length === 0 ? words.none : [words.title, ...lines].join('\n')
  return { ok: true, text, private: true }
}

/** Ends the person's own sign-in there, or else the one that all share. */
async function signedOut(
  server: string,
  context: CommandContext,
  deps: SignInsDeps,
): Promise<CommandResult> {
  const words = texts(context.locale).signIns
  const rows = (await rowsFor(context, deps)).filter((row) => row.server === server)
  const [row] = rows
  if (row === undefined)
    return { ok: false, text: words.unknown(inlineCode(server)), private: true }
  const ending = rows.filter(({ owner }) => owner === row.owner)
  for (const one of ending) await deps.signIns?.signOut(one, one.owner)
  return { ok: true, text: words.out(server, row.owner === everybody), private: true }
}
