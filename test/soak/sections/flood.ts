import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createSystemClock } from '../../../src/clock.ts'
import { startClew } from '../../../src/compose/clew.ts'
import { readConfig } from '../../../src/config.ts'
import { startNativeRedis } from '../../support/native-redis.ts'
import { silent } from '../../support/silent.ts'
import { type Findings, type Soak, some } from '../section.ts'

/** S8: what one person writes in a minute, and by how much the others may feel it. */
const messagesPerMinute = 1_000
const slowerMost = 2
/** Differences of less than this are nobody's to feel. In milliseconds. */
const unfelt = 50

/** One person floods Clew with requests in threads of their own; another one's answers may take no more than twice as long. */
export async function flood(soak: Soak): Promise<Findings> {
  const server = await startNativeRedis(soak.program)
  const folder = await mkdtemp(join(tmpdir(), 'clew-flood-'))
  const settings = {
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    REHEARSAL_PACE_MS: '0',
    AGENT_PERSON_MESSAGES_PER_MINUTE: '60',
    REDIS_URL: server.url(0),
  }
  const clew = await startClew(readConfig(settings), { clock: createSystemClock(), log: silent })
  const url = clew.url ?? ''
  let sent = 0
  async function say(who: string, text: string): Promise<string> {
    sent += 1
    const body = { text, clientMessageId: `${who}-${sent}`, author: { id: who, name: who } }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/conversations`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return ((await answer.json()) as { id: string }).id
  }
  /** Milliseconds from a message to its answer, one after the other. */
  async function answers(count: number): Promise<number[]> {
    const times: number[] = []
    for (let n = 0; n < count; n++) {
      // Each is another person, so that none of them is the one who writes too much.
      const who = `ben-${n % 50}-${times.length}-${sent}`
      const began = performance.now()
      const id = await say(who, 'Hello')
      for (;;) {
        const view = (await (await fetch(`${url}/api/conversations/${id}`)).json()) as {
          messages: { role: string }[]
        }
        if (view.messages.at(-1)?.role === 'assistant') break
        await wait(3)
      }
      times.push(performance.now() - began)
    }
    return times
  }
  try {
    const count = some(soak, 200)
    await answers(10)
    const alone = p95(await answers(count))
    let flooding = true
    let flooded = 0
    const began = performance.now()
    const pouring = (async () => {
      while (flooding) {
        const due = ((performance.now() - began) / 60_000) * messagesPerMinute
        for (; flooded < due; flooded++) void say('ana', 'Hello').catch(() => {})
        await wait(20)
      }
    })()
    const beside = p95(await answers(count))
    const rate = (flooded / (performance.now() - began)) * 60_000
    flooding = false
    await pouring
    const figures = `${count} answers each: p95 alone ${alone.toFixed(0)} ms, beside one person at ${rate.toFixed(0)} messages a minute ${beside.toFixed(0)} ms (${(beside / alone).toFixed(2)}×)`
    const isFelt = beside > alone * slowerMost && beside - alone > unfelt
    return { figures, failures: isFelt ? [`${(beside / alone).toFixed(2)} times as long`] : [] }
  } finally {
    await clew.stop()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const p95 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
