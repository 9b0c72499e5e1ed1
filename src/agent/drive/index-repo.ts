import { texts } from '../../locales/texts.ts'
import { type Rest, rest } from '../kernel/lease.ts'
import { IndexRepoInput } from '../run-types.ts'
import { endWith } from './finish.ts'
import type { Session } from './session.ts'

/** Run type `index_repo`: reads one of the operator's folders anew for `repo_search`. Cut off, it is simply done again. */
export async function driveIndexRepo(session: Session): Promise<Rest> {
  const { run, deps, signal } = session
  const { repo } = IndexRepoInput.parse(run.input)
  const { library: words } = texts((await session.surroundings()).locale)
  if (deps.library === null) return await endWith(session, { status: 'failed', text: words.turnedOff })
  const indexed = await deps.library.index(repo, signal)
  if (signal.aborted) return rest
  return await endWith(
    session,
    indexed.ok
      ? { status: 'succeeded', text: words.indexed(indexed.name, indexed.files, indexed.left) }
      : { status: 'failed', text: words.problems[indexed.problem](deps.library.names) },
  )
}
