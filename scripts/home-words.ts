import { openHome } from '../src/adapters/home/home.ts'
import { silent } from '../src/agent/ports/log.ts'

/**
 * Reads the words of an agent's folder once.
 *
 * @throws with the first problem of the folder.
 */
export async function homeWords(folder: string) {
  const home = await openHome(folder, { clock: { every: () => () => {} }, log: silent })
  const [problem] = home.problems()
  if (problem !== undefined) throw new Error(problem)
  return home.words
}
