import { ZodError } from 'zod'
import type { Aside, Lease } from '../ports/store.ts'
import { Fenced, type LeaseDeps } from './lease.ts'

/** Whether trying again later can help: what is away comes back, and a row of a version to come has a newer Clew to read it. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : null
  if (code === 'away' || code === 'unknown_version' || 'syscall' in error) return true
  return error.name === 'AbortError' || error.name === 'TimeoutError' || isAway(error.cause)
}

/** A row that the store could not read. */
export const isDamaged = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'damaged_row'

/** What fails the same way every time: a row that cannot be read, or a fault of the code that a row brings to light. */
export const isFault = (error: unknown): boolean =>
  isDamaged(error) ||
  [TypeError, RangeError, SyntaxError, ReferenceError, ZodError].some((kind) => error instanceof kind)

/** In a few words; a fault's own words are cut, since they may quote the row. */
export const problemOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 300)

/** Work on one row that failed this often in a row, while the store was there, fails because of the row (P18). */
const attemptsMost = 3

/**
 * Works on the first row of a list. When that fails again and again, and not because something is away, the row is set aside
 * instead, so that the ones behind it go on (P18). Until then it throws: the lease ends by itself, and the next worker tries
 * the row again.
 *
 * @param row names it for as long as it is first.
 * @param setAside what is done instead.
 */
export async function attempt<T>(
  deps: Pick<LeaseDeps, 'leases' | 'log'>,
  { lease, row, most = attemptsMost }: { lease: Lease; row: string; most?: number },
  work: () => Promise<T>,
  setAside: (problem: string) => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fenced || isAway(error)) throw error
    const times = await deps.leases.failed(lease, row)
    // What cannot be read today cannot be read in ten seconds either.
    if (times < (isDamaged(error) ? 1 : most)) throw error
    deps.log.error({ item: lease.item, row, times, err: error }, 'a row is set aside: work on it fails every time')
    return await setAside(problemOf(error))
  }
}

/** What stands in the trace of it, beside the row itself that is kept. */
export const asideTrace = (of: string, at: number, { list, id, problem }: Aside) => ({
  of,
  entry: { at, what: { kind: 'set_aside' as const, list, id, problem: problem.slice(0, 300) } },
})
