import { z } from 'zod'
import { worded } from '../../../locales/texts.ts'
import { done, onePiece } from '../one-piece.ts'

/** Which of the operator's folders, by its name; blank: the only one. */
const IndexRepoInput = z.object({ repo: z.string().trim().max(1_000).catch('') })

/**
 * Reads all of one of the operator's folders for `repo_search`. Cut off, it is simply done again.
 */
export const indexRepoType = onePiece({
  type: 'index_repo',
  description:
    'Read one of the team\'s folders or repositories anew, so that its text can be searched. Input: {"repo": string}, its name as the person said it; blank when they named none.',
  input: IndexRepoInput,
  async run({ repo }, { deps: { library }, signal }, { library: words }) {
    if (library === undefined) return done(false, words.turnedOff)
    const indexed = await library.index(repo, signal)
    return indexed.ok
      ? done(true, words.indexed(indexed.name, indexed.files, indexed.left))
      : done(false, worded(words.problems[indexed.problem], library.names))
  },
})
