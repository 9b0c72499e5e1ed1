import { startNativeRedis } from '../../support/native-redis.ts'
import { type Played, playHostile } from '../hostile/play.ts'
import type { Longest } from '../hostile/stalls.ts'
import { type Findings, type Section, type Soak, seconds, some } from '../section.ts'

/** S11: how long a request may take, and for how long Clew may do nothing else, in milliseconds. */
const longestRequest = 1_000
const longestStall = 50

/** 10,000 nasty texts through the API of a Clew of its own process, on each store, with a model that says such texts too. */
export const hostile: Section = async (soak) => {
  const native = await startNativeRedis(soak.program)
  try {
    const embedded = await play(soak, 'embedded', {})
    const external = await play(soak, 'redis-server', { REDIS_URL: native.url(0) })
    return {
      figures: [embedded, external].map(({ figures }) => figures).join('; '),
      failures: [...embedded.failures, ...external.failures],
    }
  } finally {
    await native.stop()
  }
}

async function play(
  soak: Soak,
  store: string,
  settings: Record<string, string>,
): Promise<Findings> {
  const began = performance.now()
  const played = await playHostile(settings, { seed: soak.seed, count: some(soak, 10_000) })
  const { texts, blank, threads, requests, modelCalls, slowest, p99, stalls } = played
  const figures = [
    `${store}: ${texts} texts (${blank} blank) in ${threads} threads, ${requests} requests, ${modelCalls} model calls`,
    `p99 ${p99.toFixed(0)} ms, slowest ${both(slowest)}`,
    `longest stall ${both(stalls)}`,
    seconds(performance.now() - began),
  ]
  const failures = [...played.failures, ...tooSlow(played)]
  soak.say(`     ${figures.join(', ')}`)
  return {
    figures: figures.join(', '),
    failures: failures.slice(0, 20).map((failure) => `${store}: ${failure}`),
  }
}

const both = ({ own, wall, gc }: Longest): string =>
  `${own.toFixed(0)} ms (${wall.toFixed(0)} ms with waits for a processor${gc === undefined ? '' : `, ${gc.toFixed(0)} ms of it collecting garbage`})`

/** Findings that took longer than they may. Collecting garbage depends on the machine and does not count. */
export function tooSlow({ slowest, stalls }: Played): string[] {
  const stalled = stalls.own - (stalls.gc ?? 0)
  return [
    ...(slowest.own > longestRequest ? [`a request took ${both(slowest)}`] : []),
    ...(stalled > longestStall ? [`nothing else was done for ${both(stalls)}`] : []),
  ]
}
