import { redisServer } from '../support/programs.ts'
import { again } from './again.ts'
import { createRandom } from './plan.ts'
import type { Findings, Section, Soak } from './section.ts'
import { answers } from './sections/answers.ts'
import { approvals } from './sections/approvals.ts'
import { browser } from './sections/browser.ts'
import { cluster } from './sections/cluster.ts'
import { discord } from './sections/discord.ts'
import { durability } from './sections/durability.ts'
import { failover } from './sections/failover.ts'
import { flood } from './sections/flood.ts'
import { hostile } from './sections/hostile.ts'
import { hour } from './sections/hour.ts'
import { models } from './sections/models.ts'
import { page } from './sections/page.ts'
import { kills, points } from './sections/points.ts'
import { properties } from './sections/properties.ts'
import { redis } from './sections/redis.ts'
import { schedules } from './sections/schedules.ts'
import { sigterm } from './sections/sigterm.ts'
import { slack } from './sections/slack.ts'
import { fleet, stopped } from './sections/stopped.ts'
import { takeover } from './sections/takeover.ts'

/*
 * `npm run soak` crashes Clew in every way that it promises to survive, on a real redis-server, for about an hour.
 *
 *   npm run soak                            everything
 *   npm run soak -- kills stopped           only these parts
 *   npm run soak -- again "a #1, b #2"      one story once more, with these crashes
 *
 * CLEW_SOAK_SEED plays the same soak again; CLEW_SOAK_SHARE=0.1 makes every part a tenth.
 */

const sections: Readonly<Record<string, Section>> = {
  points,
  kills,
  stopped,
  fleet,
  cluster,
  takeover,
  sigterm,
  redis,
  failover,
  durability,
  browser,
  approvals,
  answers,
  slack,
  discord,
  schedules,
  properties,
  models,
  flood,
  hostile,
  hour,
  page,
}

if (redisServer === null) {
  console.error('The soak needs redis-server (or valkey-server), which is not on this machine.')
  process.exit(2)
}
const seed = Number(process.env.CLEW_SOAK_SEED ?? Date.now() % 1_000_000)
const soak: Soak = {
  program: redisServer,
  seed,
  random: createRandom(seed),
  share: Number(process.env.CLEW_SOAK_SHARE ?? 1),
  say: (line) => console.log(line),
}
const asked = process.argv.slice(2)
const wanted = asked.length === 0 ? Object.keys(sections) : asked
soak.say(`Seed ${seed}.`)
if (asked[0] === 'again') await again(soak, asked[1] ?? '')
else await all(wanted)

async function all(names: readonly string[]): Promise<void> {
  let failed = 0
  for (const name of names) {
    const section = sections[name]
    if (section === undefined)
      throw new Error(`there is no part ${name}; the parts are ${Object.keys(sections).join(', ')}`)
    const { figures, failures } = await section(soak).catch(brokenOff)
    soak.say(`${failures.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${figures}`)
    for (const failure of failures) soak.say(`     ${failure}`)
    failed += failures.length
  }
  soak.say(
    failed === 0
      ? 'Every part kept what is promised.'
      : `${failed} failures; CLEW_SOAK_SEED=${seed} plays them again.`,
  )
  // Of a life that was abandoned in this process something may still look for its server.
  process.exit(failed === 0 ? 0 : 1)
}

/** A part that could not be played to its end has failed; the others still have their turn. */
function brokenOff(error: unknown): Findings {
  const cause =
    error instanceof Error && error.cause !== undefined
      ? `\n     because of ${String(error.cause)}`
      : ''
  const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { figures: 'broken off', failures: [said + cause] }
}
