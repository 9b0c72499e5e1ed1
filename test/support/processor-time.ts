/** Of this thread, in milliseconds: other programs of a busy machine do not count. */
const used = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * How long a call keeps this thread from everything else, in milliseconds of its processor. A call that took longer than
 * `most` is tried again up to twice, and the best counts: the first may have had to load and compile.
 */
export async function timeOf(call: () => unknown, most: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && best > most; tries++) {
    const before = used()
    await call()
    best = Math.min(best, used() - before)
  }
  return best
}
