import { raceForAnswers } from '../../support/answer-race.ts'
import { startNativeRedis } from '../../support/native-redis.ts'
import { type Section, seconds, some } from '../section.ts'

/**
 * 1,000 questions of Slack, Discord and the page, answered at once from all three: each counts once and is gone. How fast is
 * printed and not judged: Redis, the platforms and the people are on the same machine.
 */
export const answers: Section = async (soak) => {
  const began = performance.now()
  const server = await startNativeRedis(soak.program)
  try {
    const each = some(soak, 334)
    const { questions, calls, effects, orphans, gone, unshown, keptMs, won } = await raceForAnswers(
      server.url(0),
      each,
      600_000,
    )
    const at = (times: readonly number[], share: number) =>
      times.toSorted((a, b) => a - b)[
        Math.min(times.length - 1, Math.floor(times.length * share))
      ] ?? Number.NaN
    const spread = (times: readonly number[]) =>
      [0.5, 0.95, 1].map((share) => `${at(times, share).toFixed(0)} ms`).join(' / ')
    const wins = Object.entries(won).map(([name, count]) => `${name} ${count}`)
    const failures = [
      ...orphans,
      ...(calls === questions && effects === questions
        ? []
        : [`${calls} calls with ${effects} effects`]),
      ...(gone.length === questions ? [] : [`${gone.length} of ${questions} left the queue`]),
    ]
    return {
      figures: `${questions} questions, ${effects} effects, ${orphans.length} orphans; first answer stored to gone from the queue ${spread(gone)}, from an open page ${spread(unshown)} (p50 / p95 / most), without the ${keptMs} ms in which others had Clew's processor; won by ${wins.join(', ')}; ${seconds(performance.now() - began)}`,
      failures,
    }
  } finally {
    await server.stop()
  }
}
