import { startNativeRedis } from '../../support/native-redis.ts'
import { startChildHost } from '../child-host.ts'
import { givenUp, learnExpected, runStories, type StartHost, storyName } from '../crash.ts'
import { startLocalHost } from '../local-host.ts'
import { chains, isReachable, targetsOf, unreachable, unreached, withSecond } from '../plan.ts'
import type { Target } from '../points.ts'
import { type Findings, type Section, type Soak, seconds, some } from '../section.ts'

interface Way {
  start: StartHost
  hits: number
  atOnce: number
  stories(targets: Target[], counts: ReadonlyMap<string, number>): Target[][]
}

/** Every point, several hits of each, in lives that are abandoned in this process. */
export const points: Section = (soak) =>
  crashEverywhere(soak, {
    start: startLocalHost,
    hits: some(soak, 8),
    atOnce: 6,
    stories: (targets, counts) => withSecond(targets, counts, soak.random),
  })

/** Every point, several hits of each, by kill -9 of a process, and three more kills in the same story. */
export const kills: Section = (soak) =>
  crashEverywhere(soak, {
    start: startChildHost,
    hits: some(soak, 3),
    atOnce: 3,
    stories: (targets, counts) => [
      ...targets.map((target) => [target]),
      ...chains(
        targets.filter(({ hit }) => hit === 1),
        counts,
        { length: 4, random: soak.random },
      ),
    ],
  })

async function crashEverywhere({ program }: Soak, way: Way): Promise<Findings> {
  const began = performance.now()
  const server = await startNativeRedis(program)
  try {
    const { expected, counts } = await learnExpected({ server, database: 0, start: way.start })
    const stories = way.stories(targetsOf(counts, way.hits), counts)
    const { start, atOnce } = way
    const settings = { server, start, expected, atOnce }
    const { crashes, failures } = await runStories(stories, settings)
    const failureOf = (targets: readonly Target[]) =>
      failures.find((one) => one.startsWith(`${storyName(targets)}: `))
    const met = stories.filter(
      (targets) => targets.length > 2 && failureOf(targets)?.includes(givenUp),
    )
    const excused = met.map(failureOf)
    const alone = await runStories(
      met.map((targets) => targets.slice(-1)),
      settings,
    )
    crashes.push(...alone.crashes)
    const never = unreached(counts).map((point) => `${point} is never reached`)
    const reached = new Set(crashes.map((crash) => crash.split(' #')[0]))
    const missed = [...counts.keys()].filter((point) => isReachable(point) && !reached.has(point))
    const left = Object.entries(unreachable).map(([name, why]) => `${name} (${why})`)
    return {
      figures: `${crashes.length} crashes at ${reached.size} points in ${stories.length} stories, of which ${met.length} gave up at a step that three crashes met (P14) and were played again with the last of them alone, ${seconds(performance.now() - began)}; not on this path: ${left.join(', ')}`,
      failures: [
        ...failures.filter((one) => !excused.includes(one)),
        ...alone.failures,
        ...never,
        ...missed.map((point) => `no life ended at ${point}`),
      ],
    }
  } finally {
    await server.stop()
  }
}
