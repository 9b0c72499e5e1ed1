import { expect, it } from 'vitest'
import { requestTextOf } from '../../../src/agent/model/request-text.ts'
import { replay } from '../../../src/agent/recording/player.ts'
import { useClew } from '../../support/agent.ts'
import { recordedMission, recordedThread, recordedWork } from './recorded.ts'

const start = useClew()

/** Kills at the first calls of each of these ports, on both sides. */
const kills = (points: readonly string[], times: number) =>
  points
    .flatMap((point) => [`before ${point}`, `after ${point}`])
    .flatMap((point) => Array.from({ length: times }, (_, n) => ({ point, n: n + 1 })))
const always = ['commits.commit', 'model.call', 'runs.state']

/** Recordings so far: of each run, and of the thread that it began in. */
const recorded: { text: string; uses: ReadonlySet<string> }[] = []
let requests = 0

async function keep(...texts: string[]) {
  for (const text of texts) {
    const made = await replay(text)
    expect(made.divergence).toBeNull()
    const uses = [...text.matchAll(/"kind":"request","n":\d+,"contract":"(\w+)"/g)]
    expect(made.requests).toBe(uses.length)
    expect(uses.length).toBeGreaterThan(0)
    requests += uses.length
    recorded.push({ text, uses: new Set(uses.map(([, contract = '']) => contract)) })
  }
}

it.each(
  (['step', 'batch', 'free'] as const).flatMap((strategy) =>
    kills([...always, 'tool ledger.run'], 9).map((kill) => ({ strategy, ...kill })),
  ),
)(
  '$strategy with questions and approvals, killed $point number $n, comes to the same requests (C661, C891)',
  async (how) => {
    const { run, thread } = await recordedWork(start, how)
    await keep(run, thread)
  },
  120_000,
)

it.each(kills([...always, 'coding_folder.handOver'], 3))(
  'a mission, killed $point number $n, comes to the same requests (C661)',
  async (kill) => {
    const { run, thread } = await recordedMission(start, kill)
    await keep(run, thread)
  },
  120_000,
)

it.each(kills([...always, 'conversations.state'], 5))(
  'turns of a thread, killed $point number $n, come to the same requests (C891)',
  async (kill) => await keep(await recordedThread(start, kill)),
  120_000,
)

/** Acceptance: 200 runs and more. A word that changes in one contract names those that use it, and no others. */
it.each(['act', 'decision'])(
  'names the recordings that use %s where its words changed, and no others (C664, C891)',
  async (changed) => {
    const begun = performance.now()
    const textOf: typeof requestTextOf = (...how) => {
      const text = requestTextOf(...how)
      return (name, input) => text(name, input) + (name === changed ? ' please' : '')
    }
    let named = 0
    for (const { text, uses } of recorded) {
      const { divergence } = await replay(text, { textOf })
      if (uses.has(changed)) expect(divergence).toMatchObject({ contract: changed })
      else expect(divergence).toBeNull()
      named += uses.has(changed) ? 1 : 0
    }
    const seconds = Math.round((performance.now() - begun) / 1_000)
    console.log(
      `${recorded.length} recordings, ${requests} requests; ${changed} changed: ${named} named, in ${seconds} s`,
    )
    expect(recorded.length).toBeGreaterThan(200)
    expect(named).toBeGreaterThan(0)
  },
  600_000,
)
