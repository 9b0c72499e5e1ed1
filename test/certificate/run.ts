import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import packages from '../../package.json' with { type: 'json' }
import { installPackages } from '../bench/install.ts'
import { redisServer } from '../support/programs.ts'
import { clew } from './clew.ts'
import peers from './peers/package.json' with { type: 'json' }
import { chat, eve, mastra } from './peers.ts'
import { whole } from './plan.ts'
import { type Platform, play, type Result } from './play.ts'
import type { System } from './system.ts'

/*
 * `npm run certificate` plays five seeds with Clew and three peers and prints what was counted; docs/certificate.md says how.
 * `-- --platform discord` plays those that take messages of Discord, `--systems clew,chat` these only, `--seed 7` begins with this seed, `--rounds 1` plays one.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    platform: { type: 'string', default: 'slack' },
    systems: { type: 'string' },
    output: { type: 'boolean', default: false },
  },
})
const known: Readonly<Record<string, System>> = { clew, chat, mastra, eve }
const platform = platformIn(values.platform)
const able = Object.keys(known).filter((name) => known[name]?.[platform] !== undefined)
const systems = (values.systems?.split(',') ?? able).map((name) => {
  const system = able.includes(name) ? known[name] : undefined
  return system ?? unknown(`system "${name}" on ${platform}`, able)
})
const seeds = Array.from({ length: Number(values.rounds) }, (_, at) => Number(values.seed) + at)

function platformIn(name: string): Platform {
  return name === 'slack' || name === 'discord'
    ? name
    : unknown(`platform "${name}"`, ['slack', 'discord'])
}

function unknown(what: string, there: readonly string[]): never {
  console.error(`There is no ${what}; there are ${there.join(', ')}.`)
  process.exit(2)
}

const secondsOf = (ms: number) => (ms / 1_000).toFixed(1)
const rowOf = (name: string, seed: number, one: Result) =>
  `| ${[name, seed, `${one.lost} of ${one.said - one.missed}`, one.doubled, one.misplaced, one.missed, one.besides, one.kills, secondsOf(one.waitMs.median), secondsOf(one.waitMs.longest), secondsOf(one.ms)].join(' | ')} |`

async function main(): Promise<void> {
  if (redisServer === null) {
    console.error('The certificate needs redis-server, which is not on this machine.')
    process.exit(2)
  }
  if (systems.some((one) => one !== clew)) installPackages(`${import.meta.dirname}/peers`)
  const versions = Object.entries(peers.dependencies).flat().join(' ')
  console.log(
    `${new Date().toISOString().slice(0, 10)}, Clew ${packages.version}, ${versions}, Node ${process.version}, ${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}\n`,
  )
  console.log(
    `| system | seed | lost of ${platform === 'slack' ? 'acknowledged' : 'delivered'} | doubled | wrong thread | never taken | other messages | kills | an answer, median | longest | all, seconds |`,
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|---|')
  for (const seed of seeds)
    for (const system of systems) {
      const result = await play(system, { platform, seed, size: whole, redis: redisServer })
      console.log(rowOf(system.name, seed, result))
      if (result.refused.length > 0) console.error(new Set(result.refused))
      if (values.output) console.error(result.output)
    }
  console.log(`\nLoad at the end: ${loadavg()[0]?.toFixed(1)}`)
}

await main()
