import { z } from 'zod'
import { texts } from '../../../locales/texts.ts'
import { type Rest, rest } from '../../kernel/lease.ts'
import { endWith } from '../finish.ts'
import type { DrivenType, Session } from '../session.ts'

/** Which of the operator's folders, by its name; blank: the only one. */
const IndexRepoInput = z.object({ repo: z.string().trim().max(1_000).catch('') })

export const indexRepoType: DrivenType = {
  type: 'index_repo',
  description:
    'Read one of the team\'s folders or repositories anew, so that its text can be searched. Input: {"repo": string}, its name as the person said it; blank when they named none.',
  input: IndexRepoInput,
  drive,
}

/** Run type `index_repo`: reads one of the operator's folders anew for `repo_search`. Cut off, it is simply done again. */
async function drive(session: Session): Promise<Rest> {
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
